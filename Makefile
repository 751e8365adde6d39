PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUTPUT ?= parsheets
PYTHONS ?= 3.11 3.12 3.13 3.14
# Keep compiled files in any environment: every command and many tests start a new process.
export PYTHONDONTWRITEBYTECODE :=
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# Libraries come from a lock file with their hashes, the build backend too; then nothing else is downloaded. They are
# compiled when they are first loaded: most of their modules never are.
INSTALL_LOCKED := $(PIP) install --no-compile --require-hashes -r
INSTALL_CHECKOUT := $(PIP) install --no-compile --no-deps --no-build-isolation --config-settings editable_mode=compat --editable .
COMPILE_LOCK := uv pip compile pyproject.toml --quiet --upgrade --universal --python-version 3.11.5 --generate-hashes \
	--constraints constraints.txt --no-strip-extras --no-header --no-annotate --no-emit-index-url --no-emit-find-links

PYTEST := $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder
# `make check test-all` runs the fast tests once, as part of all tests.
FAST := $(if $(filter test-all,$(MAKECMDGOALS)),,test)

.PHONY: parsheets studio test test-all test-pythons check style coverage bench docs dist lock clean

parsheets: $(VENV)/ready ## write every par sheet of the catalog into $(OUTPUT)
	$(BIN)/combinat parsheets --output $(OUTPUT)

studio: $(VENV)/ready ## open the bench in a browser
	$(BIN)/combinat studio

test: $(VENV)/ready-dev ## run the fast tests and the doctests
	$(PYTEST) -m 'not slow'

test-all: $(VENV)/ready-dev ## run all tests: also the slow ones, with more examples of each property
	$(PYTEST) --hypothesis-profile=thorough --durations=10

test-pythons: $(addprefix test-python,$(PYTHONS)) ## run the fast tests with each installed Python

test-python%:
	@for python in python$* "$${PYENV_ROOT:-$$HOME/.pyenv}"/versions/$*.*/bin/python; do \
		if "$$python" -c '' 2>/dev/null; then \
			"$$python" --version && exec $(MAKE) --no-print-directory test PYTHON="$$python" VENV=$(VENV)-$*; \
		fi; \
	done; echo "Python $*: not on this machine, skipped"

check: style $(FAST) ## format, lint, types, tests, doctests

style: $(VENV)/ready-dev ## format, lint, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

coverage: $(VENV)/ready-dev ## run the fast tests and print the lines and branches that they do not cover
	$(PYTEST) -m 'not slow' --cov

bench: $(VENV)/ready-dev ## run the benchmarks; PARTS="five shoes" for some of them
	$(BIN)/python -m tests.bench $(PARTS)

docs: $(VENV)/ready-dev ## build the documentation site; open site/index.html
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -b html docs site

dist: $(VENV)/ready-dev ## build the source archive, the wheel and its bill of materials into dist/
	$(BIN)/python -c 'from setuptools import build_meta; print(build_meta.build_sdist("dist")); print(build_meta.build_wheel("dist"))'

lock: ## pin the versions of constraints.txt with their hashes; needs uv
	$(COMPILE_LOCK) --extra build --extra studio --output-file requirements.lock
	$(COMPILE_LOCK) --extra dev --output-file requirements-dev.lock

clean: ## remove everything that the other commands made
	rm -rf $(VENV) $(addprefix $(VENV)-,$(PYTHONS)) $(OUTPUT) build dist site *.egg-info
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "combinat needs Python 3.11 or newer; name one with make PYTHON=python3.12" >&2; exit 2; }
	@$(PYTHON) -m venv $(VENV) \
		|| { rm -rf $(VENV); echo "this Python cannot make virtual environments; on Debian install python3-venv" >&2; exit 2; }

$(VENV)/ready: pyproject.toml requirements.lock | $(VENV)/bin/python
	$(INSTALL_LOCKED) requirements.lock
	$(INSTALL_CHECKOUT)
	$(BIN)/python -m compileall -q decks combinat reports
	touch $@

# What the tests need is all that the program needs: one installation for both.
$(VENV)/ready-dev: pyproject.toml requirements-dev.lock | $(VENV)/bin/python
	$(INSTALL_LOCKED) requirements-dev.lock
	$(INSTALL_CHECKOUT)
	$(BIN)/python -m compileall -q decks combinat reports
	touch $(VENV)/ready $@
