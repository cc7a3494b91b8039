#!/bin/bash
# usage: run.sh [map|nvim|nvim-new|vscode|helix|emacs|vim|hooks]...
# Installs the editors (cached in .tools/) and runs every scenario against the server: $PYPTO_LS, else built here.
# An editor that cannot be installed fails. Output and screenshots: .tools/e2e-out.
set -uo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
REPO=$(cd "$HERE/../.." && pwd)
if [ -z "${PYPTO_LS:-}" ]; then
  mkdir -p "$REPO/.tools/bin"
  (cd "$REPO" && go build -o .tools/bin/pypto-ls .) || exit 1
  export PYPTO_LS=$REPO/.tools/bin/pypto-ls
fi
passed=0 failed=0
for what in "${@:-all}"; do
  [ "$what" = all ] && set -- map nvim nvim-new vscode helix emacs vim hooks
  break
done
for what in "$@"; do
  t=$SECONDS
  case $what in
    nvim|nvim-new) "$HERE/nvim.sh" "$what" ;;
    map|vscode|helix|emacs|vim|hooks) "$HERE/$what.sh" ;;
    *) echo "run.sh: what is $what?" >&2; exit 2 ;;
  esac
  if [ $? = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  echo "--- $what: $((SECONDS - t)) s"
done
echo "e2e: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
