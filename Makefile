# Every target but help, lock and the cleaning ones runs one `python -m ...` (README lists them). It runs in the active
# conda or virtual environment if lib2048 is installed there, otherwise in .venv, which set_up.py makes and keeps up to
# date. All paths are relative, so the checkout may lie anywhere and its path may hold spaces. Recipes say `exec`, so
# that whatever ends make ends the program too.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup lab notebooks handout report site figures experiments test test-long coverage api bench bench-ewn \
    bench-search bench-strength lock clean distclean

# The Python of an active environment that has lib2048: asked from /, where only an installed one is found.
ifneq ($(filter-out help lock clean distclean,$(MAKECMDGOALS)),)
active := $(shell for prefix in "$$CONDA_PREFIX" "$$VIRTUAL_ENV"; do \
    if test -x "$$prefix/bin/python" && test -n "$$prefix" && ! test "$$prefix" -ef .venv \
        && (cd / && "$$prefix/bin/python" -c "import lib2048") >/dev/null 2>&1; \
    then echo "$$prefix/bin/python"; break; fi; done)
endif
python := $(if $(active),"$(active)",.venv/bin/python)
ready := $(if $(active),,environment)

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' Makefile

# An active environment is the reader's own, so nothing is installed there; but its kernels are compiled.
setup: $(ready) ## make .venv, or bring it up to date, kernels included; the other targets do this by themselves
	$(if $(active),exec $(python) -m lib2048.compile)
	$(if $(active),exec $(python) -m libewn.compile)
	@echo Using $(python)

lab: $(ready) ## open the notebooks in JupyterLab (LAB="--allow-root", say, is handed on)
	exec $(python) -m notebook_tools.lab $(LAB)

notebooks: $(ready) ## run the notebooks and keep their outputs (SCALE=small runs copies, JOBS=2)
	exec $(python) -m notebook_tools.execute $(if $(SCALE),--scale "$(SCALE)") $(if $(JOBS),--jobs "$(JOBS)")

handout: $(ready) ## write the notebooks without solutions into handout/, for classes
	exec $(python) -m notebook_tools.handout

report: $(ready) ## bring all up to date and write report/report.pdf (EDITION=long: the book; FORMAT=html; SCALE=small: quick)
	exec $(python) -m report $(if $(EDITION),--edition "$(EDITION)") $(if $(FORMAT),--format "$(FORMAT)") \
	    $(if $(SCALE),--scale "$(SCALE)") $(if $(JOBS),--jobs "$(JOBS)")

site: $(ready) ## write the notebooks as pages for any browser, with all that moves, into build/site/
	exec $(python) -m pages $(if $(SCALE),--scale "$(SCALE)") $(if $(JOBS),--jobs "$(JOBS)")

figures: $(ready) ## write the figures of the notebooks into figures/
	exec $(python) -m report.figures

experiments: $(ready) ## run the experiments that are missing or stale (SCALE=small, JOBS=2, SCHEDULER=tcp://...)
	exec $(python) -m experiments run --all $(if $(SCALE),--scale "$(SCALE)") $(if $(JOBS),--jobs "$(JOBS)") \
	    $(if $(SCHEDULER),--scheduler "$(SCHEDULER)")

# A file of tests stays in one process, so what its tests share is made once.
test: $(ready) ## check style and types, and run all tests but the long ones (in two processes, or JOBS=4)
	exec $(python) -m pytest -n $(or $(JOBS),2) --dist loadfile

test-long: $(ready) ## run the tests that take minutes each: kills, fuzzing, matches under load
	exec $(python) -m pytest -m long

coverage: $(ready) ## run the tests and print which lines of the two libraries they reach
	exec $(python) -m pytest --cov --cov-report=term-missing

api: $(ready) ## write pages made from the docstrings of all that is public into build/api/
	exec $(python) -m pdoc --output-directory build/api --docformat numpy lib2048 lib2048.learning lib2048.course \
	    lib2048.formats lib2048.relay lib2048.tree_search lib2048.viewer libewn libewn.viewer workbook.check

bench: $(ready) ## measure the speed (FIGURE=1 renews figures/speed.svg)
	exec $(python) -m bench $(if $(FIGURE),--figure)

bench-ewn: $(ready) ## measure the speed of the second game
	exec $(python) -m bench.ewn

bench-search: $(ready) ## measure how fast looking ahead is, from one ply to six
	exec $(python) -m bench.search

bench-strength: $(ready) ## measure how well each way of learning plays
	exec $(python) -m bench.strength $(if $(SCALE),--scale "$(SCALE)")

# Pins that still satisfy pyproject.toml stay as they are; `make lock UPGRADE=1` renews them all.
lock: ## write requirements.lock anew from pyproject.toml (needs uv; UPGRADE=1 takes the newest versions)
	@command -v uv >/dev/null || { echo "make lock needs uv on the PATH" >&2; exit 1; }
	UV_SYSTEM_CERTS=1 UV_NATIVE_TLS=1 uv pip compile --quiet --universal --python-version 3.11 --all-extras \
	    --generate-hashes --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" \
	    $(if $(UPGRADE),--upgrade) --output-file requirements.lock pyproject.toml

clean: ## delete caches, build products and quick reports; .venv and runs/ stay
	find . \( -name .git -o -name .venv -o -name runs \) -prune -o -type d \( -name __pycache__ -o -name .pytest_cache \
	    -o -name .ruff_cache -o -name .mypy_cache -o -name .hypothesis -o -name .ipynb_checkpoints \) -prune \
	    -exec rm -rf {} +
	rm -rf build dist handout report-small.* report/report-small.* report/report-long-small.* report/*.html

distclean: clean ## delete .venv and the results in runs/ as well
	rm -rf .venv .venv.old .venv.lock runs

# The environment. set_up.py looks whether there is anything to do, which takes a few hundredths of a second.
.PHONY: environment
environment:
	@for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	    if $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; \
	    then exec $$name set_up.py --quiet; fi; \
	done; \
	if command -v uv >/dev/null 2>&1; then exec uv run --quiet --no-project --python ">=3.11" set_up.py --quiet; fi; \
	echo "No Python 3.11 or newer on the PATH." >&2; exit 1
