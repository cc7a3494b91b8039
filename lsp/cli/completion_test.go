package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestBashCompletion: bash takes the script and offers what the commands take.
func TestBashCompletion(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash to try it with")
	}
	_, script, _ := run("", "completion", "bash")
	t.Chdir(t.TempDir())
	put(t, "script.bash", script)
	put(t, "kernels/a.py", "")
	put(t, "kern el.py", "")
	if out, err := exec.Command(bash, "-n", "script.bash").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	offered := func(words ...string) []string {
		t.Helper()
		// What readline does: the words so far, the last one being completed.
		cmd := exec.Command(bash, "--norc", "-c", `. ./script.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _pypto_ls; printf '%s\n' "${COMPREPLY[@]}"`, "bash")
		cmd.Args = append(cmd.Args, append([]string{"pypto-ls"}, words...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return strings.Split(strings.TrimSpace(string(out)), "\n")
	}
	for _, c := range []struct{ words, want string }{
		{"", strings.Join(commandNames(), " ") + " help"},
		{"ch", "check"},
		{"check --fo", "--format"},
		{"check --format ", "text json jsonl sarif github gitlab junit"},
		{"check --format j", "json jsonl junit"},
		{"check --format =s", "sarif"},
		{"check a --platform ", "Ascend910B Ascend950"},
		{"plan --planner D", "DSA_RP"},
		{"plan --format t", "table"},
		{"report --format m", "markdown"},
		{"check --fail-level w", "warning"},
		{"check --color n", "never"},
		{"explain cap", "capacity capacity-here"},
		{"completion ", "bash zsh fish"},
		{"completion k", ""},
		{"help re", "replay report"},
		{"man ", ""},
		{"check --max-usage k", "kern el.py|kernels"},
		{"check k", "kern el.py|kernels"},
		{"check kernels/", "kernels/a.py"},
		{"check --baseline ker", "kern el.py|kernels"},
	} {
		words := strings.Split(c.words, " ")
		if i := slices.Index(words, "=s"); i >= 0 { // `=` ends a word in bash
			words = append(words[:i], "=", "s")
		}
		sep := " "
		if strings.Contains(c.want, "|") {
			sep = "|"
		}
		got := offered(words...)
		want := strings.Split(c.want, sep)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", c.words, got, want)
		}
	}
	for _, n := range commandNames() {
		for _, f := range flagsOf(commands()[n]) {
			if !slices.Contains(offered(n, "-"), dashed(f.Name)) {
				t.Errorf("%s does not offer %s", n, dashed(f.Name))
			}
		}
	}
}

// TestOtherShells: the scripts pass the shells' own check, where they are here,
// and name every command and flag.
func TestOtherShells(t *testing.T) {
	dir := t.TempDir()
	for _, shell := range []string{"zsh", "fish"} {
		code, script, errs := run("", "completion", shell)
		if code != 0 || errs != "" {
			t.Fatalf("%s: exit code %d, errors %q", shell, code, errs)
		}
		for _, n := range commandNames() {
			for _, f := range flagsOf(commands()[n]) {
				want := dashed(f.Name)
				if shell == "fish" {
					want = " -l " + f.Name + " "
					if len(f.Name) == 1 {
						want = " -s " + f.Name + " "
					}
				}
				if !strings.Contains(script, want) {
					t.Errorf("%s: nothing of %s %s", shell, n, dashed(f.Name))
				}
			}
		}
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("there is no %s to check its script with", shell)
			continue
		}
		file := filepath.Join(dir, "script."+shell)
		if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(path, "-n", file).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", shell, err, out)
		}
	}
}
