# All tasks of developers and build machines. `make help` explains each target.
SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help demo test picture build check format install uninstall clean release deb dist test-release bench \
  bench-peers screens sim torture torture-disturb torture-power torture-disk torture-scarce torture-cluster \
  torture-short fuzz mixtures bad-stores sanitize gpu oar deps lean

# The commit that a release reports; "+" if the tree differs from it.
COMMIT = $(shell git describe --always --dirty=+ --exclude '*' --abbrev=12 2>/dev/null)
# The number of compilers that run at the same time.
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# Where `make install` puts the files; DESTDIR is put before it when packaging.
PREFIX ?= /usr/local
DESTDIR ?=
# Where packages go.
PACKAGES ?= .build/packages
SWIFT ?= swift
# The same for all that is built into .build/debug. Without debug information it takes an eighth less.
DEVELOPMENT = $(if $(DEBUG),,-debug-info-format none) --jobs $(JOBS)
BUILD = $(SWIFT) build $(DEVELOPMENT)

SOURCES := Package.swift Sources Tests jobs
RELEASE := .build/release
TESTS := .build/debug/jobrunPackageTests.xctest
# The executable of the sample jobs is export; it has these names, too.
SAMPLES := mirror vacuum refresh gpu-check download upload
DEFINITIONS := export checksum $(SAMPLES)
# Pages of the manual, one for each topic.
MANUAL := $(sort $(wildcard Sources/jobrun/Manual/*.md))
TOPICS := $(basename $(notdir $(MANUAL)))
# As old as the last release: files that it was not built from are newer.
RELEASED := .build/released
BIN := $(DESTDIR)$(PREFIX)/bin
LIBEXEC := $(DESTDIR)$(PREFIX)/libexec/jobrun
SHARE := $(DESTDIR)$(PREFIX)/share/jobrun
DOC := $(DESTDIR)$(PREFIX)/share/doc/jobrun
MAN := $(DESTDIR)$(PREFIX)/share/man/man1
# Where bash, zsh and fish look for completions without being told.
BASH_COMPLETIONS := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH_COMPLETIONS := $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISH_COMPLETIONS := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
# SECONDS as given to make, because the shell has a variable of the same name.
GIVEN_SECONDS = $(if $(filter command line,$(origin SECONDS)),$(SECONDS))
# A mount namespace of its own, for disks that fill up, fail or lose power.
OWN_MOUNTS := unshare -m --propagation private

help: ## show this list
	@awk -F ':.*## ' '/^##@/ { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

##@ Every day (DEPS=0 installs nothing on this machine)

demo: ## build its programs, export a folder of 5,700 files and watch it (DEMO_SOURCE=FOLDER for yours)
	@.ci/dependencies demo
	@SWIFT=$(SWIFT) .ci/products .build/demo.log jobrun jobrund jobrun-shim export -- $(DEVELOPMENT)
	@Tests/Demo/demo.sh .build/debug/jobrun '$(DEMO_SOURCE)'

test: build ## run all tests (FILTER='QueueTests|StopTests' for some)
	@.ci/test $(TESTS) $(if $(FILTER),--filter '$(FILTER)')

build: deps ## build everything for development (.build/debug; DEBUG=1 with debug information)
	$(BUILD) --build-tests

check: deps ## run the checks that come before the tests: format, warnings, imports, tidiness
	$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)
	$(BUILD) --build-tests --explicit-target-dependency-import-check error
	@$(MAKE) --no-print-directory -Otarget -j $(JOBS) embedded-jobrun lean $(addprefix embedded-jobrun-,engine shim)
	@.ci/test $(TESTS) --filter TidyTests

# One compiler each.
lean:
	.ci/lean $(SWIFT)

embedded-%:
	.ci/embedded $(SWIFT) check $*

format: ## rewrite all sources in the project's format
	$(SWIFT) format --in-place --recursive --parallel $(SOURCES)

install: $(RELEASE)/jobrun ## install the release below PREFIX (/usr/local)
	install -d $(BIN) $(LIBEXEC)/jobs $(addprefix $(SHARE)/jobs/,$(DEFINITIONS)) $(DOC)
	.ci/install-executable $(RELEASE)/jobrun $(BIN)
	.ci/install-executable $(RELEASE)/jobrun-shim $(LIBEXEC)
	install -s -m 755 $(RELEASE)/jobrund $(RELEASE)/jobrun-engine $(RELEASE)/jobrun-helper $(LIBEXEC)
	install -s -m 755 $(RELEASE)/export $(LIBEXEC)/jobs
	for name in $(SAMPLES); do ln -f $(LIBEXEC)/jobs/export $(LIBEXEC)/jobs/$$name; done
	install -m 644 jobs/bundle.json $(SHARE)/jobs
	for name in $(DEFINITIONS); do install -m 644 jobs/$$name/job.json $(SHARE)/jobs/$$name; done
	install -m 755 jobs/checksum/checksum $(SHARE)/jobs/checksum
	install -m 644 Sources/JobPage/page.md README.md $(DOC)
	install -d $(SHARE)/manual
	install -m 644 $(MANUAL) $(SHARE)/manual
	install -d $(MAN) $(BASH_COMPLETIONS) $(ZSH_COMPLETIONS) $(FISH_COMPLETIONS)
	$(RELEASE)/jobrun help --man > $(MAN)/jobrun.1
	for topic in $(TOPICS); do \
	  $(BIN)/jobrun help $$topic --man > $(MAN)/jobrun-$$topic.1 || exit; \
	done
	$(RELEASE)/jobrun completions bash > $(BASH_COMPLETIONS)/jobrun
	$(RELEASE)/jobrun completions zsh > $(ZSH_COMPLETIONS)/_jobrun
	$(RELEASE)/jobrun completions fish > $(FISH_COMPLETIONS)/jobrun.fish
	@test -z "$$(find Package.swift Sources jobs -newer $(RELEASED) 2>/dev/null | head -n 1)" || \
	  echo "Sources have changed since that was built: make release, then make install again." >&2

uninstall: ## remove the files of `make install` below PREFIX
	rm -f $(BIN)/jobrun $(MAN)/jobrun.1 $(MAN)/jobrun-*.1 $(BASH_COMPLETIONS)/jobrun $(ZSH_COMPLETIONS)/_jobrun \
	  $(FISH_COMPLETIONS)/jobrun.fish
	rm -rf $(LIBEXEC) $(SHARE) $(DOC)

clean: ## remove everything that was built, the demo's files too
	rm -rf .build .build-*

##@ Releases

release: ## build the installed programs (.build/release; EMBEDDED=0, ICU=1: larger; MUSL=1: smaller)
	@.ci/dependencies build
	$(eval export JOBRUN_COMMIT := $(COMMIT))
	@.ci/release $(SWIFT) $(RELEASE) $(JOBS) $(PROGRAMS)
	@for name in $(SAMPLES); do ln -f $(RELEASE)/export $(RELEASE)/$$name; done
	@touch $(RELEASED)

$(RELEASE)/jobrun:
	@$(MAKE) --no-print-directory release

deb: $(RELEASE)/jobrun ## make a Debian package of the release (PACKAGES=.build/packages)
	@.ci/package deb '$(abspath $(RELEASE))' '$(abspath $(PACKAGES))'

dist: $(RELEASE)/jobrun ## make an archive of the release, for any Linux with glibc 2.36
	@.ci/package dist '$(abspath $(RELEASE))' '$(abspath $(PACKAGES))'

test-release: release build ## run the tests of whole programs on the output of `make release`
	@JOBRUN_PRODUCTS=$(CURDIR)/$(RELEASE) .ci/test $(TESTS) \
	  --filter 'EndToEndTests|ExportTests|GPUCheckTests|MirrorTests|RefreshTests|VacuumTests' \
	  --skip 'RetriedStartTests|UnwatchableTests|LostRecordTests.*(trapped.at|never.began)' \
	  --skip 'HomeFileTests.*in.the.moment|ScarcityTests.*at.its.start|InputTests.*without.an.answer'

##@ Laboratory (SECONDS=, SEED= and N= where they apply)

oar: build ## run the engine tests on a real OAR as well, unpacked into .build
	@.ci/oar '$(CURDIR)/.build/oar'
	@JOBRUN_OAR_ROOT='$(CURDIR)/.build/oar' WORKERS=2 .ci/test $(TESTS) \
	  --filter 'Engine(End|Folder|Loss|Outage)Tests'

bench: release ## measure every budget beside its reference (ROWS="submit idle" for some; see bench-peers)
	@$(MAKE) --silent install PREFIX=$(CURDIR)/.build/bench/installed DESTDIR=
	@JOBRUN_BENCH_COMMAND=$(CURDIR)/.build/bench/installed/bin/jobrun \
	  JOBRUN_BENCH_PYTHON=$(CURDIR)/.build/bench/python/bin/python \
	  JOBRUN_BENCH_SCRIPTS=$(CURDIR)/Tests/Bench/Python \
	  $(RELEASE)/jobrun-bench .build/bench $(ROWS)
bench: PROGRAMS := jobrun-bench jobrun-bench-stamp

bench-peers: ## install the programs that `make bench` compares with
	@.ci/dependencies bench
	python3 -m venv .build/bench/python
	.build/bench/python/bin/pip install --quiet hyperqueue rq

sim: ## simulate months of work per minute (RUNS=)
	$(SWIFT) build -c release --product jobrun-sim --scratch-path .build-sim --jobs $(JOBS)
	@.build-sim/release/jobrun-sim '$(RUNS)' '$(SEED)' '$(GIVEN_SECONDS)'

torture: release ## kill the runner N times under load and compare every job
	@$(RELEASE)/jobrun-torture '$(N)' '$(SEED)' '$(GIVEN_SECONDS)'

torture-disturb: release ## as torture, with stops, lost files and jobs that call jobrun
	@$(RELEASE)/jobrun-torture disturb '$(N)' '$(SEED)' '$(GIVEN_SECONDS)'

torture-power: release ## cut a machine's power N times under load (needs root)
	@$(OWN_MOUNTS) $(RELEASE)/jobrun-torture power '$(N)' '$(SEED)' '$(GIVEN_SECONDS)'

torture-disk: release ## lose a machine's disk N times under load and mount it again (needs root)
	@$(OWN_MOUNTS) $(RELEASE)/jobrun-torture disk '$(N)' '$(SEED)' '$(GIVEN_SECONDS)'

torture-scarce: release ## let disk, files, memory and more run out or fail N times (needs root)
	@$(OWN_MOUNTS) $(RELEASE)/jobrun-torture scarce '$(N)' '$(SEED)' '$(GIVEN_SECONDS)'

torture-cluster: release ## as torture, on a Slurm of its own whose parts are killed, too
	@$(RELEASE)/jobrun-torture cluster '$(N)' '$(SEED)' '$(GIVEN_SECONDS)'
torture torture-disturb torture-power torture-disk torture-scarce torture-cluster: PROGRAMS := jobrun-torture

torture-short: build ## 25 kills, 20 disturbances and, as root, 10 shortages, power cuts, lost disks
	@.build/debug/jobrun-torture 25 '$(SEED)'
	@.build/debug/jobrun-torture disturb 20 '$(SEED)'
	@if [ "$$(id -u)" = 0 ]; then \
	  $(OWN_MOUNTS) .build/debug/jobrun-torture scarce 10 '$(SEED)' && \
	  $(OWN_MOUNTS) .build/debug/jobrun-torture power 10 '$(SEED)' && \
	  $(OWN_MOUNTS) .build/debug/jobrun-torture disk 10 '$(SEED)'; \
	else echo "No shortages and no power cuts were tested: both need root, for disks of their own."; fi

gpu: release ## check resources, reservations and gpu-check with this machine's own NVIDIA GPU
	@$(MAKE) --silent install PREFIX=$(CURDIR)/.build/gpu DESTDIR=
	@.ci/gpu .build/gpu/bin/jobrun

fuzz: ## feed random bytes to every parser of input (SECONDS=60 for each, TARGETS=)
	JOBRUN_FUZZ=1 $(SWIFT) build -c release --product jobrun-fuzz --scratch-path .build-fuzz \
	  -Xswiftc -sanitize=fuzzer -Xswiftc -use-ld=lld --jobs $(JOBS)
	@Tests/Fuzz/fuzz.sh .build-fuzz/release/jobrun-fuzz '$(or $(GIVEN_SECONDS),60)' $(TARGETS)

picture: ## draw the picture of README from a real run
	@.ci/dependencies picture
	@SWIFT=$(SWIFT) .ci/products .build/demo.log jobrun jobrund jobrun-shim export -- $(DEVELOPMENT)
	@Tests/Demo/picture.sh .build/debug/jobrun .build/demo/folder .github/picture.svg

mixtures: ## hold 100,000 made-up outputs against what is recognised of them (RUNS=, SEED=, SECONDS=, WORKERS=)
	$(SWIFT) build -c release --product jobrun-mixtures --scratch-path .build-sim --jobs $(JOBS)
	@.build-sim/release/jobrun-mixtures '$(RUNS)' '$(SEED)' '$(GIVEN_SECONDS)' '$(WORKERS)'

screens: build ## play a fixed set of jobs, and leave what terminals and browsers show in .build/screens
	@.ci/dependencies screens
	@JOBRUN_SCREENS=$(CURDIR)/.build/screens .ci/test $(TESTS) --filter 'the play is seen'
	@echo "see .build/screens"

bad-stores: build ## start runners on stores with the extremes of every column, and crowd one with connections
	@JOBRUN_BAD_STORES=all JOBRUN_CROWD=all .ci/test $(TESTS) --filter 'BadStoreTests|ConnectionBoundTests'

sanitize: ## run the suites under the thread and the address sanitizer
	@Tests/Sanitize/sanitize.sh thread $(JOBS)
	@Tests/Sanitize/sanitize.sh address $(JOBS)

deps: ## install what the build and the tests need and this machine lacks
	@.ci/dependencies
