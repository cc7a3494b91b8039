#!/bin/bash
# Real Emacs with eglot, set up as editors/emacs/README.md says: in batch, and once in a terminal.
. "$(dirname "$0")/common.sh"
"$HERE/install.sh" emacs || exit 1
R=$TOOLS/emacs/usr
v=$(basename "$(ls -d "$R"/share/emacs/[0-9]*)")
export EMACSLOADPATH=$R/share/emacs/$v/lisp EMACSDATA=$R/share/emacs/$v/etc EMACSDOC=$R/share/emacs/$v/etc EMACSPATH=$R/libexec/emacs/$v/x86_64-linux-gnu
emacs=("$R/bin/emacs-nox" --dump-file="$(ls "$EMACSPATH"/emacs-*.pdmp)" -Q -L "$REPO/editors/emacs")
export HOME=$WORK/home OUT; mkdir -p "$HOME"
node "$HERE/drive/block.mjs" "$REPO/editors/emacs/README.md" elisp 0 > "$WORK/init.el" || exit 1
timeout 240 "${emacs[@]}" --batch -l "$WORK/init.el" -l "$HERE/emacs/scenario.el" > "$OUT/emacs.json" 2> "$OUT/emacs.err"
report "emacs batch" "$OUT/emacs.json" $?
node "$HERE/drive/workspace.mjs" "$WORK/ws" || exit 1
edit=$(node -p "JSON.parse(require('fs').readFileSync('$E2E_EXPECT')).edit.file")
echo '(menu-bar-mode -1) (setq inhibit-startup-screen t make-backup-files nil create-lockfiles nil) (setq-default truncate-lines t)' >> "$WORK/init.el"
if "$HERE/tmux-shot.sh" emacs 'import pypto' 'wait:a ?▸Vec 0x0*0 ' 'wait:b ?▸Vec 0x0*4000 ' -- "${emacs[@]}" -nw -l "$WORK/init.el" "$edit"; then pass "emacs in a terminal"; else fail "emacs in a terminal"; fi
finish emacs
