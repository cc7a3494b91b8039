package prelude_test

import "testing"

// FuzzLower: lowering never panics, whatever the text and the target.
func FuzzLower(f *testing.F) {
	params := "a: " + tensor + ", out: pl.Out[" + tensor + "]"
	for _, src := range []string{
		pipelined("4", "2", ""), pipelined("n", "3", "    pl.store(v, [i * 4, 0], out2)\n"), pair(cubeEnd, vectorEnd), ringKernel("", true),
		caller(twice, "out = self.twice(a, out)\nreturn self.twice(out, out)"),
		loops("for j, (s,) in pl.range(8, init_values=(h,)):\n    u = pl.add(s, x)\n    if j > n:\n        continue\n    v = pl.mul(u, x)\n    r = pl.yield_(v)\npl.store(r, [0, 0], out)"),
		program(host(params, "with pl.at(level=pl.Level.CORE_GROUP):\n    x = pl.load(a, [0, 0], [16, 64])\n    out = pl.store(pl.exp(x), [0, 0], out)")),
		region("UP_DOWN", "", "out = pl.store(q, [lane * 32, 0], out)"),
		longMixed(28),
	} {
		f.Add(src, false)
		f.Add(src, true)
	}
	f.Fuzz(func(t *testing.T, src string, new bool) {
		if len(src) > 4000 {
			return
		}
		platform := "Ascend910B"
		if new {
			platform = "Ascend950"
		}
		lowerText(src, platform, "PTOAS")
	})
}
