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
	"color":      {"auto", "always", "never"},
	"log-level":  {"debug", "info", "warn", "error"},
	"after":      {"MaterializeTensorStrides", "InitMemRef", "MaterializeSemanticAliases", "MemoryReuse", "AllocateMemoryAddr", "all"},
	"from":       {"frontend", "MaterializeTensorStrides", "InitMemRef", "MaterializeSemanticAliases", "MemoryReuse", "AllocateMemoryAddr"},
}

// formats are the values of --format, by command.
var formats = map[string][]string{
	"check":  {"text", "json", "jsonl", "sarif", "github", "gitlab", "junit"},
	"plan":   {"table", "json"},
	"report": {"html", "markdown"},
}

func valuesOf(cmd string, f *flag.Flag) []string {
	if f.Name == "format" {
		return formats[cmd]
	}
	return choices[f.Name]
}

// argumentsOf are the arguments that a command takes, when they are no files.
func argumentsOf(cmd string) (words []string, files bool) {
	switch cmd {
	case "explain":
		return ruleCodes(), false
	case "completion":
		return []string{"bash", "zsh", "fish"}, false
	case "help":
		return commandNames(), false
	case "man", "serve", "version":
		return nil, false
	}
	return nil, true
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

// bashCompletion writes a function that offers, for the word being completed,
// the values of the flag before it, or else the command's flags and arguments.
func bashCompletion(w io.Writer) {
	cs := commands()
	fmt.Fprint(w, `_pypto_ls() {
  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" words="" files=""
  if [ "$cur" = "=" ]; then
    cur=""
  elif [ "$prev" = "=" ]; then
    prev="${COMP_WORDS[COMP_CWORD-2]}"
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="`+strings.Join(append(commandNames(), "help"), " ")+`"
  else case "${COMP_WORDS[1]} $prev" in
`)
	for _, n := range commandNames() {
		for _, f := range flagsOf(cs[n]) {
			v := valuesOf(n, f)
			switch {
			case len(v) > 0:
				fmt.Fprintf(w, "    '%s %s') words=\"%s\" ;;\n", n, dashed(f.Name), strings.Join(v, " "))
			case takesValue(f):
				fmt.Fprintf(w, "    '%s %s') files=1 ;;\n", n, dashed(f.Name))
			}
		}
	}
	fmt.Fprint(w, "    *) case \"${COMP_WORDS[1]}\" in\n")
	for _, n := range append(commandNames(), "help") {
		words, files := argumentsOf(n)
		for _, f := range flagsOf(cs[n]) {
			words = append(words, dashed(f.Name))
		}
		more := ""
		if files {
			more = " files=1"
		}
		fmt.Fprintf(w, "      %s) words=\"%s\"%s ;;\n", n, strings.Join(words, " "), more)
	}
	fmt.Fprint(w, `    esac ;;
  esac; fi
  COMPREPLY=()
  while IFS= read -r words; do
    COMPREPLY+=("$words")
  done < <(
    compgen -W "$words" -- "$cur"
    case "$files$cur" in 1-*) ;; 1*) compgen -f -- "$cur" ;; esac
  )
}
complete -o filenames -F _pypto_ls pypto-ls
`)
}

func fishCompletion(w io.Writer) {
	cs := commands()
	for _, n := range commandNames() {
		fmt.Fprintf(w, "complete -c pypto-ls -f -n __fish_use_subcommand -a %s -d '%s'\n", n, fishText(cs[n].short))
		in := "-n '__fish_seen_subcommand_from " + n + "'"
		for _, f := range flagsOf(cs[n]) {
			name := "-l " + f.Name
			if len(f.Name) == 1 {
				name = "-s " + f.Name
			}
			extra := ""
			if v := valuesOf(n, f); len(v) > 0 {
				extra = " -x -a '" + strings.Join(v, " ") + "'"
			} else if takesValue(f) {
				extra = " -r"
			}
			fmt.Fprintf(w, "complete -c pypto-ls %s %s%s -d '%s'\n", in, name, extra, fishText(f.Usage))
		}
		if words, files := argumentsOf(n); !files {
			fmt.Fprintf(w, "complete -c pypto-ls -f %s", in)
			if len(words) > 0 {
				fmt.Fprintf(w, " -a '%s'", strings.Join(words, " "))
			}
			fmt.Fprintln(w)
		}
	}
}

// fishText protects what a quoted text of fish would take for its own.
func fishText(s string) string { return strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) }
