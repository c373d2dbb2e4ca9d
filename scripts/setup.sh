# What scripts/run, scripts/test, scripts/wheel and scripts/docs share: packages, the virtual environment, a build. Sourced, never run.

# what the library, the program and the Python package are built with
readonly kBuildPackages=(cmake ninja-build ccache g++ python3 python3-dev python3-venv
  libfmt-dev libpugixml-dev libqhull-dev libstb-dev libcli11-dev nlohmann-json3-dev zlib1g-dev libboost-dev)
# what the tests need in addition
readonly kTestPackages=(binutils git clang-format valgrind libgtest-dev libbenchmark-dev libeigen3-dev
  libegl1 libgl1 libopengl0 libgl1-mesa-dri # for MuJoCo's renderer, which draws in software
  libglib2.0-0 libx11-6 libsm6 # for Drake's wheel
  chromium)
# what the fuzz targets are built with: clang, its runtime, and the symbolizer of reports
readonly kFuzzPackages=(clang-14 libclang-rt-14-dev llvm-14)
readonly kSystemPython=/usr/bin/python3
# the virtual environment of the documentation site, apart from .venv
readonly kDocsVenv=build/docs_venv
# lets ccache reuse objects of another build folder: those of the release build for the wheel
export CCACHE_BASEDIR=$PWD

say() { printf '%s %s\n' '--' "$*"; }

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# missing_packages <package>...: prints those that dpkg does not have installed.
missing_packages() {
  local installed
  # dpkg-query fails if it does not know one of them, which is not an error here
  installed=$({ dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true; } |
    sed -n 's/^installed //p')
  comm -13 <(sort -u <<<"$installed") <(printf '%s\n' "$@" | sort)
}

# install_packages <package>...
install_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "no apt here: install the equivalents of $* yourself"
    return
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]} == 0)) && return
  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || fail "these packages are missing, and there is no sudo: ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  "${as_root[@]}" apt-get -qq update
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq -y install --no-install-recommends "${missing[@]}" >/dev/null
}

system_python() { if [[ -x $kSystemPython ]]; then echo "$kSystemPython"; else command -v python3; fi; }

pip() { .venv/bin/python -m pip --disable-pip-version-check "$@"; }

make_venv() {
  .venv/bin/python -c '' 2>/dev/null && return
  say "making the virtual environment .venv"
  "$(system_python)" -m venv --clear .venv
}

# install_venv <requirements file>...: makes .venv, and installs each file unless it is already installed unchanged.
install_venv() {
  make_venv
  local file wanted
  for file in "$@"; do
    wanted=$(cat "$file" requirements.txt | sha256sum)
    if [[ ! -f .venv/$file.sha256 || $(<".venv/$file.sha256") != "$wanted" ]]; then
      say "installing $file into .venv"
      pip install --quiet --requirement "$file" --constraint requirements.txt
      printf '%s\n' "$wanted" >".venv/$file.sha256"
    fi
  done
}

# The compiler of the CUDA sources, unless the system has one.
install_nvcc() { command -v nvcc >/dev/null || install_venv requirements-cuda.txt; }

# Makes the virtual environment of the documentation site, again only when its requirements have changed.
install_docs_venv() {
  local wanted
  wanted=$(sha256sum docs/requirements.txt)
  [[ ! -f $kDocsVenv/requirements.sha256 || $(<"$kDocsVenv/requirements.sha256") != "$wanted" ]] || return 0
  say "installing docs/requirements.txt into $kDocsVenv"
  mkdir -p build
  "$(system_python)" -m venv --clear "$kDocsVenv"
  "$kDocsVenv/bin/python" -m pip install --quiet --disable-pip-version-check --requirement docs/requirements.txt
  printf '%s\n' "$wanted" >"$kDocsVenv/requirements.sha256"
}

# Where .venv finds the module of the release build: a path file, which a package installed from a wheel would hide.
path_file() { echo "$(echo .venv/lib/python3*/site-packages)/torsor_build.pth"; }

use_build() {
  if compgen -G '.venv/lib/python3*/site-packages/torsor-*.dist-info' >/dev/null; then
    pip uninstall --quiet --yes torsor
  fi
  local file wanted=$PWD/build/release/python
  file=$(path_file)
  # not rewritten if it is right, since tests that are running may read it
  [[ $(cat "$file" 2>/dev/null) == "$wanted" ]] || printf '%s\n' "$wanted" >"$file"
}

