package cli

import (
	"flag"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHelp: help is no error, goes to standard output and names every flag.
func TestHelp(t *testing.T) {
	for _, n := range commandNames() {
		for _, args := range [][]string{{n, "--help"}, {n, "-h"}, {"help", n}, {n, "x", "--help"}} {
			code, out, errs := run("", args...)
			if code != 0 || errs != "" {
				t.Errorf("%v: exit code %d, errors %q", args, code, errs)
			}
			for _, f := range flagsOf(commands()[n]) {
				if !strings.Contains(out, "\n  "+dashed(f.Name)) || !strings.Contains(out, f.Usage) {
					t.Errorf("%v: nothing of %s", args, dashed(f.Name))
				}
			}
			if !strings.Contains(out, "Usage: pypto-ls "+n) {
				t.Errorf("%v: got %q", args, out)
			}
		}
	}
	code, out, errs := run("", "--help")
	for _, n := range commandNames() {
		if !strings.Contains(out, "\n  pypto-ls "+n) {
			t.Errorf("nothing of %s", n)
		}
	}
	if code != 0 || errs != "" {
		t.Errorf("exit code %d, errors %q", code, errs)
	}
}

// TestBadFlags: wrong arguments are an error of their own, with what is meant.
func TestBadFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a.pypto.py", good)
	put(t, "bad.json", `[{"x": 1}]`)
	put(t, "bad.toml", "\n[platforms.X]\ncapacity = 3\n")
	const more = "`pypto-ls check --help` lists the flags.\n"
	for _, c := range []struct{ args, want string }{
		{"check", "check takes files, folders, patterns or -\n"},
		{"check --fromat json a.pypto.py", "check: unknown flag --fromat; did you mean --format?\n" + more},
		{"check --max a.pypto.py", "check: unknown flag --max; did you mean --max-usage?\n" + more},
		{"check --zzzzzzzzz a.pypto.py", "check: unknown flag --zzzzzzzzz\n" + more},
		{"check a.pypto.py --format", "check: --format needs a value\n" + more},
		{"check --jobs many a.pypto.py", "check: invalid value \"many\" for --jobs\n" + more},
		{"check --stats=perhaps a.pypto.py", "check: invalid boolean value \"perhaps\" for --stats\n" + more},
		{"check --jobs 0 a.pypto.py", "--jobs must be at least 1\n"},
		{"check --format xml a.pypto.py", "unknown --format 'xml': text, json, jsonl, sarif, github, gitlab or junit\n"},
		{"check --fail-level bad a.pypto.py", "unknown --fail-level 'bad': error, warning, information or hint\n"},
		{"check --color sometimes a.pypto.py", "unknown --color 'sometimes': auto, always or never\n"},
		{"check --platform Ascend1 a.pypto.py", "unknown --platform 'Ascend1': Ascend910B, Ascend950, none, or one of a pypto-ls.toml\n"},
		{"check --planner BEST a.pypto.py", "unknown --planner 'BEST': PYPTO, DSA_RP or PTOAS\n"},
		{"check --from Nowhere a.pypto.py", "unknown --from 'Nowhere': frontend, or a pass such as MaterializeTensorStrides or MemoryReuse\n"},
		{"check --max-usage Vec a.pypto.py", "--max-usage wants SPACE=PERCENT% or SPACE=BYTES, such as Vec=90%, not 'Vec'\n"},
		{"check --max-usage Vek=1 a.pypto.py", "--max-usage wants SPACE=PERCENT% or SPACE=BYTES, such as Vec=90%, not 'Vek=1'\n"},
		{"check --max-usage Vec=x% a.pypto.py", "--max-usage: 'x%' is no percentage\n"},
		{"check --max-usage Vec=x a.pypto.py", "--max-usage: 'x' is neither bytes nor a percentage\n"},
		{"check --baseline none.json a.pypto.py", "none.json: no such file or directory\n"},
		{"check --baseline a.pypto.py a.pypto.py", "a.pypto.py: not the output of check --format json: invalid character 'i' looking for beginning of value\n"},
		{"check --baseline bad.json a.pypto.py", "bad.json: not the output of check --format json: entry 1 has no file and code\n"},
		{"check --watch -", "--watch goes with files and folders, without --fix and --diff\n"},
		{"report", "report takes files, folders, patterns or -\n"},
		{"report --format pdf a.pypto.py", "unknown --format 'pdf': html or markdown\n"},
		{"report --jobs 0 a.pypto.py", "--jobs must be at least 1\n"},
		{"completion", "completion takes bash, zsh or fish\n"},
		{"completion csh", "no completion for 'csh': bash, zsh or fish\n"},
		{"explain capacit", "there is no diagnostic 'capacit'; did you mean capacity, capacity-here?\n"},
		{"explain zzz", "there is no diagnostic 'zzz'; `pypto-ls explain` lists them\n"},
		{"chekc", "unknown command 'chekc'; did you mean check?\n`pypto-ls --help` lists the commands.\n"},
		{"help wrong", "unknown command 'wrong'\n`pypto-ls --help` lists the commands.\n"},
		{"plan none.py", "none.py: no such file or directory\n"},
		{"plan --platform Ascend1 a.pypto.py", "Unknown platform 'Ascend1' (command line); known: Ascend910B, Ascend950\n"},
		{"plan --from Nowhere a.pypto.py", "unknown --from 'Nowhere': frontend, or a pass such as MaterializeTensorStrides or MemoryReuse\n"},
		{"ir --after Nowhere a.pypto.py", "there is no IR after 'Nowhere' here: there is one after MaterializeTensorStrides, InitMemRef, MaterializeSemanticAliases, MemoryReuse, AllocateMemoryAddr\n"},
		{"plan --function other a.pypto.py", "there is no function 'other'; there are: good\n"},
		{"plan --compare --function other a.pypto.py", "there is no function 'other'; there are: good\n"},
		{"map --function other a.pypto.py", "there is no function 'other'; there are: good\n"},
		{"map --config none.toml a.pypto.py", "none.toml: no such file or directory\n"},
	} {
		code, out, errs := run("", strings.Fields(c.args)...)
		if code != 2 || out != "" {
			t.Errorf("%s: exit code %d, output %q", c.args, code, out)
		}
		if d := cmp.Diff("pypto-ls: "+c.want, errs); d != "" {
			t.Errorf("%s: %s", c.args, d)
		}
	}
	if code, out, _ := run("", "check", "--config", "none.toml", "a.pypto.py"); code != 2 || out != "a.pypto.py:1:1: error: none.toml: no such file or directory [configuration]\n" {
		t.Errorf("exit code %d, got %q", code, out)
	}
	// What is wrong with a configuration that was asked for is no finding.
	code, out, _ := run("", "check", "--config", "bad.toml", "a.pypto.py")
	if want := "a.pypto.py:1:1: error: bad.toml:2: "; code != 2 || !strings.HasPrefix(out, want) {
		t.Errorf("exit code %d, got %q, want %q", code, out, want)
	}
}

// TestFlagsAnywhere: flags and names mix; two dashes end the flags.
func TestFlagsAnywhere(t *testing.T) {
	var got []string
	fs := flag.NewFlagSet("x", flag.ContinueOnError)
	n := fs.Int("n", 0, "")
	b := fs.Bool("b", false, "")
	var l list
	fs.Var(&l, "l", "")
	e := &env{}
	got, ok := e.parse(fs, strings.Fields("p -n 3 q --b -l a,b - --l=c -- -n --"))
	if want := []string{"p", "q", "-", "-n", "--"}; !ok || !slices.Equal(got, want) || *n != 3 || !*b || l.String() != "a,b,c" {
		t.Errorf("got %q n=%d b=%v l=%v", got, *n, *b, l)
	}
}

// TestDistance: letters changed, put in or left out.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"format", "fromat", 2}, {"jobs", "job", 1}, {"", "abc", 3}, {"check", "chekc", 2}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%q %q: got %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
