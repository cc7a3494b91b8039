package platforms

import (
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// apply changes or adds the platform that a table describes.
func (d *decoder) apply(t *table) {
	base, at := t.name, -1
	for i := range t.entries {
		if e := &t.entries[i]; len(e.path) == 1 && e.path[0] == "base" {
			base, at = e.value.text, i
		}
	}
	from, ok := d.set.Lookup(base)
	if !ok {
		if at < 0 {
			d.problem(t.start, t.start+len(t.name), "platform '%s' is new and needs a base, for example base = \"%s\"", t.name, Default)
		} else {
			v := t.entries[at].value
			d.problem(v.start, v.end, "%s", d.set.Unknown(base))
		}
		return
	}
	o := newOverride(d, from)
	o.platform.Name = t.name
	for i := range t.entries {
		if i != at {
			o.entry(&t.entries[i])
		}
	}
	o.platform.policy = o.policy
	if i := slices.IndexFunc(d.set.list, func(p *Platform) bool { return p.Name == t.name }); i >= 0 {
		d.set.list[i] = &o.platform
	} else {
		d.set.list = append(d.set.list, &o.platform)
	}
}

// override is a platform being built.
type override struct {
	*decoder
	platform Platform
	policy   *tablePolicy
}

func newOverride(d *decoder, from *Platform) *override {
	o := &override{decoder: d, platform: *from, policy: newTablePolicy()}
	if p, ok := from.policy.(*tablePolicy); ok {
		*o.policy = *p
	}
	return o
}

func (o *override) entry(e *entry) {
	name, sub := e.path[0], ""
	switch len(e.path) {
	case 1:
	case 2:
		sub = e.path[1]
	default:
		name = ""
	}
	switch {
	case name == "capacity" && sub != "":
		if s, ok := o.space(e, sub); ok {
			o.size(e, func(n uint64) { o.platform.memory[s].Capacity = n })
		}
	case name == "align":
		o.align(e, sub)
	case name == "skip" && sub == "":
		if list, ok := o.spaces(e); ok {
			o.policy.skip = list
		}
	case name == "order" && sub == "":
		i := slices.Index(orderNames[:], e.value.text)
		if e.value.kind != unstable.String || i < 0 {
			o.problem(e.value.start, e.value.end, "order is \"name\" or \"natural\"")
			return
		}
		o.policy.order = Order(i)
	case name == "arch" && sub == "":
		if e.value.kind != unstable.String {
			o.problem(e.value.start, e.value.end, "arch is a string")
			return
		}
		o.platform.Arch = e.value.text
	case name == "acc_row_multiple" && (sub == "INT32" || sub == "other"):
		o.size(e, func(n uint64) {
			switch {
			case n == 0 || n > 1<<20:
				o.problem(e.value.start, e.value.end, "a row multiple is between 1 and %d", 1<<20)
			case sub == "INT32":
				o.platform.accRows.int32 = int64(n)
			default:
				o.platform.accRows.other = int64(n)
			}
		})
	case name == "innermost_bytes" && sub == "":
		o.size(e, func(n uint64) { o.platform.InnermostBytes = int(min(n, 1<<30)) })
	case name == "routes" && sub != "":
		o.route(e, sub)
	case name == "capacity" && sub == "":
		o.problem(e.start, e.end, "expected capacity = { Vec = 196608 } or capacity.Vec = 196608")
	default:
		o.problem(e.start, e.end, "unknown key '%s'; a platform has base, arch, capacity, align, skip, order, acc_row_multiple, innermost_bytes and routes", strings.Join(e.path, "."))
	}
}

func (o *override) space(e *entry, name string) (Space, bool) {
	s, ok := ParseSpace(name)
	if !ok {
		o.problem(e.start, e.end, "unknown memory space '%s'", name)
	}
	return s, ok
}

func (o *override) size(e *entry, set func(uint64)) {
	n, ok := e.value.bytes()
	if !ok {
		o.problem(e.value.start, e.value.end, "expected a number of bytes such as 196608 or \"192 KiB\"")
		return
	}
	set(n)
}

func (o *override) align(e *entry, sub string) {
	first, last := Space(0), Space(NumSpaces-1)
	if sub != "" {
		s, ok := o.space(e, sub)
		if !ok {
			return
		}
		first, last = s, s
	}
	o.size(e, func(n uint64) {
		if n == 0 {
			o.problem(e.value.start, e.value.end, "an alignment is at least 1 byte")
			return
		}
		for s := first; s <= last; s++ {
			o.policy.align[s] = n
		}
	})
}

// spaces reads a list of memory spaces.
func (o *override) spaces(e *entry) (set [NumSpaces]bool, ok bool) {
	if e.value.kind != unstable.Array {
		o.problem(e.value.start, e.value.end, "expected a list of memory spaces")
		return set, false
	}
	ok = true
	for _, v := range e.value.list {
		s, known := ParseSpace(v.text)
		if v.kind != unstable.String || !known {
			o.problem(v.start, v.end, "unknown memory space '%s'", v.text)
			ok = false
			continue
		}
		set[s] = true
	}
	return set, ok
}

func (o *override) route(e *entry, from string) {
	s, ok := o.space(e, from)
	if !ok {
		return
	}
	to, ok := o.spaces(e)
	if !ok {
		return
	}
	o.platform.routes[s] = 0
	for t, on := range to {
		if on {
			o.platform.routes[s] |= 1 << t
		}
	}
}
