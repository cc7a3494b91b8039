# Shared by the editors' tests. Sets HERE, REPO, TOOLS, OUT, WORK (removed at the end), SERVER, EXPECT.
set -uo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
REPO=$(cd "$HERE/../.." && pwd)
TOOLS=${E2E_TOOLS:-$REPO/.tools/editors}
OUT=${E2E_OUT:-$REPO/.tools/e2e-out}
mkdir -p "$OUT"
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# The server under test: $PYPTO_LS, else built here.
SERVER=${PYPTO_LS:-$REPO/.tools/bin/pypto-ls}
if [ -z "${PYPTO_LS:-}" ] && [ -z "${E2E_BUILT:-}" ]; then
  mkdir -p "$REPO/.tools/bin"
  (cd "$REPO" && go build -o "$SERVER" .) || { echo "e2e: the server does not build" >&2; exit 1; }
  export E2E_BUILT=1
fi
[ -x "$SERVER" ] || { echo "e2e: no server at $SERVER" >&2; exit 1; }
mkdir "$WORK/bin" && ln -s "$(readlink -f "$SERVER")" "$WORK/bin/pypto-ls"
export PATH=$WORK/bin:$PATH E2E_SERVER=$WORK/bin/pypto-ls
node "$HERE/drive/workspace.mjs" "$WORK/ws" || exit 1
export E2E_EXPECT=$WORK/ws/expect.json

# fits FILE: the command line finds no capacity error in it
fits() {
  local out rc
  out=$("$SERVER" check "$1" 2>&1); rc=$?
  [ $rc -lt 2 ] && ! grep -q 'exceeds platform limit' <<< "$out"
}

PASSED=0 FAILED=0
pass() { PASSED=$((PASSED + 1)); echo "ok   $1"; }
fail() { FAILED=$((FAILED + 1)); echo "FAIL $1"; }
# report NAME FILE RC: one line for each step of a scenario's JSON
report() {
  if node "$HERE/drive/report.mjs" "$2" && [ "$3" = 0 ]; then pass "$1"; else fail "$1 (exit code $3)"; fi
}
finish() { echo "$1: $PASSED passed, $FAILED failed"; [ "$FAILED" = 0 ]; }
