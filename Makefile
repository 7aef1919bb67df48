# Requires make, and deno 2.9 (or a later 2.x) or npm on the PATH. Everything else is installed from here.

DENO_VERSION := 2.9.6

# Deno from the PATH if it is new enough, otherwise a private copy.
DENO := $(if $(shell deno --version 2>/dev/null | sed -nE 's/^deno 2\.(9|[1-9][0-9]+)\..*/yes/p'),deno,.tools/deno-$(DENO_VERSION))

# Deno keeps its cache here if the home folder is not writable.
ifneq ($(shell for d in "$$HOME/.cache/deno" "$$HOME/.cache" "$$HOME"; do if [ -e "$$d" ]; then [ -w "$$d" ] && echo yes; break; fi; done),yes)
export DENO_DIR ?= $(CURDIR)/.tools/deno-cache
endif
export DENO_NO_UPDATE_CHECK = 1

MODULES := node_modules/.installed
DASHBOARD := dist/dashboard/.built
# Includes folders, so that removing a file triggers a build.
DASHBOARD_SOURCES := $(shell find src/dashboard src/contract src/kit ! -name '*_test.ts*') $(wildcard src/docs/*.md)
# Entry programs of workers, which are compiled separately.
WORKERS := $(shell find src -name '*-worker.ts' ! -path 'src/dashboard/*')
# Files that main.ts reads at run time.
ASSETS := dist/dashboard test/data/sample test/data/captures test/data/recordings

# Permissions of the built program. Nothing in it starts another program or calls foreign code. What it reads, writes and
# connects to is configured; files below /proc and /sys stay closed to it.
PERMISSIONS := --no-prompt --allow-net --allow-read --allow-write --allow-env --allow-sys
# The unstable features that deno.json names.
UNSTABLE = $(shell $(DENO) eval 'console.log((JSON.parse(Deno.readTextFileSync("deno.json")).unstable ?? []).map((name) => "--unstable-" + name).join(" "))')
# The version of the package, and the commit that it is built from.
BUNDLE_VERSION = $(shell sed -n '1s/^[^(]*(\([^)]*\)).*/\1/p' debian/changelog)
COMMIT ?= $(shell git describe --always --dirty --abbrev=40 --exclude='*' 2>/dev/null)

# The architecture of the program, as Debian names it; another one than this machine's for its package.
HOST_ARCH := $(subst x86_64,amd64,$(subst aarch64,arm64,$(shell uname -m)))
ARCH ?= $(HOST_ARCH)
TARGET_amd64 := x86_64-unknown-linux-gnu
TARGET_arm64 := aarch64-unknown-linux-gnu
NPM_amd64 := linux-x64
NPM_arm64 := linux-arm64
PACKAGE_ARCHES ?= amd64 arm64

.DEFAULT_GOAL := help
.PHONY: help run test soak check fmt lint docs screenshots build deb debtest package bench evaluate ndr modules bundle runtime
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

help: ## Print this list
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1@\2/p; s/^## (.*)/                @\1/p' Makefile | awk -F@ '{ printf "%-18s %s\n", $$1, $$2 }'

# A busy core has one thread per processor, so parallel garbage collection only competes with it (on two processors it
# cost a fifth of the pipeline's rate). A young generation of this size, in MiB, collects most garbage of a record early.
V8_FLAGS := --no-parallel-scavenge,--max-semi-space-size=32
run ndr bench: export DENO_V8_FLAGS ?= $(V8_FLAGS)

run ndr: export NDR_STATE_DIR ?= $(CURDIR)/.state

run: $(MODULES) $(DASHBOARD) ## Start everything with sample records; state is kept in .state/
	@exec $(DENO) run -A --frozen main.ts up

test: $(MODULES) $(DASHBOARD) ## Run every check and test
##   some of them: SUITE="unit store", FILES="src/domain/detect/scan test/store/flow", ARGS="--filter text"
##   those that reach what changed since the last commit or a branch: CHANGED=1, CHANGED=1 BASE=origin/main
##   list the slowest tests: ARGS=--slowest; on both database engines: NDR_TEST_ENGINES=all; at a time: NDR_TEST_JOBS=3
	@exec $(DENO) run -A --frozen test/run.ts $(SUITE) $(if $(FILES),--files "$(FILES)") $(if $(CHANGED),--changed) \
	  $(if $(BASE),--base $(BASE)) $(if $(ARGS),-- $(ARGS))

soak: $(MODULES) $(DASHBOARD) ## Run the long tests ten times as long and print what they counted: NDR_TEST_SCALE=30
##   some of them: SUITE=fault, FILES=test/fault/read-only_test.ts
	@exec $(DENO) run -A --frozen test/run.ts --soak $(SUITE) $(if $(FILES),--files "$(FILES)") $(if $(ARGS),-- $(ARGS))

check: $(MODULES) ## Format check, lint and type check only
	@exec $(DENO) run -A --frozen test/run.ts fmt lint check

fmt: $(MODULES) ## Format the sources
	@$(DENO) fmt --quiet

lint: $(MODULES) ## Lint the sources
	@exec $(DENO) run -A --frozen test/run.ts lint

docs: $(MODULES) ## Write the reference documents that are generated from the code
	@exec $(DENO) run -A --frozen test/support/docs/generate.ts

screenshots: $(MODULES) $(DASHBOARD) ## Take pictures of every dashboard page into dist/screenshots/
##   some of them: ARGS="overview device"; of a program that runs: ARGS="--at http://127.0.0.1:8080"
	@exec $(DENO) run -A --frozen test/browser/screenshots.ts $(ARGS)

build: $(MODULES) $(DASHBOARD) ## Make the program dist/ndr
	@rm -rf dist/ndr dist/lib dist/compile.log
	@$(MAKE) bundle
	@echo "Compiling dist/ndr"
	@if (cd dist/lib && $(if $(filter .tools/%,$(DENO)),$(CURDIR)/)$(DENO) compile $(PERMISSIONS) $(UNSTABLE) --no-config --no-lock --no-check --quiet \
	  --v8-flags=$(V8_FLAGS) --target=$(TARGET_$(ARCH)) --include=. --output ../ndr main.js) 2>dist/compile.log; then \
	  rm -rf dist/lib dist/compile.log; \
	elif grep -q denort dist/compile.log; then \
	  echo "Cannot fetch Deno's base binary (denort): making a bundle with the deno runtime in dist/lib instead"; \
	  rm dist/compile.log; $(MAKE) runtime; \
	else cat dist/compile.log >&2; exit 1; fi

deb: $(MODULES) ## Make the Debian packages dist/deb/*.deb: PACKAGE_ARCHES="amd64 arm64"; needs debhelper
	@for arch in $(PACKAGE_ARCHES); do $(MAKE) package ARCH=$$arch COMMIT=$(COMMIT) || exit 1; done
	@if command -v lintian >/dev/null; then lintian --fail-on error,warning dist/deb/*.deb; \
	  else echo "lintian is not installed: the packages are not checked"; fi

debtest: $(MODULES) .tools/bookworm ## Install, use, upgrade, back up, purge and restore the package on a bare Debian
##   as root, after make deb; without network; needs debootstrap, systemd-container and Chromium
	@for test in lifecycle boot; do debian/tests/$$test "$$(ls dist/deb/ndr_*_$(HOST_ARCH).deb)" .tools/bookworm || exit 1; done
	@unshare --net $(DENO) run -A --frozen test/e2e/appliance.ts "$$(ls dist/deb/ndr_*_$(HOST_ARCH).deb)" .tools/bookworm

# A bare Debian with what the package depends on.
.tools/bookworm: | .tools
	@echo "Making a bare Debian in $@"
	@rm -rf $@.new && debootstrap --variant=minbase \
	  --include=systemd,systemd-sysv,postgresql,nginx-light,syslog-ng-core,syslog-ng-mod-http,curl,iproute2,procps bookworm $@.new http://deb.debian.org/debian >dist/debootstrap.log
	@mv $@.new $@

# Builds in a copy of the checkout, so that nothing of the packaging is left in it.
package:
	@echo "Packaging for $(ARCH)"
	@rm -rf dist/deb/$(ARCH) dist/deb/ndr_*_$(ARCH).* && mkdir -p dist/deb/$(ARCH)
	@git ls-files --cached --others --exclude-standard -z | xargs -0 ls -d --zero 2>/dev/null | \
	  tar --create --null --files-from=- | tar --extract --directory dist/deb/$(ARCH)
	@cp -al node_modules dist/deb/$(ARCH)/ && mkdir dist/deb/$(ARCH)/.tools && cp -l .tools/deno-* dist/deb/$(ARCH)/.tools/ 2>/dev/null || true
	@cd dist/deb/$(ARCH) && { DEB_BUILD_OPTIONS=nocheck COMMIT=$(COMMIT) MAKEFLAGS= \
	  dpkg-buildpackage --build=binary --unsigned-source --unsigned-changes --no-check-builddeps --host-arch=$(ARCH) \
	  >../build-$(ARCH).log 2>&1 || { tail -30 ../build-$(ARCH).log >&2; exit 1; }; }
	@rm -rf dist/deb/$(ARCH)

bench: $(MODULES) $(DASHBOARD) ## Measure rates, lag and memory against plain COPY
	@exec $(DENO) run -A --frozen test/bench/main.ts $(ARGS)

evaluate: $(MODULES) ## Replay labelled captures and print detections, misses and false alarms: ARGS="--help"
	@exec $(DENO) run -A --frozen test/evaluate/main.ts $(ARGS)

ndr: $(MODULES) $(DASHBOARD) ## Run a subcommand from the checkout: ARGS="replay --help"
	@exec $(DENO) run -A --frozen main.ts $(ARGS)

# Installs into a temporary folder first, so that an interrupted installation leaves no partial program behind.
.tools/deno-$(DENO_VERSION):
	@command -v npm >/dev/null || { echo "Neither Deno 2.9 nor npm found: https://docs.deno.com/runtime/" >&2; exit 1; }
	@echo "Installing Deno $(DENO_VERSION) from npm into .tools/"
	@rm -rf .tools/install && mkdir -p .tools/install
	@npm install --prefix .tools/install --cache .tools/install/cache --no-save --no-package-lock --no-audit --no-fund \
	  --no-update-notifier --ignore-scripts --include=optional --loglevel=error deno@$(DENO_VERSION) >/dev/null
	@for program in .tools/install/node_modules/@deno/*/deno; do \
	  if "$$program" --version >/dev/null 2>&1; then mv "$$program" $@ && break; fi; \
	done
	@rm -rf .tools/install
	@test -x $@ || { echo "The npm package deno has no program for this machine" >&2; exit 1; }

# The runtime of another architecture, for its package.
.tools/deno-$(DENO_VERSION)-$(ARCH): | .tools
	@echo "Fetching Deno $(DENO_VERSION) for $(ARCH) from npm into .tools/"
	@rm -rf .tools/install && mkdir -p .tools/install
	@npm install --prefix .tools/install --cache .tools/install/cache --no-save --no-package-lock --no-audit --no-fund \
	  --no-update-notifier --ignore-scripts --loglevel=error --force --os=linux --libc=glibc \
	  --cpu=$(patsubst linux-%,%,$(NPM_$(ARCH))) @deno/$(NPM_$(ARCH))-glibc@$(DENO_VERSION) >/dev/null
	@mv .tools/install/node_modules/@deno/$(NPM_$(ARCH))-glibc/deno $@ && rm -rf .tools/install

.tools:
	@mkdir -p $@

$(MODULES): deno.json deno.lock | $(filter .tools/%,$(DENO))
	@echo "Installing the locked packages into node_modules/"
	@$(DENO) install --frozen --quiet
	@touch $@

$(DASHBOARD): $(DASHBOARD_SOURCES) $(MODULES)
	@echo "Building the dashboard"
	@$(DENO) run -A --frozen node_modules/vite/bin/vite.js build --config src/dashboard/vite.config.ts --logLevel warn
	@touch $@

# Where the program's modules and files go.
LIB := dist/lib

# The program's modules: main.js with chunks that a command loads when it needs them, and a module for each thread. Made of
# the same commit, they are the same in every folder.
modules:
	@mkdir -p $(LIB)
	@$(DENO) bundle --frozen --quiet --platform deno --code-splitting --outdir $(LIB) main.ts
	@for entry in $(WORKERS); do \
	  $(DENO) bundle --frozen --quiet --platform deno --output $(LIB)/$$(basename $$entry .ts).js $$entry || exit 1; \
	done
	@cp $(addprefix node_modules/@electric-sql/pglite/dist/,pglite.wasm initdb.wasm pglite.data) $(LIB)/

# The modules, and the files that they read.
bundle: modules
	@for asset in $(ASSETS); do mkdir -p $(LIB)/$$asset && cp -R $$asset/. $(LIB)/$$asset/ || exit 1; done
	@rm $(LIB)/$(DASHBOARD)
	@printf '{"bundleVersion":"%s","commit":%s}\n' "$(BUNDLE_VERSION)" '$(if $(COMMIT),"$(COMMIT)",null)' >$(LIB)/build.json

# Makes the bundle a program, for machines that cannot compile it.
runtime: $(if $(filter $(HOST_ARCH),$(ARCH)),,.tools/deno-$(DENO_VERSION)-$(ARCH))
	@cp $(if $(filter $(HOST_ARCH),$(ARCH)),"$$($(DENO) eval 'console.log(Deno.execPath())')",$<) dist/lib/deno
	@printf '%s\n' '#!/bin/sh' 'lib=$$(dirname "$$(readlink -f "$$0")")/lib' \
	  'exec "$$lib/deno" run $(PERMISSIONS) $(UNSTABLE) --no-config --no-lock --v8-flags=$(V8_FLAGS) "$$lib/main.js" "$$@"' >dist/ndr
	@chmod 755 dist/ndr
