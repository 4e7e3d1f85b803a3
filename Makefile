# Every target but help, lock and the cleaning ones runs one `python -m ...` (README lists them), in the active conda or
# virtual environment if lib2048 is installed there, otherwise in .venv, which is made when it is missing and made anew
# when requirements.lock changes. All paths are relative, so the checkout may lie anywhere and its path hold spaces.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup lab notebooks handout report figures experiments test bench bench-ewn bench-strength lock clean distclean

# The Python of an active environment that has lib2048: asked from /, where only an installed one is found.
ifneq ($(filter-out help lock clean distclean,$(MAKECMDGOALS)),)
active := $(shell for prefix in "$$CONDA_PREFIX" "$$VIRTUAL_ENV"; do \
    if test -x "$$prefix/bin/python" && test -n "$$prefix" && ! test "$$prefix" -ef .venv \
        && (cd / && "$$prefix/bin/python" -c "import lib2048") >/dev/null 2>&1; \
    then echo "$$prefix/bin/python"; break; fi; done)
endif
python := $(if $(active),"$(active)",.venv/bin/python)
ready := $(if $(active),,.venv/.ready)

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

setup: $(ready) ## make .venv, or bring it up to date; the other targets do this by themselves
	@echo Using $(python)

lab: $(ready) ## open the notebooks in JupyterLab
	@# trusted, so that JupyterLab shows the figures they came with before they are run
	@$(python) -m jupyter trust notebooks/*.ipynb >/dev/null
	$(python) -m jupyterlab notebooks

notebooks: $(ready) ## run the notebooks and keep their outputs (SCALE=small runs copies, JOBS=2)
	$(python) -m report.notebooks $(if $(SCALE),--scale "$(SCALE)") $(if $(JOBS),--jobs "$(JOBS)")

handout: $(ready) ## write the notebooks without solutions into handout/, for classes
	$(python) -m report.handout

report: $(ready) ## bring all up to date and write report/report.pdf (SCALE=small: quick, other name; FORMAT=html)
	$(python) -m report $(if $(SCALE),--scale "$(SCALE)") $(if $(FORMAT),--format "$(FORMAT)") $(if $(JOBS),--jobs "$(JOBS)")

figures: $(ready) ## write the figures of the notebooks into figures/
	$(python) -m report.figures

experiments: $(ready) ## run the experiments that are missing or stale (SCALE=small, JOBS=2, SCHEDULER=tcp://...)
	$(python) -m experiments run --all $(if $(SCALE),--scale "$(SCALE)") $(if $(JOBS),--jobs "$(JOBS)") \
	    $(if $(SCHEDULER),--scheduler "$(SCHEDULER)")

test: $(ready) ## check the style and run all tests
	$(python) -m pytest

bench: $(ready) ## measure the speed (FIGURE=1 renews figures/speed.svg)
	$(python) -m bench $(if $(FIGURE),--figure)

bench-ewn: $(ready) ## measure the speed of the second game
	$(python) -m bench.ewn

bench-strength: $(ready) ## measure how well each way of learning plays
	$(python) -m bench.strength $(if $(SCALE),--scale "$(SCALE)")

# Pins that still satisfy pyproject.toml stay as they are; `make lock UPGRADE=1` renews them all.
lock: ## write requirements.lock anew from pyproject.toml (needs uv; UPGRADE=1 takes the newest versions)
	@command -v uv >/dev/null || { echo "make lock needs uv on the PATH" >&2; exit 1; }
	$(uv) pip compile --quiet --universal --python-version 3.11 --all-extras --generate-hashes --no-emit-index-url \
	    --no-emit-find-links --custom-compile-command "make lock" $(if $(UPGRADE),--upgrade) \
	    --output-file requirements.lock pyproject.toml

clean: ## delete caches, build products and quick reports; .venv and runs/ stay
	find . \( -name .git -o -name .venv -o -name runs \) -prune -o -type d \( -name __pycache__ -o -name .pytest_cache \
	    -o -name .ruff_cache -o -name .hypothesis -o -name .ipynb_checkpoints \) -prune -exec rm -rf {} +
	rm -rf build dist handout report-small.* report/report-small.* report/report.html

distclean: clean ## delete .venv and the results in runs/ as well
	rm -rf .venv runs

# .venv. The stamps are written last, so an interrupted set-up starts again. A .venv that was moved or copied with its
# checkout, or whose Python is gone, does not name this directory any more and is made anew. uv is told to trust the
# system's certificates, which some networks need; where it fails all the same, pip may still get through.
uv := UV_SYSTEM_CERTS=1 UV_NATIVE_TLS=1 uv
pip := .venv/bin/python -m pip --disable-pip-version-check
locked := --require-hashes -r requirements.lock
itself := --no-deps --no-build-isolation -e .
ifneq ($(shell test -x .venv/bin/python && cat .venv/.ready 2>/dev/null),$(CURDIR))
.PHONY: .venv/.locked
endif

.venv/.locked: requirements.lock
	@echo "Making .venv: a minute or two and 1.3 GB, this once."
	@rm -rf .venv; found=; \
	for name in python3 python3.13 python3.12 python3.11 python3.14 python3.15 python; do \
	    if $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then found=$$name; break; fi; \
	done; \
	if command -v uv >/dev/null 2>&1; then \
	    $(uv) venv --quiet --no-project --python "$${found:->=3.11}" .venv \
	        && $(uv) pip install --python .venv/bin/python $(locked) && touch $@ && exit; \
	    echo "uv failed; trying pip." >&2; rm -rf .venv; \
	fi; \
	if test -z "$$found"; then echo "No Python 3.11 or newer on the PATH." >&2; exit 1; fi; \
	$$found -m venv .venv && $(pip) install $(locked) && touch $@

.venv/.ready: .venv/.locked pyproject.toml
	@rm -f $@
	@if command -v uv >/dev/null 2>&1; then $(uv) pip install --python .venv/bin/python $(itself); \
	else $(pip) install $(itself); fi
	@pwd -P > $@
