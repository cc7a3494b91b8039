package analysis

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestPromptFindings: without its advice the overflow is told as always, and the
// advice is looked for once, unless it is not waited for.
func TestPromptFindings(t *testing.T) {
	c, err := readCase("../test/testdata/corpus/big_0001.Ascend910B.DSA_RP.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var d *Document
	for _, s := range c.sections {
		if s.name == "frontend.py" {
			d = recordedDocument(NewEngine(64<<20), s.name, s.text, c.platform, c.planner)
		}
	}
	const advice = " The smallest single change that fits: "
	ended, end := context.WithCancel(context.Background())
	end()
	if got := d.FindingsUntil(ended); got != nil {
		t.Errorf("%d findings though nobody waits", len(got))
	}
	some, whole := d.PromptFindings()
	if whole {
		t.Error("whole without any advice")
	}
	all := d.FindingsUntil(context.Background())
	cut := 0
	for i := range all {
		if text, _, found := strings.Cut(all[i].Explain, advice); found {
			all[i].Explain = text
			cut++
		}
	}
	if diff := cmp.Diff(all, some, cmpopts.IgnoreUnexported(Finding{})); cut != 1 || diff != "" {
		t.Errorf("%d with advice; -whole +prompt:\n%s", cut, diff)
	}
	more, whole := d.PromptFindings()
	if diff := cmp.Diff(d.Findings(), more, cmpopts.IgnoreUnexported(Finding{})); !whole || diff != "" {
		t.Errorf("whole %v; -all +prompt, once advice is known:\n%s", whole, diff)
	}
}
