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

PASSED=0 FAILED=0
pass() { PASSED=$((PASSED + 1)); echo "ok   $1"; }
fail() { FAILED=$((FAILED + 1)); echo "FAIL $1"; }
# report NAME FILE RC: one line for each step of a scenario's JSON
report() {
  if ! node -e '
    const [name, file] = process.argv.slice(1), line = require("fs").readFileSync(file, "utf8").trim().split("\n").findLast((l) => l.startsWith("{"));
    const r = JSON.parse(line);
    for (const s of r.steps) console.log(`  ${s.ok === false ? "no " : "yes"} ${s.name}${s.ok === false ? ": " + JSON.stringify(s.value)?.slice(0, 1500) : ""}`);
    if (!r.ok) { console.log("  " + (r.err ?? r.error ?? "")); process.exit(1); }
  ' "$1" "$2" || [ "$3" != 0 ]; then
    [ -s "$2" ] || echo "  nothing was printed (exit code $3)"
    fail "$1"
  else pass "$1"; fi
}
finish() { echo "$1: $PASSED passed, $FAILED failed"; [ "$FAILED" = 0 ]; }
