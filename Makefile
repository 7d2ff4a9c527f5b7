# `make demo`, `make serve` and `make test` need python3 (3.11 or newer, with venv) and make, nothing else.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
OUT    ?= out

.PHONY: demo serve test lint types mypy pyright bench lock clean

demo: $(VENV)/.installed
	@mkdir -p $(OUT)
	$(BIN)/dominotable read datasets/demo/cincos.jpg --game cincos --save $(OUT)/cincos.jpg
	@echo "The annotated picture is $(OUT)/cincos.jpg"

# Ctrl-C is how it ends: that is no error.
serve: $(VENV)/.installed
	@rm -rf $(OUT)/demo-table
	trap : INT; $(BIN)/dominotable serve --source datasets/demo/game --every 4 --game cincos --seats Ana,Bo --opener Ana --data $(OUT)/demo-table \
		|| test $$? -eq 130

test: $(VENV)/.installed-dev
	$(BIN)/pytest -q

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: mypy pyright

mypy: $(VENV)/.installed-dev
	$(BIN)/mypy

pyright: $(VENV)/.installed-dev
	$(BIN)/pyright --pythonpath $(BIN)/python

bench: $(VENV)/.installed-dev
	$(BIN)/pytest -q tests/bench --benchmark-enable --benchmark-only

lock:
	uv lock

clean:
	rm -rf $(VENV) $(OUT) build dist runs

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "dominotable needs Python 3.11 or newer; name one with: make PYTHON=python3.12 demo"; exit 2; }
	@$(PYTHON) -m venv $(VENV) \
		|| { rm -rf $(VENV); echo "cannot make a virtual environment; on Debian: apt-get install python3-venv"; exit 2; }
	$(BIN)/python -m pip install -q --upgrade "pip>=25.1"

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install -q -e .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install -q -e . --group dev
	@touch $@ $(VENV)/.installed
