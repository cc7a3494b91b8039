package analysis

import (
	"strconv"

	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

// deps are the facts outside the chunk that a result depends on: what reading
// looked up, the functions whose bodies reading or lowering looked at, those
// whose callers it looked at, the names it asked the program for, and the names
// of scopes that it looked for in other functions.
type deps struct {
	read.Deps
	bodies, callers, asked, hints []string
}

// onBodies tells that more than the heads of other functions counts.
func (d *deps) onBodies() bool { return len(d.bodies) > 0 || len(d.callers) > 0 || len(d.hints) > 0 }

// onProgram tells that other functions of the program count at all.
func (d *deps) onProgram() bool { return len(d.Callees) > 0 || len(d.asked) > 0 || d.onBodies() }

// findKeys hashes what functions of the document may depend on.
func (d *Document) findKeys() {
	module, loose := mix(mixStart), mix(mixStart)
	seen := uint64(0)
	d.views = make([]uint64, len(d.File.Chunks))
	for n := range d.File.Chunks {
		e := &d.File.Chunks[n]
		switch e.Kind {
		case irsyntax.ModuleChunk:
			module.num(e.Hash)
			seen++
		case irsyntax.ClassChunk:
			if !d.facts[n].kernel { // attributes
				module.num(e.Hash)
				seen++
			}
		case irsyntax.MemberChunk:
			if e.Class >= 0 && !d.facts[e.Class].kernel {
				module.num(e.Hash)
				seen++
			}
		case irsyntax.FuncChunk:
			d.views[n] = seen
			if e.Class < 0 {
				loose.num(d.facts[n].head)
				loose.num(seen)
			}
		}
	}
	d.moduleKey, d.looseKey = uint64(module), uint64(loose)
}

// findHead hashes what the functions of the unit show of themselves, in order.
func (u *unit) findHead(d *Document) {
	h := mix(mixStart)
	for _, i := range u.funcs {
		h.num(d.facts[i].head)
		h.num(d.views[i])
	}
	u.headKey = uint64(h)
}

// fingerprints are the values of what the result of the function at a chunk
// depends on.
func (d *Document) fingerprints(u *unit, chunk int, x *deps) []string {
	out := make([]string, 0, len(x.Names)+len(x.Callees)+len(x.bodies)+len(x.callers)+len(x.asked)+len(x.hints))
	env := u.ctx.env.At(d.File.Chunks[chunk].Chunk)
	for _, n := range x.Names {
		out = append(out, env.Fingerprint(n))
	}
	add := func(h mix) { out = append(out, strconv.FormatUint(uint64(h), 36)) }
	for _, n := range x.Callees {
		add(d.calleePrint(u, chunk, n))
	}
	for _, n := range x.bodies {
		h := d.programPrint(u)
		if c := u.ctx.chunkOf(n); c != nil {
			h.num(c.Hash)
		}
		add(h)
	}
	for _, n := range x.callers {
		h := d.programPrint(u)
		for _, c := range u.ctx.chunks.mentioning(n) {
			h.num(c.Hash)
		}
		add(h)
	}
	for _, n := range x.asked {
		out = append(out, strconv.FormatBool(u.ctx.sigs.Has(n)))
	}
	for _, n := range x.hints {
		out = append(out, strconv.FormatBool(u.ctx.sharesName(d.File.Chunks[chunk].Name, n)))
	}
	return out
}

// programPrint stands for all heads of functions and all module-level values.
func (d *Document) programPrint(u *unit) mix {
	h := mix(mixStart)
	h.num(d.moduleKey)
	h.num(d.looseKey)
	h.num(u.headKey)
	return h
}

// calleePrint is what a caller sees of a function: its head under the module's
// values, and on which side of the caller it stands. The return types of a soft
// one follow from its body, which may call anything. Of a function that is not
// there the message lists the others.
func (d *Document) calleePrint(u *unit, caller int, name string) mix {
	h := mix(mixStart)
	h.num(d.moduleKey)
	var f facts
	if at := u.ctx.chunks.first(name); at >= 0 {
		f = d.facts[u.funcs[at]]
		h.num(d.views[u.funcs[at]])
		if u.funcs[at] < caller {
			h.num(1)
		}
		if own := u.ctx.chunks.first(d.File.Chunks[caller].Name); at < own {
			h.num(2)
		}
	} else if c := u.ctx.env.Function(name); c != nil {
		f = factsOf(c)
		h.num(3)
		h.num(uint64(d.looseKey)) // tells where it stands
	} else {
		h.num(4)
		for _, c := range u.ctx.chunks.list {
			h.str(c.Name)
		}
		return h
	}
	h.num(f.head)
	if f.soft {
		h.num(uint64(d.programPrint(u)))
	}
	return h
}
