package cli

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"pypto-ls/analysis/rules"
)

// choices are the values that flags of this name take.
var choices = map[string][]string{
	"platform":   {"Ascend910B", "Ascend950"},
	"planner":    {"PYPTO", "DSA_RP", "PTOAS"},
	"fail-level": {"error", "warning", "information", "hint"},
}

func valuesOf(cmd string, f *flag.Flag) []string {
	switch {
	case f.Name != "format":
		return choices[f.Name]
	case cmd == "check":
		return []string{"text", "json", "jsonl", "sarif", "github", "gitlab", "junit"}
	case cmd == "plan":
		return []string{"table", "json"}
	case cmd == "report":
		return []string{"html", "markdown"}
	}
	return nil
}

func runCompletion(e *env, args []string) int {
	fs := flag.NewFlagSet("completion", flag.ContinueOnError)
	pos, ok := e.parse(fs, args)
	if !ok {
		return exitUsage
	}
	if len(pos) != 1 {
		return e.fail("completion takes bash, zsh or fish")
	}
	switch pos[0] {
	case "bash":
		bashCompletion(e.out)
	case "zsh":
		fmt.Fprint(e.out, "#compdef pypto-ls\nautoload -U +X bashcompinit && bashcompinit\n")
		bashCompletion(e.out)
	case "fish":
		fishCompletion(e.out)
	default:
		return e.fail("no completion for '%s': bash, zsh or fish", pos[0])
	}
	return exitOK
}

func ruleCodes() []string {
	var out []string
	for _, r := range rules.All() {
		out = append(out, r.Code)
	}
	return out
}

func bashCompletion(w io.Writer) {
	cs := commands()
	fmt.Fprint(w, `_pypto_ls() {
  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "`+strings.Join(commandNames(), " ")+`" -- "$cur"))
    return
  fi
  case "${COMP_WORDS[1]} $prev" in
`)
	for _, n := range commandNames() {
		for _, f := range flagsOf(cs[n]) {
			if v := valuesOf(n, f); len(v) > 0 {
				fmt.Fprintf(w, "    '%s --%s') words=\"%s\" ;;\n", n, f.Name, strings.Join(v, " "))
			}
		}
	}
	fmt.Fprint(w, "  esac\n  if [ -z \"$words\" ]; then case \"${COMP_WORDS[1]}\" in\n")
	for _, n := range commandNames() {
		var words []string
		for _, f := range flagsOf(cs[n]) {
			words = append(words, "--"+f.Name)
		}
		switch n {
		case "explain":
			words = append(words, ruleCodes()...)
		case "completion":
			words = append(words, "bash", "zsh", "fish")
		}
		if len(words) > 0 {
			fmt.Fprintf(w, "    %s) words=\"%s\" ;;\n", n, strings.Join(words, " "))
		}
	}
	fmt.Fprint(w, `  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  case "$cur" in -*) ;; *) COMPREPLY+=($(compgen -f -- "$cur")) ;; esac
}
complete -o filenames -F _pypto_ls pypto-ls
`)
}

func fishCompletion(w io.Writer) {
	cs := commands()
	for _, n := range commandNames() {
		fmt.Fprintf(w, "complete -c pypto-ls -n __fish_use_subcommand -a %s -d '%s'\n", n, fishText(cs[n].short))
		for _, f := range flagsOf(cs[n]) {
			extra := ""
			if v := valuesOf(n, f); len(v) > 0 {
				extra = " -x -a '" + strings.Join(v, " ") + "'"
			} else if takesValue(f) {
				extra = " -r"
			}
			fmt.Fprintf(w, "complete -c pypto-ls -n '__fish_seen_subcommand_from %s' -l %s%s -d '%s'\n", n, f.Name, extra, fishText(f.Usage))
		}
	}
	fmt.Fprintf(w, "complete -c pypto-ls -n '__fish_seen_subcommand_from explain' -f -a '%s'\n", strings.Join(ruleCodes(), " "))
	fmt.Fprint(w, "complete -c pypto-ls -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n")
}

func fishText(s string) string { return strings.ReplaceAll(s, "'", `\'`) }
