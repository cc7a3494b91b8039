#!/bin/bash
# The memory map that `pypto-ls map` writes, in Chromium.
. "$(dirname "$0")/common.sh"
"$HERE/install.sh" host drive || exit 1
WS=$WORK/ws SERVER=$E2E_SERVER OUT=$OUT timeout 400 node "$HERE/drive/map.mjs" > "$OUT/map.json" 2> "$OUT/map.err"
report "memory map" "$OUT/map.json" $?
finish map
