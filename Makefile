# Everything here works on a machine with Python 3.11+, a C compiler and the package
# registry. It makes .venv, and reinstalls parlour there when compiled sources change.

PYTHON ?= python3
BIN := .venv/bin
# A change in one of these compiles again; mirror.py copies all other sources into .venv.
SOURCES := pyproject.toml constraints.txt tools/hatch_build.py tools/hatch_readme.py tools/c_docstrings.py tools/c_units.py \
  $(shell $(PYTHON) tools/mirror.py --sources 2> /dev/null)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Python caches what it has compiled, also where the environment says otherwise.
unexport PYTHONDONTWRITEBYTECODE
# pip takes these versions, also for the environment that a wheel is built in.
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_BUILD_CONSTRAINT := $(PIP_CONSTRAINT)

.PHONY: help play serve test test-all system-packages check pins bench docs docs-serve fuzz soak golden clean

help:
	@echo "make play    choose a game and play it in the terminal (GAME=octa starts that one); compiled from the second time on"
	@echo "make serve   open a server on http://127.0.0.1:8000"
	@echo "make test    static checks and the suite: some minutes, needs nothing but Python and a C compiler"
	@echo "make test-all  the suite and every other stage: browser, PostgreSQL, other languages, clusters, faults, packaging, both builds"
	@echo "make system-packages  install the Debian packages that test-all needs; as root"
	@echo "make check   format, lint, types and package layering"
	@echo "make pins    renew constraints.txt and the hashes in deploy/: the newest versions of everything"
	@echo "make bench   speed, as a table of figures per CPU second"
	@echo "make docs    the documentation site in build/site, with pictures of the program; warnings are errors"
	@echo "make docs-serve  show that site at http://127.0.0.1:8010"
	@echo "make fuzz    nonsense at every door for a minute, with fixed seeds"
	@echo "make soak    what takes long: kills of a server on either store, ten minutes of many games, the browser"
	@echo "make golden  write the golden files anew, to be reviewed as a diff"
	@echo "make clean   remove .venv, build and caches"

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "parlour needs Python 3.11 or newer; try make PYTHON=python3.12"; exit 1; }
	@echo "Making .venv ..."
	@$(PYTHON) -m venv --without-pip .venv
	@$(BIN)/python tools/quick_start.py --pip

.venv/developing: .venv/bin/python $(SOURCES)
	@echo "Installing parlour and its tools into .venv (compiling takes up to a minute) ..."
	@$(PIP) '.[dev]'
	@$(BIN)/parlour --version
	@touch $@

.venv/serving: .venv/bin/python $(SOURCES)
	@$(BIN)/python tools/quick_start.py --serving || { \
	  echo "Installing parlour and its server into .venv (compiling takes up to a minute) ..."; \
	  $(PIP) '.[server]'; }
	@$(BIN)/parlour --version
	@touch $@

developing: .venv/developing
serving: .venv/serving
# What is installed in .venv is this tree.
.PHONY: developing serving
developing serving:
	@$(BIN)/python tools/mirror.py
	@$(BIN)/python tools/quick_start.py --note

serve: serving
	@$(BIN)/parlour serve

play: .venv/bin/python
	@$(BIN)/python tools/quick_start.py play $(GAME) || test $$? -eq 130

test: developing
	@$(BIN)/python tests/stages.py static suite

test-all: developing .venv/node
	@$(BIN)/python tests/stages.py

check: developing
	@$(BIN)/python tests/stages.py static

system-packages:
	apt-get update -qq
	apt-get install --yes -qq --no-install-recommends gcc libc6-dev $$($(PYTHON) tests/stages.py --packages)

LOCK := build/pins/bin/uv pip compile --generate-hashes --python-version 3.12 --python-platform linux \
  --constraint constraints.txt --no-emit-index-url --no-header --no-annotate

pins:
	rm -rf build/pins && $(PYTHON) -m venv build/pins
	env -u PIP_CONSTRAINT -u PIP_BUILD_CONSTRAINT PARLOUR_COMPILE=0 build/pins/bin/python -m pip install --quiet '.[dev]'
	head -n 1 constraints.txt > build/pins/new
	build/pins/bin/python -m pip freeze --all --exclude parlour --exclude pip >> build/pins/new
	mv build/pins/new constraints.txt
	env -u PIP_CONSTRAINT build/pins/bin/python -m pip install --quiet uv
	$(PYTHON) -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['build-system']['requires'], sep='\n')" > build/pins/build.in
	{ head -n 1 deploy/build_requirements.txt; $(LOCK) build/pins/build.in; } > build/pins/new && mv build/pins/new deploy/build_requirements.txt
	{ head -n 1 deploy/requirements.txt; $(LOCK) pyproject.toml --extra postgres --extra images; } > build/pins/new && mv build/pins/new deploy/requirements.txt

.venv/node: tests/web/package.json .venv/bin/python
	@command -v npm > /dev/null || { echo "npm is missing: apt-get install npm (or make system-packages)"; exit 1; }
	@mkdir -p $@ && cp tests/web/package.json $@ && npm install --silent --no-audit --no-fund --prefix $@ && touch $@

bench: developing
	$(BIN)/python bench/run.py

docs: developing .venv/node
	$(BIN)/python tools/site/build.py

docs-serve: build/site/index.html
	$(PYTHON) -m http.server --bind 127.0.0.1 --directory build/site 8010

build/site/index.html:
	@$(MAKE) docs

fuzz: developing
	$(BIN)/python tests/fuzz/fuzzer.py --seconds 60 --seed 1

soak: developing .venv/node
	$(BIN)/python tests/server/kills.py --rounds 200 --seed 1 --result bench/results/kills_sqlite.txt
	$(BIN)/python tests/server/soak_server.py --minutes 10 --result bench/results/soak.txt
	$(BIN)/python tests/server/kills.py --rounds 200 --seed 1 --store postgresql --result bench/results/kills_postgresql.txt
	$(BIN)/pytest tests/web/soak.py --numprocesses auto

golden: developing
	$(BIN)/python tests/golden/regenerate.py
	$(BIN)/python tests/terminal/screens.py
	$(BIN)/python tests/games/observation_pictures.py
	$(BIN)/python tools/conformance_page.py

clean:
	rm -rf .venv build .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
