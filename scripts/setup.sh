# What scripts/run and scripts/test share: packages, the virtual environment, a build. Sourced, never run.

readonly kPackages=(cmake ninja-build ccache g++ binutils git clang-format valgrind python3 python3-dev python3-venv
  libfmt-dev libpugixml-dev libqhull-dev libstb-dev libcli11-dev nlohmann-json3-dev
  libgtest-dev libbenchmark-dev libeigen3-dev)

say() { printf '%s %s\n' '--' "$*"; }

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Prints the packages that dpkg does not have installed.
missing_packages() {
  local installed
  # dpkg-query fails when it knows nothing of one of them, which is no failure here
  installed=$({ dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${kPackages[@]}" 2>/dev/null || true; } |
    sed -n 's/^installed //p')
  comm -13 <(sort -u <<<"$installed") <(printf '%s\n' "${kPackages[@]}" | sort)
}

install_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "no apt here: install the equivalents of ${kPackages[*]} yourself"
    return
  fi
  local missing
  mapfile -t missing < <(missing_packages)
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

# Makes .venv with the pinned requirements; again only when they have changed or its Python is gone.
install_venv() {
  local system_python=/usr/bin/python3 wanted
  [[ -x $system_python ]] || system_python=python3
  if ! .venv/bin/python -c '' 2>/dev/null; then
    say "making the virtual environment .venv"
    "$system_python" -m venv --clear .venv
  fi
  wanted=$(sha256sum requirements.txt)
  if [[ ! -f .venv/requirements.sha256 || $(<.venv/requirements.sha256) != "$wanted" ]]; then
    say "installing requirements.txt into .venv"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
    printf '%s\n' "$wanted" >.venv/requirements.sha256
  fi
  # a path file makes "import torsor" in this environment find the module of the release build
  local path_file
  path_file=$(echo .venv/lib/python3*/site-packages)/torsor_build.pth
  printf '%s\n' "$PWD/build/release/python" >"$path_file"
}

# build <preset>: configures when needed (ninja itself notices changed CMake files, but not changed presets) and builds.
build() {
  local preset=$1 folder=build/$1
  if [[ ! -f $folder/build.ninja || CMakePresets.json -nt $folder/build.ninja ]]; then
    say "configuring $folder"
    mkdir -p "$folder"
    cmake --preset "$preset" >"$folder/configure.log" 2>&1 || {
      cat "$folder/configure.log" >&2
      fail "configuring $folder failed"
    }
  fi
  say "building $folder"
  local quiet=(--quiet)
  [[ -t 1 ]] && quiet=() # on a terminal ninja's one line shows how far it is
  ninja -C "$folder" "${quiet[@]}" || fail "building $folder failed"
}

set_up() {
  install_packages
  install_venv
}
