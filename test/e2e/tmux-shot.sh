#!/bin/bash
# usage: tmux-shot.sh NAME WAIT_FOR_REGEX [KEY|sleep:SECONDS|wait:REGEX|poke:KEY:REGEX]... -- COMMAND...
# Runs COMMAND in a tmux server of its own (COLSxROWS), waits until REGEX (extended) is on the screen, does the
# steps (KEY: a tmux key name or text), then writes $OUT/NAME.txt and NAME.ans. Exit code 1 if a wait timed out.
set -u
NAME=$1 RE=$2; shift 2
: "${OUT:?}"; mkdir -p "$OUT"
STEPS=(); while [ "$1" != -- ]; do STEPS+=("$1"); shift; done; shift
export LC_ALL=C.UTF-8 COLORTERM=truecolor
tm() { tmux -L "shot-$$" -f /dev/null "$@"; }
export TMUX_TMPDIR; TMUX_TMPDIR=$(mktemp -d)
trap 'tm kill-server 2>/dev/null; rm -rf "$TMUX_TMPDIR"' EXIT
tm -u new-session -d -x "${COLS:-140}" -y "${ROWS:-32}" "$@" || exit 1
tm set -g default-terminal tmux-256color; tm set -sg escape-time 0
rc=0
waitfor() {
  for _ in $(seq 300); do tm capture-pane -p 2>/dev/null | grep -qE -- "$1" && return; sleep 0.1; done
  echo "timeout waiting for: $1" >&2; rc=1
}
pokefor() { # press $1 until $2 is seen: for editors that ask the server after a key only
  for _ in $(seq 20); do tm send-keys "$1"; sleep 0.8; tm capture-pane -p 2>/dev/null | grep -qE -- "$2" && return; done
  echo "timeout pressing $1 for: $2" >&2; rc=1
}
waitfor "$RE"
for k in "${STEPS[@]}"; do [ $rc = 0 ] || break; case $k in
  sleep:*) sleep "${k#sleep:}" ;;
  wait:*) waitfor "${k#wait:}" ;;
  poke:*) k=${k#poke:}; pokefor "${k%%:*}" "${k#*:}" ;;
  *) tm send-keys "$k"; sleep 0.1 ;;
esac; done
sleep 0.3
tm capture-pane -p > "$OUT/$NAME.txt"; tm capture-pane -e -p > "$OUT/$NAME.ans"
[ $rc = 0 ] || cat "$OUT/$NAME.txt" >&2
exit $rc
