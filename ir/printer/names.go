package printer

import (
	"sort"
	"strconv"

	"pypto-ls/ir"
)

// Names gives, by Var.ID, the printed name of every variable of f whose own
// name collides with another one's; "" elsewhere (spec 01b §4).
func Names(f *ir.Function) []string {
	order := definitionOrder(f)
	names := make([]string, f.NumVars)
	count := make(map[string]int32, len(order))
	collide := false
	for _, v := range order {
		count[v.Name]++
		if count[v.Name] > 1 {
			collide = true
		}
	}
	if !collide {
		return names
	}
	taken := make(map[string]bool, len(order))
	for _, v := range order {
		if count[v.Name] == 1 {
			taken[v.Name] = true
		}
	}
	next := make(map[string]int) // the first number that may be free, by name
	for _, v := range order {
		if count[v.Name] == 1 {
			continue
		}
		name, i := v.Name, next[v.Name]
		if i > 0 {
			name += "_" + strconv.Itoa(i)
		}
		for taken[name] {
			i++
			name = v.Name + "_" + strconv.Itoa(i)
		}
		next[v.Name] = i + 1
		taken[name] = true
		if name != v.Name {
			names[v.ID] = name
		}
	}
	return names
}

// definitionOrder lists the function's own variables: parameters, then
// definitions in pre-order, then uses; each once, dimensions left out.
func definitionOrder(f *ir.Function) []*ir.Var {
	o := &orderer{seen: make([]bool, f.NumVars)}
	for _, p := range f.Params {
		o.add(p.Var)
	}
	o.block(f.Body)
	return o.vars
}

type orderer struct {
	seen []bool
	vars []*ir.Var
}

func (o *orderer) add(v *ir.Var) {
	if v == nil || v.ID < 0 || int(v.ID) >= len(o.seen) || o.seen[v.ID] || v.Kind == ir.DimVar {
		return
	}
	o.seen[v.ID] = true
	o.vars = append(o.vars, v)
}

func (o *orderer) addAll(vs []*ir.Var) {
	for _, v := range vs {
		o.add(v)
	}
}

func (o *orderer) block(b *ir.Block) {
	if b == nil {
		return
	}
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ir.Assign:
			o.add(s.Var)
		case *ir.For:
			o.add(s.Var)
			o.addAll(s.Results)
			o.addAll(s.IterArgs)
			o.block(s.Body)
		case *ir.While:
			o.addAll(s.Results)
			o.addAll(s.IterArgs)
			o.block(s.Body)
		case *ir.If:
			o.addAll(s.Results)
			o.block(s.Then)
			o.block(s.Else)
		case *ir.Scope:
			o.add(s.Var)
			o.add(s.TaskVar)
			o.block(s.Body)
		}
	}
}

// dimLines are the names of the `pl.dynamic` lines, sorted. A free symbol that
// some function defines under the same name is that function's variable to
// the reference, so it gets no line.
func dimLines(p *ir.Program, opt Options) []string {
	declared := make(map[string]bool, len(p.Dims))
	for _, d := range p.Dims {
		declared[d.Name] = true
	}
	var defined map[string]bool
	var lines []string
	for _, d := range usedDims(p, opt) {
		if !declared[d] {
			if defined == nil {
				defined = definedNames(p)
			}
			if defined[d] {
				continue
			}
		}
		lines = append(lines, d)
	}
	sort.Strings(lines)
	return lines
}

func definedNames(p *ir.Program) map[string]bool {
	m := map[string]bool{}
	for _, f := range p.Funcs {
		for _, v := range definitionOrder(f) {
			m[v.Name] = true
		}
	}
	return m
}

// usedDims names the dimensions that occur in the types of parameters, returns
// and variables, functions in name order, in order of appearance. Within a
// program one name is one dimension.
func usedDims(p *ir.Program, opt Options) []string {
	funcs := append([]*ir.Function(nil), p.Funcs...)
	sort.SliceStable(funcs, func(i, j int) bool { return funcs[i].Name < funcs[j].Name })
	c := &dimCollector{seen: map[string]bool{}}
	for _, f := range funcs {
		for _, v := range definitionOrder(f) {
			if opt.TypeOf != nil {
				c.typ(opt.TypeOf(f, v))
			} else {
				c.typ(v.Type)
			}
		}
		for _, t := range f.Returns {
			c.typ(t)
		}
	}
	return c.dims
}

type dimCollector struct {
	seen map[string]bool
	dims []string
}

func (c *dimCollector) exprs(es []ir.Expr) {
	for _, e := range es {
		if _, ok := e.(*ir.ConstInt); !ok {
			c.expr(e)
		}
	}
}

func (c *dimCollector) expr(e ir.Expr) {
	switch e := e.(type) {
	case *ir.Var:
		if e.Kind == ir.DimVar && !c.seen[e.Name] {
			c.seen[e.Name] = true
			c.dims = append(c.dims, e.Name)
		}
	case *ir.Binary:
		c.expr(e.X)
		c.expr(e.Y)
	case *ir.Unary:
		c.expr(e.X)
	case *ir.Call:
		c.exprs(e.Args)
	case *ir.MakeTuple:
		c.exprs(e.Elems)
	case *ir.TupleGet:
		c.expr(e.Tuple)
	}
}

func (c *dimCollector) typ(t ir.Type) {
	switch t := t.(type) {
	case *ir.TensorType:
		c.exprs(t.Shape)
		if t.View != nil {
			c.exprs(t.View.ValidShape)
			c.exprs(t.View.Stride)
		}
	case *ir.TileType:
		c.exprs(t.Shape)
		if t.View != nil {
			c.exprs(t.View.ValidShape)
			c.exprs(t.View.Stride)
			if t.View.StartOffset != nil {
				c.expr(t.View.StartOffset)
			}
		}
	case *ir.TupleType:
		for _, e := range t.Elems {
			c.typ(e)
		}
	}
}
