package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Program is a server to be measured.
type Program struct {
	Name     string
	Command  []string
	Language string
	// Head is put before the generated text (settings of the file).
	Head string
	// Hints tells that the server serves inlay hints.
	Hints bool
}

// Plan says how a server is measured.
type Plan struct {
	Lines  int
	Keys   int
	Rhythm time.Duration // between two keystrokes
	Opens  int           // how often the file is opened
	Worst  bool          // measure the worst edits too
}

// Row is what was measured.
type Row struct {
	Program          Program
	Lines, Bytes     int
	Start            time.Duration // until initialize is answered
	Open, Key, Hints Times
	WorstEdits       Times
	HintCount        int
	Resident         int64 // bytes, at the end
	CPUPerKey        time.Duration
}

// Measure runs one server on one generated file in its language.
func Measure(p Program, plan Plan) (*Row, error) {
	shape, ok := Generate(p.Language, plan.Lines)
	if !ok {
		return nil, fmt.Errorf("no generator for %q", p.Language)
	}
	return MeasureShape(p, shape, plan)
}

// MeasureShape runs one server on one file; plan.Lines is only told.
func MeasureShape(p Program, shape Shape, plan Plan) (*Row, error) {
	dir, err := os.MkdirTemp("", "lspbench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if p.Head != "" {
		shape.Text = p.Head + "\n" + shape.Text
		shape.Middle++
	}
	if err := workspace(dir, shape); err != nil {
		return nil, err
	}
	s, err := Start(p.Command[0], p.Command[1:]...)
	if err != nil {
		return nil, err
	}
	defer s.Stop()
	row := &Row{Program: p, Lines: plan.Lines, Bytes: len(shape.Text)}
	if row.Start, err = s.Initialize(dir); err != nil {
		return nil, err
	}
	return row, row.measure(s, dir, shape, plan)
}

// workspace puts the file on the disk, and what else a server needs there.
func workspace(dir string, shape Shape) error {
	if shape.Language == "go" {
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module kernels\n\ngo 1.24\n"), 0o600); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, shape.Name), []byte(shape.Text), 0o600)
}

func (r *Row) measure(s *Server, dir string, shape Shape, plan Plan) error {
	e := s.Edit(dir, shape)
	for n := range max(plan.Opens, 1) {
		if n > 0 {
			if err := e.Close(); err != nil {
				return err
			}
			time.Sleep(200 * time.Millisecond)
		}
		took, err := e.Open()
		if err != nil {
			return err
		}
		r.Open = append(r.Open, took)
	}
	time.Sleep(500 * time.Millisecond)
	cpu := s.CPU()
	for range plan.Keys {
		took, err := e.Key()
		if err != nil {
			return err
		}
		r.Key = append(r.Key, took)
		if r.Program.Hints {
			took, n, err := e.Hints()
			if err != nil {
				return err
			}
			r.Hints, r.HintCount = append(r.Hints, took), n
		}
		time.Sleep(plan.Rhythm)
	}
	if plan.Keys > 0 {
		r.CPUPerKey = (s.CPU() - cpu) / time.Duration(plan.Keys)
	}
	r.Resident = s.RSS()
	if plan.Worst {
		var err error
		r.WorstEdits, err = e.Worst()
		return err
	}
	return nil
}
