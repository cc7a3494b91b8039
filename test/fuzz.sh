#!/usr/bin/env bash
# Runs every fuzz target of the repository for FUZZTIME each (default 20s).
set -euo pipefail
cd "$(dirname "$0")/.."
time=${FUZZTIME:-20s}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Go before 1.27 can take the end of -fuzztime for a failure of the target (go.dev/issue/75804): "context deadline
# exceeded" and no failing input. An input that fails is always written, one that hangs is told as such. Only that
# signature is run again; three in a row fail.
fuzz() {
	local dir=$1 target=$2 try
	for try in 1 2 3; do
		go test "$dir" -run '^$' -fuzz "^$target\$" -fuzztime "$time" </dev/null 2>&1 | tee "$log" && return 0
		deadline_race "$target" || return 1
		echo "fuzz $dir $target: the fuzzing engine took the end of $time for a failure (try $try of 3)"
	done
	return 1
}

# True if all that failed in the log is the deadline itself.
deadline_race() {
	grep -A1 "^--- FAIL: $1 " "$log" | grep -qx ' *context deadline exceeded' &&
		! grep -qE 'Failing input written|panic:|fuzzing process hung|minimizing' "$log"
}

git grep -l --untracked '^func Fuzz' -- '*_test.go' | sort | while read -r file; do
	dir=./$(dirname "$file")
	grep -o '^func Fuzz[A-Za-z0-9_]*' "$file" | sed 's/^func //' | while read -r target; do
		echo "fuzz $dir $target for $time"
		fuzz "$dir" "$target"
	done
done
