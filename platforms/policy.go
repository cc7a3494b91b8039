package platforms

// Policy is the allocator policy of a target (spec 07 §4). It must be a pure
// function of its arguments.
type Policy interface {
	// ShouldAllocate reports whether addresses are assigned in this space.
	ShouldAllocate(s Space) bool
	// Align rounds a byte address up to the alignment of a space; an address
	// that cannot be rounded up within 64 bits is returned unchanged.
	Align(addr uint64, s Space) uint64
	// Less orders the allocations of one space by their MemRef names.
	Less(a, b string) bool
}

// DefaultPolicy is the policy of both shipped targets and of planning without
// a target: every space except DDR, multiples of 32 bytes, names in bytewise
// order (so that "mem_vec_10" comes before "mem_vec_2").
var DefaultPolicy Policy = newTablePolicy()

// DefaultAlignment is the alignment of the default policy in bytes.
const DefaultAlignment = 32

// Order is an order of MemRef names.
type Order uint8

// The orders. OrderBytes is bytewise; OrderNatural compares runs of digits by
// their value, so that "mem_vec_2" comes before "mem_vec_10".
const (
	OrderBytes Order = iota
	OrderNatural
)

var orderNames = [...]string{"name", "natural"}

// tablePolicy is a policy given by tables.
type tablePolicy struct {
	skip  [NumSpaces]bool
	align [NumSpaces]uint64 // bytes, a positive number
	order Order
}

func newTablePolicy() *tablePolicy {
	p := &tablePolicy{}
	p.skip[DDR] = true
	for s := range p.align {
		p.align[s] = DefaultAlignment
	}
	return p
}

func (p *tablePolicy) ShouldAllocate(s Space) bool { return s >= 0 && s < NumSpaces && !p.skip[s] }

func (p *tablePolicy) Align(addr uint64, s Space) uint64 {
	n := uint64(DefaultAlignment)
	if s >= 0 && s < NumSpaces {
		n = p.align[s]
	}
	rest := addr % n
	if rest == 0 || addr > ^uint64(0)-(n-rest) {
		return addr
	}
	return addr + (n - rest)
}

func (p *tablePolicy) Less(a, b string) bool {
	if p.order == OrderNatural {
		return naturalLess(a, b)
	}
	return a < b
}

// naturalLess compares digit runs by value and everything else bytewise; equal
// values with different zero padding fall back to bytewise order.
func naturalLess(a, b string) bool {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if !isDigit(a[i]) || !isDigit(b[j]) {
			if a[i] != b[j] {
				return a[i] < b[j]
			}
			i, j = i+1, j+1
			continue
		}
		var x, y string
		x, i = digits(a, i)
		y, j = digits(b, j)
		if len(x) != len(y) {
			return len(x) < len(y)
		}
		if x != y {
			return x < y
		}
	}
	if rest := (len(a) - i) - (len(b) - j); rest != 0 {
		return rest < 0
	}
	return a < b
}

// digits returns the run of digits at i without leading zeros, and its end.
func digits(s string, i int) (string, int) {
	for i < len(s)-1 && s[i] == '0' && isDigit(s[i+1]) {
		i++
	}
	start := i
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return s[start:i], i
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
