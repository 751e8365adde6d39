PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUTPUT ?= parsheets
# Constraints given on the command line do not reach the setuptools that builds; the environment does, under a name of
# its own in newer versions of pip.
PINNED := PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt
INSTALL := $(PINNED) $(BIN)/python -m pip install --quiet --disable-pip-version-check \
	--config-settings editable_mode=compat --editable

PYTEST := $(BIN)/python -m pytest -n auto --dist loadfile
# With `make check test-all` the quick tests run once, among all the others.
QUICK := $(if $(filter test-all,$(MAKECMDGOALS)),,test)

.PHONY: parsheets test test-all check style bench clean

parsheets: $(VENV)/ready ## write every par sheet of the catalog into $(OUTPUT)
	$(BIN)/combinat parsheets --output $(OUTPUT)

test: $(VENV)/ready-dev ## run the quick tests and the doctests
	$(PYTEST) -m 'not slow'

test-all: $(VENV)/ready-dev ## run all tests: also the long twins, whole games, and many more examples of each property
	$(PYTEST) --hypothesis-profile=thorough --durations=10

check: style $(QUICK) ## format, lint, types, tests, doctests

style: $(VENV)/ready-dev ## format, lint, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/ready-dev ## measure speed as ratios within one run
	$(BIN)/python -m tests.bench

clean: ## remove everything that the other commands made
	rm -rf $(VENV) $(OUTPUT) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "combinat needs Python 3.11 or newer; name one with make PYTHON=python3.12" >&2; exit 2; }
	@$(PYTHON) -m venv $(VENV) \
		|| { rm -rf $(VENV); echo "this Python cannot make virtual environments; on Debian install python3-venv" >&2; exit 2; }

$(VENV)/ready: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(INSTALL) .
	$(BIN)/python -m compileall -q decks combinat reports
	touch $@

$(VENV)/ready-dev: $(VENV)/ready
	$(INSTALL) '.[dev]'
	touch $@
