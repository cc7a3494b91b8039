#!/bin/bash
# Real VS Code (code-server in Chromium) with the packaged extension and its bundled server.
. "$(dirname "$0")/common.sh"
"$HERE/install.sh" vscode || exit 1
ext=$REPO/vscode-extension
[ "$ext/node_modules/.package-lock.json" -nt "$ext/package-lock.json" ] || (cd "$ext" && npm ci --no-audit --no-fund --loglevel=error) || exit 1
(cd "$ext" && npm test --silent) > "$OUT/vscode-unit.log" 2>&1 && pass "extension: types, unit tests, grammar" || { tail -n 40 "$OUT/vscode-unit.log"; fail "extension: types, unit tests, grammar"; }
(cd "$ext" && PYPTO_LS=$(readlink -f "$SERVER") npm run --silent package:host) > "$OUT/vscode-package.log" 2>&1 || { tail -n 20 "$OUT/vscode-package.log"; fail "packaging"; finish vscode; exit 1; }
vsix=$(ls "$ext"/vsix/pypto-ls-*-linux-x64.vsix) && [ -f "$(ls "$ext"/vsix/pypto-ls-*-universal.vsix)" ] && pass "packaging"
TOOLS=$TOOLS VSIX=$vsix WS=$WORK/ws SERVER=$E2E_SERVER OUT=$OUT timeout 600 node "$HERE/drive/vscode.mjs" > "$OUT/vscode.json" 2> "$OUT/vscode.err"
report "VS Code" "$OUT/vscode.json" $?
node "$HERE/drive/workspace.mjs" "$WORK/restricted" || exit 1
TOOLS=$TOOLS VSIX=$vsix WS=$WORK/restricted OUT=$OUT timeout 300 node "$HERE/drive/restricted.mjs" > "$OUT/vscode-restricted.json" 2>> "$OUT/vscode.err"
report "VS Code, workspace not trusted" "$OUT/vscode-restricted.json" $?
if [ -n "${E2E_UPDATE_SCREENSHOTS:-}" ]; then
  cp "$OUT/vscode-2-overflow.png" "$ext/media/screenshot-editor.png"; cp "$OUT/vscode-4-map-1920-dark.png" "$ext/media/screenshot-map.png"
fi
finish vscode
