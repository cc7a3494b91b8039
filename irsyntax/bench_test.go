package irsyntax

import (
	"os"
	"path/filepath"
	"testing"
	"unsafe"
)

// BenchmarkParseLarge parses whole-model dumps, all trees included.
func BenchmarkParseLarge(b *testing.B) {
	names, _ := filepath.Glob(filepath.Join(needShared(b), "real/large/*.py"))
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(filepath.Base(name), func(b *testing.B) { benchParse(b, string(data)) })
	}
}

func benchParse(b *testing.B, src string) {
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	size := 0
	for b.Loop() {
		f := Parse(src)
		size = 0
		for _, e := range f.Chunks {
			size += cap(e.Tree().Nodes) * int(unsafe.Sizeof(Node{}))
		}
	}
	b.ReportMetric(float64(size)/float64(len(src)), "treebytes/byte")
}

// BenchmarkParse parses generated text, all trees included.
func BenchmarkParse(b *testing.B) { benchParse(b, genProgram(200)) }

// BenchmarkReparse types one byte into the middle of a document of 3,000
// functions; the tree of the touched function is parsed as well.
func BenchmarkReparse(b *testing.B) {
	f := Parse(genProgram(3000))
	at := f.LineStart(int(f.Chunks[1500].Line) + 12)
	b.ReportAllocs()
	for b.Loop() {
		g, _ := Reparse(f, []Edit{{Start: at, End: at, Text: " "}})
		g.Chunks[1500].Tree()
	}
}

// BenchmarkSplitLarge splits only.
func BenchmarkSplitLarge(b *testing.B) {
	names, _ := filepath.Glob(filepath.Join(needShared(b), "real/large/*35_after*.py"))
	data, err := os.ReadFile(names[0])
	if err != nil {
		b.Fatal(err)
	}
	src := string(data)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		Parse(src)
	}
}
