package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// folder is the dumps to check.
type folder struct {
	dir                 string
	files, real         int
	lines, realLines    int
	bytes, largestBytes int
	largest             string
}

// shared is the folder with recorded dumps, "" when it is not at hand.
func shared() string {
	for _, dir := range []string{os.Getenv("PYPTO_LS_SHARED"), filepath.Join("..", "shared")} {
		if st, err := os.Stat(filepath.Join(dir, "real")); dir != "" && err == nil && st.IsDir() {
			return dir
		}
	}
	return ""
}

// fill writes real dumps, up to half of the files, and generated ones until
// there are as many files and about as many lines as asked for.
func fill(dir, from string, files, lines int) (*folder, error) {
	f := &folder{dir: dir}
	if from != "" {
		if err := f.addReal(from, files/2); err != nil {
			return nil, err
		}
	}
	rest := files - f.files
	// Sizes of real dumps spread over orders of magnitude: the i-th of the rest
	// has 20 to the power of i/rest times as many lines as the first.
	sum := 0.0
	for i := range rest {
		sum += math.Pow(20, float64(i)/float64(rest))
	}
	for i := range rest {
		n := int(float64(lines-f.realLines) * math.Pow(20, float64(i)/float64(rest)) / sum)
		if err := f.add(filepath.Join("generated", fmt.Sprintf("gen%04d", i), "passes_dump", "31_after_MaterializeTensorStrides.py"), dump(uint64(i+1), n)); err != nil {
			return nil, err
		}
	}
	return f, nil
}

var section = regexp.MustCompile(`(?m)^-- (\S+) --\n`)

// stages are the recorded texts that are taken, with the names that the compiler
// gives to them: from one the memory is planned, the other has its addresses.
var stages = map[string]string{
	"after_MaterializeTensorStrides.py": "31_after_MaterializeTensorStrides.py",
	"after_AllocateMemoryAddr.py":       "35_after_AllocateMemoryAddr.py",
}

// addReal takes the whole-model dumps and then sections of recorded runs.
func (f *folder) addReal(from string, most int) error {
	large, _ := filepath.Glob(filepath.Join(from, "real", "large", "*.py"))
	sort.Strings(large)
	for _, p := range large {
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		if err := f.addAs("large", filepath.Base(p), string(text)); err != nil {
			return err
		}
	}
	runs, _ := filepath.Glob(filepath.Join(from, "real", "*.txtar"))
	sort.Strings(runs)
	for _, p := range runs {
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		marks := section.FindAllStringSubmatchIndex(string(text), -1)
		for i, m := range marks {
			end := len(text)
			if i+1 < len(marks) {
				end = marks[i+1][0]
			}
			name, ok := stages[string(text[m[2]:m[3]])]
			if !ok || f.files >= most {
				continue
			}
			run := strings.TrimSuffix(filepath.Base(p), ".txtar")
			if err := f.addAs(filepath.Join("real", run, "passes_dump"), name, string(text[m[1]:end])); err != nil {
				return err
			}
		}
	}
	f.real, f.realLines = f.files, f.lines
	return nil
}

func (f *folder) addAs(dir, name, text string) error { return f.add(filepath.Join(dir, name), text) }

func (f *folder) add(name, text string) error {
	path := filepath.Join(f.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f.files++
	f.lines += strings.Count(text, "\n")
	f.bytes += len(text)
	if len(text) > f.largestBytes {
		f.largest, f.largestBytes = path, len(text)
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
