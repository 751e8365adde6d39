PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUTPUT ?= parsheets
PYTHONS ?= 3.11 3.12 3.13 3.14
# What Python has compiled is kept, whatever the environment says: every command and test starts anew.
export PYTHONDONTWRITEBYTECODE :=
# Constraints given on the command line do not reach the setuptools that builds; the environment does, under a name of
# its own in newer versions of pip.
PINNED := PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt
# Libraries are compiled when they are first loaded: most of their modules never are.
INSTALL := $(PINNED) $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile \
	--config-settings editable_mode=compat --editable

PYTEST := $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder
# With `make check test-all` the quick tests run once, among all the others.
QUICK := $(if $(filter test-all,$(MAKECMDGOALS)),,test)

.PHONY: parsheets studio test test-all test-pythons check style coverage bench clean

parsheets: $(VENV)/ready ## write every par sheet of the catalog into $(OUTPUT)
	$(BIN)/combinat parsheets --output $(OUTPUT)

studio: $(VENV)/ready-studio ## open the bench in a browser
	$(BIN)/combinat studio

test: $(VENV)/ready-dev ## run the quick tests and the doctests
	$(PYTEST) -m 'not slow'

test-all: $(VENV)/ready-dev ## run all tests: also the long twins, whole games, and many more examples of each property
	$(PYTEST) --hypothesis-profile=thorough --durations=10

test-pythons: $(addprefix test-python,$(PYTHONS)) ## run the quick tests with each Python that is here

test-python%:
	@for python in python$* "$${PYENV_ROOT:-$$HOME/.pyenv}"/versions/$*.*/bin/python; do \
		if "$$python" -c '' 2>/dev/null; then \
			"$$python" --version && exec $(MAKE) --no-print-directory test PYTHON="$$python" VENV=$(VENV)-$*; \
		fi; \
	done; echo "Python $*: not on this machine, skipped"

check: style $(QUICK) ## format, lint, types, tests, doctests

style: $(VENV)/ready-dev ## format, lint, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

coverage: $(VENV)/ready-dev ## run the quick tests and print which lines and branches they do not reach
	$(PYTEST) -m 'not slow' --cov

bench: $(VENV)/ready-dev ## measure speed, ours beside others in one run; PARTS="five shoes" for some of it
	$(BIN)/python -m tests.bench $(PARTS)

clean: ## remove everything that the other commands made
	rm -rf $(VENV) $(addprefix $(VENV)-,$(PYTHONS)) $(OUTPUT) build dist *.egg-info
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
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

$(VENV)/ready-studio: $(VENV)/ready
	$(INSTALL) '.[studio]'
	touch $@

# What the tests need is all that the program needs, the studio too: one installation for both.
$(VENV)/ready-dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(INSTALL) '.[dev]'
	$(BIN)/python -m compileall -q decks combinat reports
	touch $(VENV)/ready $(VENV)/ready-studio $@
