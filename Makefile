# treewright: one command for every routine task. `make help` lists them.
#
# You need Python 3.10 or later and a C compiler; everything else is installed into .venv, once. Stamp files in .venv
# record finished steps; changing a source file repeats the steps that depend on it.

PYTHON ?= python3
VENV   ?= .venv
JOBS   ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
# How many tests run at a time. Some wait for a process to start or to die: a few more keep all cores busy, and each
# needs up to 1 GB. More of them pays only in the long run, because each first imports all tests.
tests = $(or $(TESTS),$(shell expr $(JOBS) + $(1)))
# Tests start many processes that import much. Compiling what they import takes a tenth of the time of all tests, where
# the environment forbids Python to keep bytecode (as images for containers do): it is kept in .venv.
KEEPING_BYTECODE := PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$(abspath $(VENV))/bytecode

BIN     := $(VENV)/bin
PIP     := $(BIN)/python -m pip --disable-pip-version-check --quiet
INSTALL := $(PIP) install --no-compile
# Where Python has pip 22.3 or later, it installs all tools into .venv in one step, pip too: this saves some seconds.
HAS_NEW_PIP := $(PYTHON) -c 'import pip, sys; \
  sys.exit([*map(int, pip.__version__.split(".")[:2])] < [22, 3])' 2>/dev/null
