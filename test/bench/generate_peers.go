package bench

import "fmt"

// The peers get files of the same shape: functions of 30 statements of one line
// each, every one using the one before.

func mlir(n int) Shape {
	var l lines
	middle := functions(&l, n, func(l *lines, i int) {
		l.add("func.func @kernel_%d(%%x0: f32, %%y: f32) -> f32 {", i)
		for k := range 29 {
			op := []string{"addf", "mulf", "subf"}[(i+k)%3]
			l.add("  %%x%d = arith.%s %%x%d, %%y : f32", k+1, op, k)
		}
		l.add("  return %%x29 : f32")
		l.add("}")
	})
	return Shape{Language: "mlir", Name: "kernels.mlir", Says: "undeclared SSA value", Text: l.String(), Middle: middle, Statement: func(name string) string {
		return "  %bad = arith.addf %" + name + ", %y : f32"
	}}
}

func golang(n int) Shape {
	var l lines
	l.add("package kernels")
	l.add("")
	middle := functions(&l, n, func(l *lines, i int) {
		l.add("func kernel%d(x0, y float32) float32 {", i)
		for k := range 29 {
			l.add("\tx%d := x%d %s y", k+1, k, []string{"+", "*", "-"}[(i+k)%3])
		}
		l.add("\treturn x29")
		l.add("}")
	})
	return Shape{Language: "go", Name: "kernels.go", Text: l.String(), Middle: middle, Statement: func(name string) string {
		return fmt.Sprintf("\t_ = %s", name)
	}}
}

func cpp(n int) Shape {
	var l lines
	middle := functions(&l, n, func(l *lines, i int) {
		l.add("float kernel_%d(float x0, float y) {", i)
		for k := range 29 {
			l.add("  float x%d = x%d %s y;", k+1, k, []string{"+", "*", "-"}[(i+k)%3])
		}
		l.add("  return x29;")
		l.add("}")
	})
	return Shape{Language: "cpp", Name: "kernels.cpp", Text: l.String(), Middle: middle, Statement: func(name string) string {
		return "  float bad = " + name + ";"
	}}
}
