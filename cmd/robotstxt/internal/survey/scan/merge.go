package scan

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey/inputid"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey/output"
)

// Merge adds up summaries in files and folders: those that [Run] has written to [Options.Dir], and
// others in the same form. In a folder and its subfolders, it reads all files whose names end in
// ".summary.json". It returns an error that names both if two summaries are of the same input, or
// were made with different questions or by different programs.
func Merge(names iter.Seq2[string, error]) (*survey.Summary, error) {
	m := merger{seen: map[inputid.ID]string{}}
	for name, err := range names {
		if err == nil {
			err = m.addAll(name)
		}
		if err != nil {
			return nil, err
		}
	}
	if m.sum == nil {
		return nil, errors.New("no summaries to add up")
	}
	return m.sum, nil
}

// A merger adds up summaries.
type merger struct {
	sum   *survey.Summary
	first string                // the name of the first summary
	seen  map[inputid.ID]string // the names of the summaries, by their inputs
}

// addAll adds the summary in a file, or all summaries in a folder.
func (m *merger) addAll(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return m.add(name)
	}
	found := false
	err = filepath.WalkDir(name, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, output.SummarySuffix) {
			return err
		}
		found = true
		return m.add(path)
	})
	if err == nil && !found {
		err = fmt.Errorf("%s: no file in this folder ends in %s", name, output.SummarySuffix)
	}
	return err
}

// add adds the summary in a file. It must answer the same questions as the others, about other
// inputs.
func (m *merger) add(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	one, err := survey.ParseSummary(text)
	if err != nil {
		return fmt.Errorf("%s is %w", name, err)
	}
	if other, ok := m.seen[one.Inputs]; ok && one.Inputs != 0 {
		return fmt.Errorf("%s and %s are summaries of the same input", other, name)
	}
	m.seen[one.Inputs] = name
	if m.sum == nil {
		m.sum, m.first = one, name
		return nil
	}
	if err := m.sum.Merge(one); err != nil {
		return fmt.Errorf("%s and %s cannot be added up: %w", m.first, name, err)
	}
	return nil
}
