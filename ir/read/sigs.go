package read

import (
	"sync"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// Signature is what a caller sees of a program function.
type Signature struct {
	Name    string
	Kind    ir.FuncKind
	Params  []ir.Param
	Returns []ir.Type
	// Inferred is set when the body has been asked for return types.
	Inferred bool
}

// Signatures finds the functions of one program by name. Declared signatures
// are read from the headers on demand; return types of functions without
// annotation are known once the function was read (learn).
type Signatures struct {
	env    *Env
	method bool
	chunks []*irsyntax.Chunk

	mu     sync.Mutex
	byName map[string]*Signature // guarded by mu
	// inferring are the functions whose bodies are being read for their return
	// types; guarded by mu.
	inferring map[string]bool
}

// NewSignatures indexes the functions of one program.
func NewSignatures(env *Env, method bool, chunks []*irsyntax.Chunk) *Signatures {
	return &Signatures{env: env, method: method, chunks: chunks}
}

// index needs s.mu.
func (s *Signatures) index() {
	if s.byName != nil {
		return
	}
	s.byName = make(map[string]*Signature, len(s.chunks))
	for _, c := range s.chunks {
		if _, dup := s.byName[c.Name]; !dup && c.Name != "" {
			s.byName[c.Name] = nil
		}
	}
}

// Has reports whether the program has a function of that name.
func (s *Signatures) Has(name string) bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.index()
	_, ok := s.byName[name]
	return ok
}

// Lookup reads the declared signature of the function called name.
func (s *Signatures) Lookup(name string) (*Signature, bool) {
	if s == nil {
		return nil, false
	}
	s.mu.Lock()
	s.index()
	sig, ok := s.byName[name]
	s.mu.Unlock()
	if !ok || sig != nil {
		return sig, ok
	}
	i := s.position(name)
	if i < 0 {
		return nil, false
	}
	sig = headerOnly(s.chunks[i], s.env, s.method)
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.byName[name]; known != nil {
		return known, true
	}
	s.byName[name] = sig
	return sig, true
}

// headerOnly is Header without keeping the callee's tree, which may be most of
// a large file.
func headerOnly(c *irsyntax.Chunk, env *Env, method bool) *Signature {
	held := c.HasTree()
	sig := Header(c, env, method)
	if !held {
		c.Release()
	}
	return sig
}

// chunk is the source of the function called name, nil when there is none.
func (s *Signatures) chunk(name string) *irsyntax.Chunk {
	if s == nil {
		return nil
	}
	if i := s.position(name); i >= 0 {
		return s.chunks[i]
	}
	return nil
}

// before reports whether the function called name stands before the chunk c
// in the source.
func (s *Signatures) before(name string, c *irsyntax.Chunk) bool {
	for _, d := range s.chunks {
		if d == c {
			return false
		}
		if d.Name == name {
			return true
		}
	}
	return true
}

// position is the index of a function in source order, -1 for none.
func (s *Signatures) position(name string) int {
	for i, c := range s.chunks {
		if c.Name == name {
			return i
		}
	}
	return -1
}

// seenFrom is the signature that a call in caller sees: without a return
// annotation, the return types are those of the callee's first return, if the
// callee stands before the caller (spec 01 §9.5).
func (s *Signatures) seenFrom(caller, name string, opt Options) (*Signature, bool) {
	sig, ok := s.Lookup(name)
	if !ok || len(sig.Returns) > 0 || sig.Inferred {
		return sig, ok
	}
	i, j := s.position(name), s.position(caller)
	if i < 0 || j >= 0 && i >= j {
		return sig, true
	}
	s.mu.Lock()
	busy := s.inferring[name]
	if s.inferring == nil {
		s.inferring = map[string]bool{}
	}
	s.inferring[name] = true
	s.mu.Unlock()
	if busy {
		return sig, true
	}
	full := SignatureOf(Func(s.chunks[i], s.env, s, s.method, opt).IR)
	full.Inferred = true
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.inferring, name)
	s.byName[name] = full
	return full, true
}

// Names lists the program's functions in source order.
func (s *Signatures) Names() []string {
	var out []string
	if s != nil {
		for _, c := range s.chunks {
			out = append(out, c.Name)
		}
	}
	return out
}

// learn records what reading f found out about its return types.
func (s *Signatures) learn(f *Function) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.index()
	if _, ok := s.byName[f.IR.Name]; !ok {
		return
	}
	sig := SignatureOf(f.IR)
	sig.Inferred = true
	s.byName[f.IR.Name] = sig
}

// SignatureOf is the interface summary of a function as read.
func SignatureOf(f *ir.Function) *Signature {
	sig := &Signature{Name: f.Name, Kind: f.Kind, Params: f.Params, Returns: f.Returns}
	if len(sig.Returns) == 0 {
		if ret := firstReturn(f.Body); ret != nil {
			sig.Inferred = true
			for _, e := range ret.Values {
				sig.Returns = append(sig.Returns, exprType(e))
			}
		}
	}
	return sig
}

func firstReturn(b *ir.Block) *ir.Return {
	if b == nil {
		return nil
	}
	for _, s := range b.Stmts {
		var found *ir.Return
		switch s := s.(type) {
		case *ir.Return:
			return s
		case *ir.If:
			if found = firstReturn(s.Then); found == nil {
				found = firstReturn(s.Else)
			}
		case *ir.For:
			found = firstReturn(s.Body)
		case *ir.While:
			found = firstReturn(s.Body)
		case *ir.Scope:
			found = firstReturn(s.Body)
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// Header reads only a function's decorator and signature.
func Header(c *irsyntax.Chunk, env *Env, method bool) *Signature {
	r := &reader{chunk: c, tree: c.Tree(), env: env.At(c), method: method, header: true, scope: map[string]*ir.Var{}}
	r.fn = &ir.Function{Method: method, Body: &ir.Block{}}
	r.out = &Function{IR: r.fn, Chunk: c, Opaque: true}
	root := r.tree.Root()
	if root.Kind() != irsyntax.FuncDef {
		return &Signature{Name: c.Name}
	}
	p := partsOf(root)
	r.fn.Name = c.Name
	r.decorate(p.decorators)
	r.params(p.params)
	r.returns(p.returns)
	return &Signature{Name: c.Name, Kind: r.fn.Kind, Params: r.fn.Params, Returns: r.fn.Returns}
}