# use_wheel <file>: installs it into .venv unless it is there; false if it does not fit this system.
use_wheel() {
  local wanted
  install_packages python3 python3-venv && make_venv || return 1
  wanted=$(sha256sum "$1")
  if [[ ! -f .venv/wheel.sha256 || $(<.venv/wheel.sha256) != "$wanted" || ! -x .venv/bin/torsor ]]; then
    say "installing $1 into .venv (remove it to build from the sources instead)"
    pip install --quiet --force-reinstall --constraint requirements.txt "$1" || return 1
    printf '%s\n' "$wanted" >.venv/wheel.sha256
  fi
  rm -f "$(path_file)"
}

# Prints the wheel in dist/ for this version of Torsor and this Python, if there is one. Not if the tree has a release
# build or edited sources: then scripts/run builds from source.
find_wheel() {
  [[ ! -f build/release/build.ninja && -n $(system_python) ]] || return 0
  [[ -z $(git status --porcelain -- torsor cli python web/dist cmake CMakeLists.txt pyproject.toml models/demo.xml 2>/dev/null) ]] ||
    return 0
  local version tag wheels
  version=$(sed -n 's/.*kHeaderVersion = "\(.*\)".*/\1/p' torsor/core/version.hpp)
  tag=$("$(system_python)" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
  wheels=(dist/torsor-"$version"-"$tag"-*_"$(uname -m)".whl)
  if [[ -f ${wheels[0]} ]]; then echo "${wheels[0]}"; fi
}

# build <preset> [target...]: configures when needed (ninja itself notices changed CMake files, but not changed presets)
# and builds. Benchmarks need an additional library, so they are configured only if all targets are built. With `native`
# before the preset, kernels of one instruction set are compiled where none are yet: enough to run on this machine.
build() {
  local options=(-DTORSOR_KERNELS=all -DTORSOR_HOST_DEVICE=ON) wanted=whole native=no
  [[ $1 != native ]] || { native=yes && shift; }
  local preset=$1 folder=build/$1
  shift
  local stamp=$folder/configured
  [[ $preset != fuzz ]] || options=()
  [[ $# == 0 || $(cat "$stamp" 2>/dev/null) == whole ]] || { wanted=part && options+=(-DTORSOR_BENCHMARKS=OFF); }
  if [[ $native == yes && $(cat "$stamp" 2>/dev/null) =~ ^(native|)$ ]]; then
    wanted=native && options=(-DTORSOR_KERNELS=native -DTORSOR_HOST_DEVICE=OFF -DTORSOR_BENCHMARKS=OFF)
  fi
  if [[ ! -f $folder/build.ninja || $(cat "$stamp" 2>/dev/null) != "$wanted" || CMakePresets.json -nt $stamp ]]; then
    say "configuring $folder"
    mkdir -p "$folder"
    cmake --preset "$preset" "${options[@]}" >"$folder/configure.log" 2>&1 || {
      cat "$folder/configure.log" >&2
      fail "configuring $folder failed"
    }
    echo "$wanted" >"$stamp"
  fi
  say "building $folder"
  local quiet=(--quiet)
  [[ -t 1 ]] && quiet=() # on a terminal ninja's one line shows how far it is
  ninja -C "$folder" "${quiet[@]}" "$@" || fail "building $folder failed"
}

# set_up run|wheel|test|gpu|fuzz: installs the dependencies of running, making wheels, testing, testing on a card or fuzzing.
set_up() {
  case $1 in
    run) install_packages "${kBuildPackages[@]}" && install_venv requirements.txt ;;
    wheel) install_packages "${kBuildPackages[@]}" && install_venv requirements.txt requirements-wheel.txt ;;
    test)
      install_packages "${kBuildPackages[@]}" "${kTestPackages[@]}"
      install_venv requirements.txt requirements-wheel.txt requirements-test.txt
      install_nvcc
      install_docs_venv
      ;;
    gpu) install_packages "${kBuildPackages[@]}" libgtest-dev libeigen3-dev && install_venv requirements.txt && install_nvcc && return ;;
    fuzz) install_packages "${kBuildPackages[@]}" "${kFuzzPackages[@]}" && return ;;
    *) fail "set_up: unknown purpose $1" ;;
  esac
  use_build
}
