#!/bin/bash
# The commit hooks of docs/check-on-save.md: pre-commit with this repository's hook, and the plain git hook as written.
. "$(dirname "$0")/common.sh"
"$HERE/install.sh" pre-commit || exit 1
git_quiet() { git -c user.name=t -c user.email=t@example.invalid -c init.defaultBranch=main -c commit.gpgsign=false "$@"; }
repo=$WORK/kernels
mkdir -p "$repo/passes_dump" && cd "$repo" && git_quiet init -q
good=$(node -p "JSON.parse(require('fs').readFileSync('$E2E_EXPECT')).edit.file")
cp "$good" passes_dump/31_after_MaterializeTensorStrides.py; git add -A

# pre-commit builds the hook from the repository's last commit, once
export PRE_COMMIT_HOME=$REPO/.tools/pre-commit
node "$HERE/drive/block.mjs" "$REPO/docs/check-on-save.md" yaml 0 | sed "s#PATH_OR_URL_OF_THIS_REPOSITORY#$REPO#; s#rev: .*#rev: $(git -C "$REPO" rev-parse HEAD)#" > .pre-commit-config.yaml || exit 1
git add -A
if pre-commit run --all-files > "$OUT/pre-commit-good.log" 2>&1; then pass "pre-commit lets a clean dump through"; else tail -n 20 "$OUT/pre-commit-good.log"; fail "pre-commit lets a clean dump through"; fi
sed 's/\[64, 64\]/[64, 384]/g' "$good" > passes_dump/31_after_MaterializeTensorStrides.py; git add -A
if ! pre-commit run --all-files > "$OUT/pre-commit-bad.log" 2>&1 && grep -q 'Vec buffer usage (196608 bytes) exceeds platform limit (188416 bytes)' "$OUT/pre-commit-bad.log"; then
  pass "pre-commit stops an overflow and says why"; else tail -n 20 "$OUT/pre-commit-bad.log"; fail "pre-commit stops an overflow and says why"; fi

node "$HERE/drive/block.mjs" "$REPO/docs/check-on-save.md" sh > .git/hooks/pre-commit || exit 1
chmod +x .git/hooks/pre-commit
if ! git_quiet commit -qm bad > "$OUT/git-hook.log" 2>&1 && grep -q 'exceeds platform limit' "$OUT/git-hook.log"; then pass "the git hook stops an overflow"; else cat "$OUT/git-hook.log"; fail "the git hook stops an overflow"; fi
cp "$good" passes_dump/31_after_MaterializeTensorStrides.py; git add -A
if git_quiet commit -qm good > "$OUT/git-hook.log" 2>&1; then pass "the git hook lets a clean dump through"; else cat "$OUT/git-hook.log"; fail "the git hook lets a clean dump through"; fi
finish hooks
