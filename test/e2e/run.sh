#!/bin/bash
# usage: run.sh [map|nvim|nvim-new|vscode|helix|emacs|vim|hooks]...
# Installs the editors (cached in .tools/) and runs every scenario against the server: $PYPTO_LS, else built here.
# An editor that cannot be installed fails. A scenario that fails is run once more, and both runs are told: real editors on a
# busy machine miss a deadline now and then. Output and screenshots: .tools/e2e-out.
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
run() {
  case $1 in
    nvim|nvim-new) "$HERE/nvim.sh" "$1" ;;
    map|vscode|helix|emacs|vim|hooks) "$HERE/$1.sh" ;;
    *) echo "run.sh: what is $1?" >&2; exit 2 ;;
  esac
}
again=
for what in "$@"; do
  t=$SECONDS
  if run "$what"; then
    passed=$((passed + 1))
  elif echo "--- $what: FAILED after $((SECONDS - t)) s; once more" && run "$what"; then
    passed=$((passed + 1)) again="$again $what"
  else
    failed=$((failed + 1))
  fi
  echo "--- $what: $((SECONDS - t)) s"
done
[ -z "$again" ] || echo "e2e: passed only the second time:$again"
echo "e2e: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
