package report

import (
	"context"
	"time"

	"pypto-ls/analysis"
)

// beyondTime bounds the search about one function that was refused.
const beyondTime = 5 * time.Second

// LookBeyond finds out, about the functions of a computed document that planner
// DSA_RP refuses, whether they have a placement after all; their findings then
// say so.
func LookBeyond(ctx context.Context, d *analysis.Document) {
	for _, chunk := range d.NoFits() {
		limited, done := context.WithTimeout(ctx, beyondTime)
		d.LookBeyond(limited, chunk)
		done()
	}
}
