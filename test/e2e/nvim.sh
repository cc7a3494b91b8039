#!/bin/bash
# usage: nvim.sh [nvim|nvim-new]...   Real Neovim: 0.10 (vim.lsp.start) and the newest (vim.lsp.enable).
. "$(dirname "$0")/common.sh"
for v in "${@:-nvim}"; do
  "$HERE/install.sh" "$v" || exit 1
  home=$WORK/home-$v
  export XDG_CONFIG_HOME=$home/config XDG_DATA_HOME=$home/data XDG_STATE_HOME=$home/state XDG_CACHE_HOME=$home/cache HOME=$home
  mkdir -p "$XDG_CONFIG_HOME/nvim" "$XDG_STATE_HOME" "$XDG_CACHE_HOME"
  cp "$HERE/nvim/init.lua" "$XDG_CONFIG_HOME/nvim/"
  # as editors/neovim/README.md says
  mkdir -p "$XDG_DATA_HOME/nvim/site/pack/pypto/start"
  cp -r "$REPO/editors/neovim" "$XDG_DATA_HOME/nvim/site/pack/pypto/start/pypto_ls"
  export VIMRUNTIME=$TOOLS/$v/usr/share/nvim/runtime
  node "$HERE/drive/workspace.mjs" "$WORK/ws" || exit 1
  (cd "$WORK/ws" && timeout 240 "$TOOLS/$v/usr/bin/nvim" --headless -c "luafile $HERE/nvim/scenario.lua" -c "doautocmd VimEnter") > "$OUT/$v.json" 2> "$OUT/$v.err"
  report "$v headless" "$OUT/$v.json" $?
  # the fix by keyboard, in a terminal
  node "$HERE/drive/workspace.mjs" "$WORK/ws" || exit 1
  file=$(node -p "JSON.parse(require('fs').readFileSync('$E2E_EXPECT')).overflow.file")
  if OUT=$OUT "$HERE/tmux-shot.sh" "$v-fix" '^[EW] ' ':lua vim.diagnostic.goto_next({severity=1, float=true})' Enter 'wait:exceeds platform limit' ':lua vim.lsp.buf.code_action()' Enter \
      'wait:^ *1[:.].*slot_num.*188,416' 1 Enter sleep:1 ':w' Enter 'wait:written' -- "$TOOLS/$v/usr/bin/nvim" "$file" \
     && fits "$file"; then pass "$v fix by keyboard"; else fail "$v fix by keyboard"; fi
done
finish neovim
