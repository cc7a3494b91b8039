package analysis

import (
	"pypto-ls/ir"
	"pypto-ls/ir/prelude"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

// mentioning are the functions of the unit, other than the function of that
// name, whose text has the name as a word: those that may call it.
func (x *chunkIndex) mentioning(name string) []*irsyntax.Chunk {
	x.mentionMu.Lock()
	defer x.mentionMu.Unlock()
	if list, ok := x.mentions[name]; ok {
		return list
	}
	var list []*irsyntax.Chunk
	for _, c := range x.list {
		if c.Name != name && hasWord(c.Text, name) {
			list = append(list, c)
		}
	}
	if x.mentions == nil {
		x.mentions = map[string][]*irsyntax.Chunk{}
	}
	x.mentions[name] = list
	return list
}

// callersOf are the functions of the unit that call the function of a name, in
// text order. Of a function whose body is not kernel IR every mention counts.
func (c *unitContext) callersOf(name string) []*ir.Function {
	var out []*ir.Function
	for _, chunk := range c.chunks.mentioning(name) {
		f := read.Func(chunk, c.env, c.sigs, c.method, read.Options{Policy: read.Reference, Platform: c.settings.Platform})
		if f.Opaque || len(prelude.Callers([]*ir.Function{f.IR})(name)) > 0 {
			out = append(out, f.IR)
		}
	}
	return out
}
