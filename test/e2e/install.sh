#!/bin/bash
# usage: install.sh [host|drive|nvim|nvim-new|helix|emacs|vim|vscode|pre-commit|all]...
# Installs the real editors that the tests drive into .tools/editors of the repository: only Debian packages and npm
# packages, each once (a stamp file holds what was installed and where; a moved folder is installed anew).
# An editor that cannot be installed fails the script.
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
REPO=$(cd "$HERE/../.." && pwd)
DIR=${E2E_TOOLS:-$REPO/.tools/editors}
mkdir -p "$DIR"

once() { # once NAME KEY COMMAND...: run COMMAND unless NAME's stamp says KEY at this place
  local name=$1 key="$2 @ $DIR"; shift 2
  if [ "$(cat "$DIR/$name.stamp" 2>/dev/null)" = "$key" ]; then echo "e2e: $name is there"; return; fi
  local t=$SECONDS
  rm -rf "${DIR:?}/$name" "$DIR/$name.stamp"
  if ! "$@" > "$DIR/$name.log" 2>&1; then
    echo "e2e: $name cannot be installed; the end of $DIR/$name.log:" >&2; tail -n 20 "$DIR/$name.log" >&2; exit 1
  fi
  echo "$key" > "$DIR/$name.stamp"
  echo "e2e: $name installed in $((SECONDS - t)) s"
}

host_packages() { # host_packages PACKAGE...: Debian's packages that the host lacks
  local missing=() p
  for p in "$@"; do dpkg -s "$p" 2>/dev/null | grep -q '^Status: install ok' || missing+=("$p"); done
  if [ ${#missing[@]} = 0 ]; then return; fi
  echo "e2e: installing ${missing[*]}"
  { apt-get update -qq && apt-get install -qq -y --no-install-recommends "${missing[@]}"; } > "$DIR/host.log" 2>&1 \
    || { echo "e2e: the host's packages cannot be installed:" >&2; tail -n 20 "$DIR/host.log" >&2; exit 1; }
}
drive_packages() { # the test driver's own packages, pinned by its lock file
  [ "$HERE/drive/node_modules/.package-lock.json" -nt "$HERE/drive/package-lock.json" ] && return
  (cd "$HERE/drive" && npm ci --no-audit --no-fund --loglevel=error)
}

BASE='patchelf tmux chromium fonts-dejavu-core'
for what in "${@:-all}"; do case $what in
  host)     host_packages $BASE ;;
  nvim)     host_packages $BASE; once nvim trixie env SUITE=trixie PATCH=usr/bin/nvim "$HERE/install/debian-root.sh" "$DIR/nvim" neovim ;;
  nvim-new) host_packages $BASE; once nvim-new sid env SUITE=sid PATCH=usr/bin/nvim "$HERE/install/debian-root.sh" "$DIR/nvim-new" neovim ;;
  helix)    host_packages $BASE; once helix trixie env SUITE=trixie PATCH=usr/lib/hx/hx "$HERE/install/debian-root.sh" "$DIR/helix" hx ;;
  emacs)    host_packages $BASE; once emacs trixie env SUITE=trixie PATCH=usr/bin/emacs-nox "$HERE/install/debian-root.sh" "$DIR/emacs" emacs-nox ;;
  vim)      host_packages $BASE; once vim trixie-ale env SUITE=trixie PATCH=usr/bin/vim.nox "$HERE/install/debian-root.sh" "$DIR/vim" vim-nox vim-ale ;;
  vscode)   host_packages $BASE; once vscode 4.139.1 "$HERE/install/code-server.sh" "$DIR/vscode"
            drive_packages ;;
  drive)    drive_packages ;;
  pre-commit) host_packages git pre-commit ;;
  all)      "$0" host nvim nvim-new helix emacs vim vscode pre-commit ;;
  *)        echo "install.sh: what is $what?" >&2; exit 2 ;;
esac; done