OUTER_PIP := $(PYTHON) -m pip --disable-pip-version-check --quiet
SOURCES := pyproject.toml setup.py README.md $(wildcard treewright-english/*.*) $(shell find src treewright-english/treewright_english -type f \
             \( -name '*.py' -o -name '*.py[ixd]' -o -name '*.pxd' -o -name '*.h' -o -name '*.inc' -o -name '*.features' -o -name '*.toml' -o -name '*.css' -o -name '*.tw' -o -path '*/page/*' \))
TOY     := examples/toy
DEMO    := $(VENV)/demo
# A list of requirements in pyproject.toml, which stands on one line there.
requirements = sed -n 's/^$(1) = \[\(.*\)\]$$/\1/p' pyproject.toml | tr -d ' "' | tr ',' '\n'

# Python keeps the bytecode of what it imports, whatever the environment says: commands start three times as fast.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo build model torch test pytest quick sanitize faults corpus-faults mutants lint format bench experiments bench-peers docs docs-serve fuzz stubs sdist clean distclean

help: ## show this list
	@grep -hE '^[a-z][a-z-]*:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | \
	  while IFS="$$(printf '\t')" read -r name text; do printf '  make %-12s %s\n' "$$name" "$$text"; done

# --- set-up ------------------------------------------------------------------------------------

$(VENV)/.created:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "make: $(PYTHON) not found. Install Python 3.10 or later, or name it: make PYTHON=python3.12" >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { \
	  echo "make: $(PYTHON) is `$(PYTHON) -V 2>&1`, but 3.10 or later is needed. Name another: make PYTHON=python3.12" >&2; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "make: $(PYTHON) cannot make virtual environments. On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 2; }
	@$(PYTHON) -c 'import os, shutil, sys, sysconfig; \
	  names = [(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0], "cc", "gcc", "clang"]; \
	  sys.exit(not any(map(shutil.which, names)))' || { \
	  echo "make: no C compiler found. Install one: apt-get install gcc python3-dev, or xcode-select --install" >&2; exit 2; }
	@$(PYTHON) -c 'import os, sys, sysconfig; \
	  sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' || { \
	  echo "make: the C headers of $(PYTHON) are missing. On Debian and Ubuntu: apt-get install python3-dev" >&2; exit 2; }
	@echo "make: creating $(VENV) with `$(PYTHON) -V`"
	@if $(HAS_NEW_PIP); then $(PYTHON) -m venv --without-pip $(VENV); \
	  else $(PYTHON) -m venv $(VENV); fi
	@touch $@

# Build without isolation, in .venv: this saves installing the build requirements for every build.
$(VENV)/.tools: $(VENV)/.created pyproject.toml
	@echo "make: installing the build requirements"
	@$(call requirements,requires) > $(VENV)/build-requirements.txt
	@if [ -x $(BIN)/pip ]; then $(INSTALL) -r $(VENV)/build-requirements.txt; \
	  else $(OUTER_PIP) --python $(BIN)/python install --no-compile pip -r $(VENV)/build-requirements.txt; fi
	@touch $@

# The wheel is made as pip makes it, but not compressed: that would take longer than the rest of installing it.
WHEEL := from setuptools.build_meta import build_wheel; \
  build_wheel("build/wheel", {"--build-option": ["--compression=stored"]})

# build/lib keeps files that have since been removed from src/, compiled modules too; they must not return in the wheel.
# What the package needs to run is fetched while the compiler works.
$(VENV)/.installed: $(VENV)/.tools $(SOURCES)
	@echo "make: compiling and installing treewright (minutes the first time, seconds later)"
	@rm -rf build/wheel && mkdir -p build/wheel
	@find build -path 'build/lib*' -type f ! -name '*.so' -delete
	@find build -path 'build/lib*' -name '*.so' | sed 's#^build/[^/]*/\([^.]*\)\..*#\1 &#' | while read -r module file; do \
	  [ -f "src/$$module.pyx" ] || [ "$$module" = treewright/_cython_shared ] || rm "$$file"; done
	@$(call requirements,dependencies) > $(VENV)/requirements.txt
	@$(INSTALL) -r $(VENV)/requirements.txt & fetching=$$!; \
	  JOBS=$(JOBS) $(BIN)/python -c '$(WHEEL)' >/dev/null 2>build/wheel/errors.txt || { cat build/wheel/errors.txt >&2; \
	  echo "make: treewright could not be compiled, for the reason above" >&2; exit 2; }; wait $$fetching
	@(cd treewright-english && rm -rf build && $(abspath $(BIN))/python -c '$(WHEEL)') >/dev/null 2>build/wheel/errors.txt || { \
	  cat build/wheel/errors.txt >&2; echo "make: the English models could not be packed, for the reason above" >&2; exit 2; }
	@$(INSTALL) --no-deps --force-reinstall build/wheel/*.whl treewright-english/build/wheel/*.whl
	@touch $@

build: $(VENV)/.installed ## set up .venv and compile what has changed

# The package is already installed, so this installs only what the extra adds.
$(VENV)/.extra-%: pyproject.toml | $(VENV)/.installed
	@echo "make: installing the extra '$*'"
	@$(INSTALL) 'treewright[$*]'
	@touch $@

# --- first steps -----------------------------------------------------------------------

SENTENCE := The old shepherd who sang gave her a red lantern.

demo: $(VENV)/.installed ## parse a sentence with the bundled English model and draw the tree
	@mkdir -p $(DEMO)
	@$(BIN)/treewright parse "$(SENTENCE)" -o $(DEMO)/tree.conllu
	@$(BIN)/treewright show $(DEMO)/tree.conllu
	@echo "Your own:    $(BIN)/treewright parse \"Your own sentence.\""
	@echo "A new model: $(BIN)/treewright train $(TOY)/train.conllu --dev $(TOY)/dev.conllu -o $(DEMO)/toy.tw"

test: lint stubs pytest ## run the linters, compare the stubs and run all tests

pytest: $(VENV)/.extra-test ## run all tests
	$(KEEPING_BYTECODE) $(BIN)/python -m pytest -rs -n $(call tests,2) --dist worksteal

quick: $(VENV)/.extra-test ## run the tests that take less than a minute in all
	$(KEEPING_BYTECODE) $(BIN)/python -m pytest -n $(call tests,1) --dist worksteal -m "not slow"

# The package built with AddressSanitizer and UBSan, in build/sanitize; tools/sanitized runs a command with it.
SANITIZERS ?= address,undefined,float-cast-overflow
SANITIZED_INPUTS ?= 2000

$(VENV)/.sanitized: $(VENV)/.tools $(VENV)/.extra-test $(SOURCES)
	@echo "make: compiling treewright with sanitizers into build/sanitize"
	@TREEWRIGHT_SANITIZE=$(SANITIZERS) $(BIN)/python setup.py -q build --build-base build/sanitize \
	  --build-lib build/sanitize/lib -j $(JOBS)
	@touch $@

sanitize: $(VENV)/.sanitized ## run the quick tests and the fuzzers with AddressSanitizer and UBSan
	tools/sanitized $(BIN)/python -m pytest -m "not slow" -p no:cacheprovider -k "not spacy"
	tools/sanitized $(BIN)/python benchmarks/fuzz.py model --engine loop --inputs $(SANITIZED_INPUTS) --seconds 60
	tools/sanitized $(BIN)/python benchmarks/fuzz.py inputs --engine loop --inputs $(SANITIZED_INPUTS) --seconds 60

faults: $(VENV)/.extra-test ## kill commands, and take disk and memory away from them
	$(BIN)/python benchmarks/faults.py

corpus-faults: $(VENV)/.extra-test $(VENV)/.extra-bench ## kill workers, drivers and schedulers of `treewright corpus run`
	$(BIN)/python benchmarks/corpus_faults.py --engines local dask

# PyTorch's CPU build has no CUDA packages behind it. Without PyTorch, the tests of neural training are skipped.
TORCH       ?= torch==2.13.0$(if $(filter Linux,$(shell uname -s)),+cpu)
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu

torch: $(VENV)/.tools ## install PyTorch (CPU) and transformers into .venv, for the tests of neural training
	@$(BIN)/python -c 'import torch' 2>/dev/null || $(INSTALL) '$(TORCH)' 2>/dev/null || \
	  $(INSTALL) --extra-index-url $(TORCH_INDEX) '$(TORCH)'
	@$(BIN)/python -c 'import transformers' 2>/dev/null || $(INSTALL) 'transformers>=4.40' || true

lint: $(VENV)/.extra-lint ## run ruff, cython-lint, mypy and zizmor (of the workflows)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PATH="$(BIN):$$PATH" $(BIN)/cython-lint --max-line-length=120 src
	PYTHONPATH=src $(BIN)/python -m mypy
	$(BIN)/zizmor --offline --quiet .github/workflows

# --- for developers --------------------------------------------------------------------

format: $(VENV)/.extra-lint ## format the code, sort imports, and fix what ruff can fix
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Only compiled modules have stubs of their own. tools/stubtest.allow lists what cannot be compared, with the reasons.
STUBBED := $(sort $(subst /,.,$(patsubst src/%.pyx,%,$(shell find src -name '*.pyx'))))

stubs: $(VENV)/.extra-lint ## compare the stubs (.pyi) with the compiled modules
	@PYTHONPATH= $(BIN)/python -m mypy.stubtest --concise --ignore-missing-stub --ignore-positional-only --ignore-disjoint-bases \
	  --mypy-config-file pyproject.toml --allowlist tools/stubtest.allow $(STUBBED)

MUTATED ?= src/treewright/evaluation/*.py src/treewright/analysis/*.py src/treewright/training/*.py \
           src/treewright/steps/*.py

mutants: $(VENV)/.extra-test $(VENV)/.extra-mutants ## change the code and list changes that no test finds (PATHS="src/….py …")
	$(BIN)/python tools/mutants.py $(foreach path,$(or $(PATHS),$(MUTATED)),'$(path)')

# The files of UD English EWT are not part of the source code: name their folder.
model: $(VENV)/.installed ## train the bundled English models and score them (EWT=folder of en_ewt-ud-*.conllu, RAW=text for clusters, SILVER=trees)
	@[ -n "$(EWT)" ] || { echo "make: name the folder of UD English EWT: make model EWT=folder" >&2; exit 2; }
	@for name in $(or $(MODELS),english-fast english); do \
	  $(BIN)/python tools/make_english_model.py $(EWT) $$name $(if $(RAW),--raw $(RAW)) $(if $(SILVER),--silver $(SILVER)) && \
	  $(BIN)/python tools/score_english_model.py $(EWT) treewright-english/treewright_english/$$name.tw || exit $$?; done

# A treebank is a folder with one train, one dev and one test file. The defaults run anywhere but
# measure nothing of interest: name real treebanks.
TREEBANKS ?= examples
NAMES     ?= toy
part = $(firstword $(wildcard $(TREEBANKS)/$(1)/*$(2)*.conllu))

bench: $(VENV)/.extra-bench $(VENV)/.extra-test ## run the benchmarks (TREEBANKS=folder NAMES="en_ewt el_gdt")
	$(BIN)/python benchmarks/accuracy.py $(TREEBANKS) $(NAMES)
	$(BIN)/python benchmarks/pseudo_projective.py $(foreach name,$(NAMES),$(call part,$(name),train))
	@for name in $(NAMES); do \
	  set -- $(TREEBANKS)/$$name/*test*.conllu; echo "== scoring $$1"; $(BIN)/python benchmarks/scoring.py "$$1" || exit $$?; done
	@if [ -f benchmarks/speed.py ]; then $(foreach name,$(NAMES),echo "== speed on $(name)" && $(BIN)/python benchmarks/speed.py \
	  $(call part,$(name),train) $(call part,$(name),dev) $(call part,$(name),test) &&) true; fi

# Peers get their own environment, to avoid conflicting requirements. Results go to build/peers/.
PEERS ?= .venv-peers

$(PEERS)/.installed:
	@echo "make: installing UDPipe, spaCy and NLTK into $(PEERS)"
	@$(PYTHON) -m venv $(PEERS)
	@$(PEERS)/bin/python -m pip --disable-pip-version-check --quiet install ufal.udpipe spacy nltk scikit-learn
	@touch $@

bench-peers: $(VENV)/.installed $(PEERS)/.installed ## train and run UDPipe, spaCy, NLTK beside treewright (TREEBANKS= NAMES=)
	@mkdir -p build/peers
	@for name in $(NAMES); do echo "== $$name"; $(BIN)/python benchmarks/peers.py $(TREEBANKS)/$$name \
	  --peers-python $(PEERS)/bin/python --json build/peers/$$name.json --svg build/peers/$$name.svg $(PEERS_OPTIONS) || exit $$?; done

experiments: $(VENV)/.extra-test ## reproduce the papers' tables in build/experiments/ (TREEBANKS=folder, QUICK=1)
	@mkdir -p build/experiments
	@for file in experiments/*.toml; do name=$$(basename $$file .toml)$(if $(QUICK),-quick); echo "== $$name"; \
	  $(BIN)/treewright experiment $$file --treebanks $(TREEBANKS) -o build/experiments/$$name \
	  $(if $(QUICK),--quick) || exit $$?; done

results: $(VENV)/.installed ## write the stored results (experiments/results) into the pages of docs/
	$(BIN)/python tools/results.py fill

results-check: $(VENV)/.extra-test ## check that every figure of docs/ is stored, and that every documented command runs
	$(BIN)/python tools/results.py check
	$(BIN)/python -m pytest -q tests/test_docs.py tests/test_docs_commands.py tests/test_benchmarks.py

docs: $(VENV)/.extra-docs ## build the documentation into site/
	$(BIN)/mkdocs build --strict

docs-serve: $(VENV)/.extra-docs ## preview the documentation while you write it
	$(BIN)/mkdocs serve

FUZZERS := benchmarks/fuzz.py

fuzz: $(VENV)/.extra-test ## feed bad input to readers, feature language and model loader
	@[ -n "$(FUZZERS)" ] || { echo "make: no fuzzer found in tests/ or benchmarks/" >&2; exit 2; }
	@for script in $(FUZZERS); do echo "== $$script"; $(BIN)/python "$$script" || exit $$?; done

sdist: $(VENV)/.tools ## build the source distribution into dist/
	@$(INSTALL) build
	$(BIN)/python -m build --sdist

clean: ## remove what was built, keep .venv
	rm -rf build treewright-english/build treewright-english/*.egg-info dist site *.egg-info src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis $(DEMO)
	rm -f $(VENV)/.installed
	find src \( -name '*.so' -o -name '*.pyd' \) -type f -delete
	find src tests examples benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## remove .venv too
	rm -rf $(VENV) $(PEERS)
