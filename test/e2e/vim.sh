#!/bin/bash
# Real Vim with ALE, set up as editors/vim/README.md says.
. "$(dirname "$0")/common.sh"
"$HERE/install.sh" vim || exit 1
R=$TOOLS/vim/usr
export VIMRUNTIME=$R/share/vim/vim91 HOME=$WORK/home E2E_RESULT=$OUT/vim.json OUT; mkdir -p "$HOME"; rm -f "$E2E_RESULT"
{ echo 'set nocompatible noswapfile viminfo='
  echo "set packpath=$R/share/vim/vimfiles,\$VIMRUNTIME runtimepath=$R/share/vim/vimfiles,\$VIMRUNTIME"
  echo 'filetype plugin on'
  node "$HERE/drive/block.mjs" "$REPO/editors/vim/README.md" vim; } > "$WORK/vimrc" || exit 1
mkfifo "$WORK/keys"; exec 3<> "$WORK/keys"   # a terminal on which nobody types
(cd "$WORK/ws" && TERM=xterm timeout 180 "$R/bin/vim.nox" -u "$WORK/vimrc" -S "$HERE/vim/scenario.vim" --not-a-term) > "$OUT/vim.screen" 2>&1 <&3
report "vim" "$OUT/vim.json" $?
finish vim
