// Package bench measures language servers through a real pipe: this one and its
// peers, on generated files of the same shape. The benchmarks hold the budgets;
// the command in cmd/lspbench prints one table of all servers that are
// installed.
package bench
