#!/bin/bash
# Real Helix in a terminal, set up as editors/helix/README.md says.
. "$(dirname "$0")/common.sh"
"$HERE/install.sh" helix || exit 1
page=$REPO/editors/helix/README.md conf=$WORK/config
mkdir -p "$conf/helix/runtime/queries/pypto"
node "$HERE/drive/block.mjs" "$page" toml 0 > "$conf/helix/languages.toml" || exit 1
node "$HERE/drive/block.mjs" "$page" scheme > "$conf/helix/runtime/queries/pypto/highlights.scm" || exit 1
node "$HERE/drive/block.mjs" "$page" toml 1 > "$conf/helix/config.toml" || exit 1
export XDG_CONFIG_HOME=$conf XDG_CACHE_HOME=$WORK/cache HELIX_RUNTIME=$TOOLS/helix/usr/lib/hx/runtime OUT
hx=$TOOLS/helix/usr/lib/hx/hx
file() { node -p "JSON.parse(require('fs').readFileSync('$E2E_EXPECT')).$1.file"; }
# One edit by a pipe: of several within milliseconds Helix 25.01 may send the later before the earlier (seen: version 5
# before 4), and then no server has the text.
printf '#!/bin/sh\nsed "s/\[64, 64\]/[64, 384]/g"\n' > "$WORK/bin/widen"; chmod +x "$WORK/bin/widen"
# the hints of the recorded addresses: every tile in the first screen
edit=$(file edit)
if "$HERE/tmux-shot.sh" helix-edit 'import pypto' 'poke:j:a ▸Vec 0x0*0 .*' 'wait:b ▸Vec 0x0*4000 ' '%' ':' 'pipe widen' Enter ';' \
    'poke:l:b ▸Vec 0x0*18000 ' Space d 'wait:196608 bytes' Escape sleep:0.5 ':' 'w' Enter 'wait:written' -- "$hx" "$edit"; then pass "helix: hints and finding follow an edit"; else fail "helix: hints and finding follow an edit"; fi
ring=$(file ring)
if COLS=110 ROWS=60 "$HERE/tmux-shot.sh" helix-ring 'import pypto' 'poke:l:▸Vec 0x' -- "$hx" "$ring" && node -e '
  const text = require("fs").readFileSync(process.argv[1], "utf8"), { ring } = JSON.parse(require("fs").readFileSync(process.env.E2E_EXPECT));
  const seen = ring.tiles.map((t) => [t, text.match(new RegExp("\\b" + t.name + " ▸(\\w+) 0x([0-9A-Fa-f]+)"))]).filter(([, m]) => m);
  const wrong = seen.filter(([t, m]) => m[1] !== t.space || parseInt(m[2], 16) !== t.address);
  console.log(`  ${seen.length} tiles seen, ${wrong.length} wrong`);
  process.exit(seen.length >= 10 && !wrong.length ? 0 : 1);' "$OUT/helix-ring.txt"; then pass "helix: recorded addresses"; else fail "helix: recorded addresses"; fi
over=$(file overflow)
if "$HERE/tmux-shot.sh" helix-fix '●' ']' d sleep:1 Space a 'wait:slot_num.*188,416 B' Enter sleep:1 ':' 'w' Enter 'wait:written' -- "$hx" "$over" \
  && fits "$over"; then pass "helix: fix by keyboard"; else fail "helix: fix by keyboard"; fi
finish helix
