package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"

	"go.lsp.dev/protocol"

	"pypto-ls/analysis"
	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
	"pypto-ls/lsp/report"
)

// The commands of docs/protocol-extensions.md.
const (
	commandSwitchPlatform  = "pypto-ls.switchPlatform"
	commandSwitchPlanner   = "pypto-ls.switchPlanner"
	commandComparePlanners = "pypto-ls.comparePlanners"
	commandCheckWorkspace  = "pypto-ls.checkWorkspace"
	commandPlacementTable  = "pypto-ls.placementTable"
)

// command is one of them. Either loop changes the session at once, or work
// answers from a snapshot.
type command struct {
	loop     func(s *Session, arg json.RawMessage) (any, error)
	work     func(ctx context.Context, snap *Snapshot, arg json.RawMessage) (any, error)
	priority sched.Priority
	progress string // see traits
}

// commands are all there are.
var commands = map[string]command{
	commandSwitchPlatform:  {loop: (*Session).switchPlatform},
	commandSwitchPlanner:   {loop: (*Session).switchPlanner},
	commandComparePlanners: {work: comparePlanners, priority: sched.Normal},
	commandPlacementTable:  {work: placementTable, priority: sched.Normal},
	commandCheckWorkspace: {work: func(ctx context.Context, snap *Snapshot, _ json.RawMessage) (any, error) {
		return checkWorkspace(ctx, snap)
	}, priority: sched.Low, progress: "Checking the workspace"},
}

// executeCommandParams keep the arguments raw.
type executeCommandParams struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}

func executeCommandMethod(r *registry) {
	r.add(protocol.MethodWorkspaceExecuteCommand, &method{decode: decode[executeCommandParams], request: executeCommand})
	r.advertise(func(_ *client, caps *protocol317.ServerCapabilities) {
		var names []string
		for n := range commands {
			names = append(names, n)
		}
		sort.Strings(names)
		caps.ExecuteCommandProvider = &protocol.ExecuteCommandOptions{Commands: names}
	})
}

func executeCommand(s *Session, c *call, params any) {
	p := params.(*executeCommandParams)
	cmd, ok := commands[p.Command]
	if !ok {
		c.reply(nil, invalidParams(fmt.Errorf("unknown command %.100q", p.Command)))
		return
	}
	arg := json.RawMessage("{}")
	if len(p.Arguments) > 0 {
		arg = p.Arguments[0]
	}
	if cmd.loop != nil {
		c.reply(cmd.loop(s, arg))
		return
	}
	snap := s.snapshot()
	s.work(c, cmd.priority, func(ctx context.Context) (any, error) {
		if cmd.progress != "" {
			ctx = s.withProgress(ctx, c, c.params, cmd.progress)
			defer endProgress(ctx)
		}
		return cmd.work(ctx, snap, arg)
	})
}

// argument decodes the one object that a command takes.
func argument[T any](raw json.RawMessage) (T, error) {
	var arg T
	if err := json.Unmarshal(raw, &arg); err != nil {
		return arg, invalidParams(err)
	}
	return arg, nil
}

type target struct {
	Platform string `json:"platform"`
	Planner  string `json:"planner"`
}

func (s *Session) switchPlatform(raw json.RawMessage) (any, error) {
	arg, err := argument[target](raw)
	if err != nil {
		return nil, err
	}
	if arg.Platform == "" {
		return nil, invalidParams(errors.New("no platform is named"))
	}
	return s.choose(Choice{Platform: arg.Platform, Planner: s.chosen.Planner})
}

func (s *Session) switchPlanner(raw json.RawMessage) (any, error) {
	arg, err := argument[target](raw)
	if err != nil {
		return nil, err
	}
	if arg.Planner == "" {
		return nil, invalidParams(errors.New("no planner is named"))
	}
	return s.choose(Choice{Platform: s.chosen.Platform, Planner: arg.Planner})
}

// choose makes the session plan for another target: for all documents, whatever
// their settings say.
func (s *Session) choose(want Choice) (any, error) {
	if err := checkTarget(s.knownConfig(want.Platform), want); err != nil {
		return nil, err
	}
	if want != s.chosen {
		s.chosen = want
		s.recheck()
	}
	t := target{cmp.Or(want.Platform, s.settings.Platform, analysis.DefaultPlatform), cmp.Or(want.Planner, s.settings.Planner, analysis.DefaultPlanner)}
	return t, nil
}

// knownConfig is a configuration that knows the platform, among those of the
// open documents and the workspace folders; else any.
func (s *Session) knownConfig(platform string) *analysis.Config {
	known := analysis.NoConfig()
	for _, c := range s.knownConfigs() {
		known = c.config()
		if _, ok := known.Lookup(platform); ok {
			break
		}
	}
	return known
}

type documentArgument struct {
	URI protocol.DocumentURI `json:"uri"`
}

type textResult struct {
	Text string `json:"text"`
}

func comparePlanners(_ context.Context, snap *Snapshot, raw json.RawMessage) (any, error) {
	arg, err := argument[documentArgument](raw)
	if err != nil {
		return nil, err
	}
	a := snap.analysed(snap.Doc(arg.URI))
	if a == nil {
		return nil, errNotOpen
	}
	return textResult{a.CompareText(nil)}, nil
}

func placementTable(_ context.Context, snap *Snapshot, raw json.RawMessage) (any, error) {
	arg, err := argument[documentArgument](raw)
	if err != nil {
		return nil, err
	}
	a := snap.analysed(snap.Doc(arg.URI))
	if a == nil {
		return nil, errNotOpen
	}
	var b strings.Builder
	report.Table(&b, a, a.PlanTable())
	return textResult{b.String()}, nil
}
