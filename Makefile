# errorest: `make book` and `make test` are all that a reader needs.
# Everything is made in .venv and _build; nothing else on the machine is touched.

# An interpreter named by the user is taken or refused; without one, .ci/setup looks for a supported one.
PY ?= python3
NAMED_PY := $(if $(filter file,$(origin PY)),,$(PY))

# Tests run on two workers; JOBS is passed to the build, whose results do not depend on it.
WORKERS ?= 2
JOBS ?=
# A folder with what pages load when asked to, which `make release` takes instead of fetching it; .ci/page_parts.py fills one.
PARTS ?=
# An archive of study results, which `make book` takes instead of computing them.
STORE ?=
BUILD := .venv/bin/compendium build $(if $(JOBS),--jobs $(JOBS))

# Read after the set-up: compiled code is kept apart for each state of the numerical modules, because
# numba does not notice the edit of a function that a compiled one calls in another module.
NUMBA_FOLDER = $(shell .venv/bin/python -c 'from pathlib import Path; from errorest import determinism; print(determinism.numba_cache_dir(Path.cwd()))')

LINT = { .venv/bin/ruff check . && .venv/bin/ruff format --check . && .venv/bin/mypy; }
TESTS = env NUMBA_CACHE_DIR="$(NUMBA_FOLDER)" OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 NUMBA_NUM_THREADS=1 \
	.venv/bin/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

quoted = '$(subst ','\'',$(1))'

.DEFAULT_GOAL := help
.PHONY: help setup book preview release test lint kernels lock lab clean

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile
	@echo "  options: PY=/path/to/python3.12, JOBS=2 (book, preview), STORE=errorest-studies.tar.gz (book), WORKERS=2 (test)"

setup: ## install what is pinned into .venv; the others do it first
	@.ci/setup "$(firstword $(MAKECMDGOALS))" $(if $(NAMED_PY),"$(NAMED_PY)")

book: setup ## run every notebook at published scale, compare, build the book
	@$(BUILD) --scale published $(if $(STORE),--store "$(STORE)")

preview: setup ## the same at a reduced scale, in a few minutes, without verdicts
	@$(BUILD) --scale preview

release: book ## pack what is shipped, the same bytes when made twice
	@$(BUILD) --scale published --self-contained $(if $(PARTS),--parts "$(PARTS)")
	@.venv/bin/compendium release

lint: setup ## check style, format and types
	@$(LINT)

# exec: a shell between would keep a signal to itself
test: setup ## lint and all tests, side by side: what is wrong with either fails both
	@exec .venv/bin/python .ci/side_by_side.py "the check of style and types" $(call quoted,$(LINT)) "the tests" $(call quoted,$(TESTS))

kernels: setup ## compile the kernels that pages call to WebAssembly (needs wasm-ld, of Debian's lld)
	@.venv/bin/python .ci/kernels.py book/_static/page

lab: setup ## JupyterLab on the notebooks, from an environment of its own beside .venv, whose kernel it uses
	@.ci/lab

lock: ## resolve the dependencies of pyproject.toml anew (needs uv)
	@command -v uv >/dev/null || { echo "error: uv is missing; expected on PATH; run 'pip install uv' and again 'make lock'" >&2; exit 2; }
	@uv pip compile pyproject.toml --extra plot --extra dask --extra book --extra dev --universal --python-version 3.11 --generate-hashes --no-header --quiet --output-file requirements.lock
	@.ci/environment.py > environment.yml

clean: ## remove what was built, and keep finished studies and .venv
	@if [ -x .venv/bin/compendium ]; then .venv/bin/compendium clean; else echo "nothing to clean: .venv is not set up"; fi
