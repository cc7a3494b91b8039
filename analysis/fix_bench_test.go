package analysis

import (
	"path/filepath"
	"strings"
	"testing"
)

// overflowTexts are the texts of the repository's corpus with an overflow.
func overflowTexts(b *testing.B, planner string) (docs []*Document) {
	files, _ := filepath.Glob(filepath.Join("..", "test", "testdata", "corpus", "*.txtar"))
	for _, path := range files {
		c, err := readCase(path)
		if err != nil {
			b.Fatal(err)
		}
		for _, s := range c.sections {
			if c.planner != planner || !strings.HasSuffix(s.name, "Strides.py") {
				continue
			}
			d := recordedDocument(NewEngine(64<<20), s.name, s.text, c.platform, c.planner)
			if len(overflowing(d)) > 0 {
				docs = append(docs, d)
			}
		}
	}
	if len(docs) == 0 {
		b.Fatal("nothing overflows")
	}
	return docs
}

// BenchmarkAdvice is what the explanation of an overflow costs beyond planning
// the function, one text an operation.
func BenchmarkAdvice(b *testing.B) {
	for _, planner := range []string{"PYPTO", "DSA_RP"} {
		b.Run(planner, func(b *testing.B) {
			docs := overflowTexts(b, planner)
			for i := 0; b.Loop(); i++ {
				d := docs[i%len(docs)]
				d.engine.advice.known = nil
				d.Findings()
			}
		})
	}
}

// BenchmarkFixes is what finding all fixes of a text costs, one text an
// operation.
func BenchmarkFixes(b *testing.B) {
	for _, planner := range []string{"PYPTO", "DSA_RP"} {
		b.Run(planner, func(b *testing.B) {
			docs := overflowTexts(b, planner)
			for i := 0; b.Loop(); i++ {
				d := docs[i%len(docs)]
				d.fixes.found, d.fixes.plans = nil, nil
				d.FixesAt(0, d.File.Len, nil)
			}
		})
	}
}
