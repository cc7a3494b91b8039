#!/usr/bin/env bash
# Runs every fuzz target of the repository for FUZZTIME each (default 20s).
set -euo pipefail
cd "$(dirname "$0")/.."
time=${FUZZTIME:-20s}
git grep -l --untracked '^func Fuzz' -- '*_test.go' | sort | while read -r file; do
	dir=./$(dirname "$file")
	grep -o '^func Fuzz[A-Za-z0-9_]*' "$file" | sed 's/^func //' | while read -r target; do
		echo "fuzz $dir $target for $time"
		go test "$dir" -run '^$' -fuzz "^$target\$" -fuzztime "$time" </dev/null
	done
done
