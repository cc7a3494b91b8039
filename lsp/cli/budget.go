package cli

import (
	"fmt"
	"strconv"
	"strings"

	"pypto-ls/analysis"
	"pypto-ls/lsp/report"
	"pypto-ls/platforms"
)

// budget is a limit below the wall: a share of a space's capacity, or bytes.
type budget struct {
	space   platforms.Space
	percent float64
	bytes   uint64
}

// parseBudgets reads `Vec=90%` and `Mat=400000`.
func parseBudgets(args list) ([]budget, error) {
	var out []budget
	for _, a := range args {
		name, val, ok := strings.Cut(a, "=")
		sp, known := platforms.ParseSpace(strings.TrimSpace(name))
		if !ok || !known {
			return nil, fmt.Errorf("--max-usage wants SPACE=PERCENT%% or SPACE=BYTES, such as Vec=90%%, not '%s'", a)
		}
		b := budget{space: sp}
		val = strings.TrimSpace(val)
		if p, isShare := strings.CutSuffix(val, "%"); isShare {
			f, err := strconv.ParseFloat(p, 64)
			if err != nil || f <= 0 {
				return nil, fmt.Errorf("--max-usage: '%s' is no percentage", val)
			}
			b.percent = f
		} else {
			n, err := strconv.ParseUint(strings.ReplaceAll(val, "_", ""), 10, 64)
			if err != nil {
				return nil, fmt.Errorf("--max-usage: '%s' is neither bytes nor a percentage", val)
			}
			b.bytes = n
		}
		out = append(out, b)
	}
	return out, nil
}

// limit is the budget in bytes for a space of the given capacity; 0: none.
func (b budget) limit(capacity uint64) uint64 {
	if b.bytes > 0 {
		return b.bytes
	}
	return uint64(float64(capacity) * b.percent / 100)
}

// overBudget warns of spaces that are above their budget but still fit.
func overBudget(file string, d *analysis.Document, budgets []budget) []report.Item {
	if len(budgets) == 0 {
		return nil
	}
	var out []report.Item
	for _, u := range d.Usages() {
		for _, b := range budgets {
			limit := b.limit(u.Limit)
			if b.space != u.Space || limit == 0 || u.Used <= limit || u.Limit > 0 && u.Used > u.Limit {
				continue
			}
			it := report.FromFinding(file, d, analysis.Finding{Code: "usage-budget", Severity: analysis.Warning, Span: u.NameSpan, Func: u.Func,
				Message: fmt.Sprintf("%s usage of %s B is above the budget of %s B", u.Space, analysis.Thousands(u.Used), analysis.Thousands(limit)),
				Explain: fmt.Sprintf("The capacity is %s B; the budget was set with --max-usage.", analysis.Thousands(u.Limit)),
				Space:   u.Space.String(), Used: u.Used, Limit: limit})
			out = append(out, it)
		}
	}
	return out
}
