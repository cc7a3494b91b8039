package read_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pypto-ls/ir/printer"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

// BenchmarkReadLarge reads and types a whole-model dump by the Dump policy.
func BenchmarkReadLarge(b *testing.B) {
	s := sharedDir(b)
	if s == "" {
		b.Skip("shared recordings not found")
	}
	for _, p := range []string{"31_after_MaterializeTensorStrides", "35_after_AllocateMemoryAddr"} {
		data, err := os.ReadFile(filepath.Join(s, "real", "large", "deepseek_v4_pro_decode_fwd_l3_decode_fwd.Ascend910B.PYPTO."+p+".py"))
		if err != nil {
			b.Skip(err)
		}
		text := string(data)
		b.Run("parse+read/"+p, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				read.File(irsyntax.Parse(text), read.Options{})
			}
		})
		b.Run("reference/"+p, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			f := irsyntax.Parse(text)
			for b.Loop() {
				read.File(f, read.Options{Policy: read.Reference})
			}
		})
		b.Run("print/"+p, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			ps := read.File(irsyntax.Parse(text), read.Options{})
			for b.Loop() {
				printer.Program(ps[0].IR, printer.Options{})
			}
		})
	}
}

// BenchmarkReadKernel reads a hand-written kernel of 200 lines, which is what
// a keystroke costs before lowering.
func BenchmarkReadKernel(b *testing.B) {
	var body strings.Builder
	body.WriteString(prepared)
	for i := range 48 {
		n := strconv.Itoa(i)
		body.WriteString("x" + n + " = pl.add(pl.exp(t), " + n + ")\ny" + n + " = pl.maximum(x" + n + ", t)\nz" + n + " = pl.row_max(y" + n + ", t)\no = pl.store(y" + n + ", [" + n + ", 0], o)\n")
	}
	f := irsyntax.Parse(kernelText("", body.String()))
	b.ReportAllocs()
	for b.Loop() {
		read.File(f, read.Options{Policy: read.Reference})
	}
}
