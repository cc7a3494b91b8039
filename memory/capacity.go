package memory

import (
	"strconv"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// Usage is how full one memory space of a function is; all in bytes. Used
// counts from the start of the space: the reserved window and, rounded up,
// every buffer. Limit is 0 when there is none.
type Usage struct {
	Space                 ir.Space
	Used, Limit, Reserved uint64
	// note is what a capacity message says about the reserved window.
	note string
}

// Over reports whether the space is too full.
func (u Usage) Over() bool { return u.Limit != 0 && u.Used > u.Limit }

// Message is the reference's text for a space that is too full (spec 07 §9.1).
func (u Usage) Message() string {
	return u.Space.String() + " buffer usage (" + utoa(u.Used) + " bytes) exceeds platform limit (" + utoa(u.Limit) + " bytes)" + u.note
}

func (u Usage) error(l *Layout) *Error {
	return l.errorf(UserError, passAllocate, "%s", u.Message())
}

// capacity of a space in bytes, 0 for no limit.
func (c Config) capacity(s ir.Space) uint64 { return c.Platform.Capacity(s) }

// policy is the allocator policy in force.
func (c Config) policy() platforms.Policy {
	if c.Policy != nil {
		return c.Policy
	}
	return c.Platform.Policy()
}

func utoa(n uint64) string { return strconv.FormatUint(n, 10) }
