// Package casefile reads the conformance cases of this module. Each file shows one
// topic:
//
//	A sentence or two about what the cases show.
//	Source: RFC 9309, section 2.2.2
//
//	-- robots.txt --
//	User-agent: *
//	Disallow: /a
//	-- want --
//	# verdict  agent  URL  line of the rule that decided, or -
//	disallow  foobot        https://example.com/a  2
//	allow     "foo bot/1.0"  /b                     -
//
// The file testdata/README.md at the root of the repository explains the format. Other
// packages have cases in the same format, but with other sections; see [Format].
//
// The package returns an error for anything that it does not understand. Otherwise a test
// could pass because its case was misread. Most errors start with file:line.
package casefile

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"
)

// A Case consists of a robots.txt file and sections with the expected results. Some cases
// have no robots.txt file.
type Case struct {
	File     string // such as "testdata/rfc9309/2.1-groups.txt"
	Line     int    // line number of the first header of the case
	Sentence string // what the cases of the file show, from the first lines of the file
	Source   string // where the expectations come from, such as "RFC 9309, section 2.2.2"
	Note     string // a note about this case, or empty

	HasRobots bool   // whether the case has a robots.txt file, which may be empty
	Robots    []byte // content of the robots.txt file
	Quoted    bool   // whether the first section of the case consists of Go string literals

	Sections []Section // in the order of the file
}

// A Section holds the rows or the text below a header such as "-- want --".
type Section struct {
	Name string
	Line int    // line number of the header
	Rows []Row  // nil if Spec.IsText is set for the section
	Text []byte // nil unless Spec.IsText is set for the section
}

// A Row is one line of a section, cut into fields.
type Row struct {
	Line   int
	Fields []string
	Either bool // the row ends in "either", because the source permits both answers
}

// Folder returns the name of the folder of the case's file, such as "rfc9309".
func (c *Case) Folder() string { return path.Base(path.Dir(c.File)) }

// At returns the position of a line in the case's file as file:line.
func (c *Case) At(line int) string { return fmt.Sprintf("%s:%d", c.File, line) }

// Section returns the section with the given name, or false if the case has no such section.
func (c *Case) Section(name string) (s Section, ok bool) {
	for _, s := range c.Sections {
		if s.Name == name {
			return s, true
		}
	}
	return Section{}, false
}

// The keys of a Format are the names of the sections that cases can have. The sections
// "robots.txt" and "note" exist in every format.
type Format map[string]Spec

// A Spec describes the contents of all sections with the same name.
type Spec struct {
	// Fields lists the kinds of the fields in a row, separated by spaces:
	//
	//	text      any string
	//	line      a line number (the first line is 1), or "-"
	//	number    a whole number
	//	duration  a Go duration such as "10s", or "-"
	//	position  line and column, such as "2:11"
	//	a|b|c     one of these words
	//
	// The last kind may end in "?" if the field is optional, or in "*" if there
	// may be any number of such fields.
	Fields      string
	NoFile      bool // a case consists of only this section, without a robots.txt file
	First       bool // a case may start with this section instead of a robots.txt file
	AllowEmpty  bool // the section may be empty, which means that no results are expected
	IsText      bool // the section has no rows; it contains text or Go string literals
	AllowEither bool // a row may have the word "either" after its fields
}

// ReadFolders returns the cases in all files of the folders of fsys, sorted by file name within a
// folder. Each folder must contain cases. Subfolders and README.md are ignored; all other
// files must be .txt files.
func ReadFolders(fsys fs.FS, format Format, folders ...string) ([]Case, error) {
	var cases []Case
	var faults []error
	for _, folder := range folders {
		entries, err := fs.ReadDir(fsys, folder)
		if err != nil {
			return nil, err
		}
		before := len(cases)
		for _, e := range entries {
			if e.IsDir() || e.Name() == "README.md" {
				continue
			}
			more, err := readFile(fsys, format, path.Join(folder, e.Name()))
			cases = append(cases, more...)
			faults = append(faults, err)
		}
		if len(cases) == before {
			faults = append(faults, fmt.Errorf("%s: the folder contains no cases", folder))
		}
	}
	return cases, errors.Join(faults...)
}

func readFile(fsys fs.FS, format Format, file string) ([]Case, error) {
	if path.Ext(file) != ".txt" {
		return nil, fmt.Errorf("%s: not a .txt file", file)
	}
	text, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, err
	}
	return Parse(format, file, string(text))
}

// Parse returns the cases in text, which is the content of the given file.
func Parse(format Format, file, text string) ([]Case, error) {
	r := reader{format: format, file: file}
	for line := range strings.Lines(text) {
		r.number++
		if err := r.read(line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, r.number, err)
		}
	}
	if r.sentence == "" || r.source == "" {
		return nil, fmt.Errorf("%s:1: the file does not start with a sentence and a line \"Source: …\"", file)
	}
	if len(r.cases) == 0 {
		return nil, fmt.Errorf("%s:1: the file contains no cases", file)
	}
	for i := range r.cases {
		c := &r.cases[i]
		c.Sentence, c.Source = r.sentence, r.source
		if err := format.check(c); err != nil {
			return nil, err
		}
	}
	return r.cases, nil
}

// check returns an error if a case or a section has no expectations.
func (f Format) check(c *Case) error {
	if len(c.Sections) == 0 {
		return fmt.Errorf("%s: the robots.txt has no expectations", c.At(c.Line))
	}
	for _, s := range c.Sections {
		if spec := f[s.Name]; len(s.Rows) == 0 && !spec.AllowEmpty && !spec.IsText {
			return fmt.Errorf("%s: the section has no rows", c.At(s.Line))
		}
	}
	return nil
}

type reader struct {
	format                 Format
	file                   string
	number                 int // number of the current line
	sentence, source, note string
	name                   string // name of the current section; empty above the first section
	quoted                 bool   // the current section consists of Go string literals
	noFile                 bool   // the only section of the current case has Spec.NoFile, so the case cannot have another section
	cases                  []Case
}

func (r *reader) read(line string) error {
	if name, ok := cutHeader(line); ok {
		return r.header(name)
	}
	switch {
	case r.name == "":
		r.head(strings.TrimSpace(line))
		return nil
	case r.name == "note":
		join(&r.note, strings.TrimSpace(line))
		return nil
	case r.name == "robots.txt":
		c := r.last()
		return r.text(&c.Robots, line)
	}
	c := r.last()
	s := &c.Sections[len(c.Sections)-1]
	if r.format[r.name].IsText {
		return r.text(&s.Text, line)
	}
	return r.row(s, line)
}

// cutHeader returns the name in a line such as "-- want --".
func cutHeader(line string) (name string, ok bool) {
	name, ok = strings.CutPrefix(strings.TrimRight(line, "\r\n"), "-- ")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(name, " --")
}

func (r *reader) last() *Case { return &r.cases[len(r.cases)-1] }

// head processes a line above the first section. The lines above "Source: …" say what the cases
// show. The lines below it are the note on the first case.
func (r *reader) head(line string) {
	source, isSource := strings.CutPrefix(line, "Source: ")
	switch {
	case isSource && r.source == "":
		r.source = strings.TrimSpace(source)
	case r.source == "":
		join(&r.sentence, line)
	default:
		join(&r.note, line)
	}
}

// join adds a line to a paragraph.
func join(paragraph *string, line string) {
	*paragraph = strings.TrimSpace(*paragraph + " " + line)
}

// header starts a section.
func (r *reader) header(title string) error {
	name, quoted := strings.CutSuffix(title, ".quoted")
	spec, known := r.format[name]
	isText := name == "robots.txt" || spec.IsText
	switch {
	case name == "note" && !quoted:
		r.name, r.quoted, r.note = name, false, ""
		return nil
	case !known && name != "robots.txt" || quoted && !isText:
		return fmt.Errorf("unknown section %q", title)
	case name == "robots.txt" || spec.NoFile || spec.First:
		hasRobots := name == "robots.txt"
		r.cases = append(r.cases, Case{File: r.file, Line: r.number, Note: r.note, HasRobots: hasRobots, Quoted: quoted})
		r.note, r.noFile = "", spec.NoFile
	case len(r.cases) == 0 || r.noFile:
		return fmt.Errorf("section %q has no robots.txt section above it", title)
	}
	r.name, r.quoted = name, quoted
	if name == "robots.txt" {
		return nil
	}
	c := r.last()
	if _, twice := c.Section(name); twice {
		return fmt.Errorf("section %q occurs twice in this case", title)
	}
	c.Sections = append(c.Sections, Section{Name: name, Line: r.number})
	return nil
}

// text processes a line of a text section.
func (r *reader) text(text *[]byte, line string) error {
	if !r.quoted {
		*text = append(*text, line...)
		return nil
	}
	fields, err := cutFields(line)
	if err != nil || len(fields) == 0 {
		return err
	}
	times := 1
	switch {
	case strings.TrimLeft(line, " \t")[0] != '"':
		return errors.New("not a Go string literal")
	case len(fields) == 1:
	case len(fields) == 3 && fields[1] == "x":
		if times, err = strconv.Atoi(fields[2]); err != nil || times < 1 {
			return fmt.Errorf("the number of repetitions must be at least 1, not %q", fields[2])
		}
	default:
		return errors.New("want a Go string literal, or a repeated one such as \"ab\" x 3")
	}
	*text = append(*text, strings.Repeat(fields[0], times)...)
	return nil
}

// row reads a line of a section that consists of rows. It skips comments and blank lines.
func (r *reader) row(s *Section, line string) error {
	if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
		return nil
	}
	fields, err := cutFields(line)
	if err != nil {
		return err
	}
	spec := r.format[s.Name]
	row := Row{Line: r.number, Fields: fields}
	if last := len(fields) - 1; spec.AllowEither && fields[last] == "either" {
		row.Fields, row.Either = fields[:last], true
	}
	if !fit(strings.Fields(spec.Fields), row.Fields) {
		return fmt.Errorf("not a row of section %q, whose fields are %s", s.Name, spec.Fields)
	}
	s.Rows = append(s.Rows, row)
	return nil
}

// cutFields splits a line into fields at spaces and tabs. A field that starts with a quote
// is a Go string literal.
func cutFields(line string) ([]string, error) {
	const blank = " \t\r\n"
	var fields []string
	for {
		line = strings.TrimLeft(line, blank)
		if line == "" {
			return fields, nil
		}
		end := strings.IndexAny(line+"\n", blank)
		field := line[:end]
		if line[0] == '"' {
			literal, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, errors.New("a field starts with a quote but is not a Go string literal")
			}
			end = len(literal)
			field, _ = strconv.Unquote(literal)
		}
		if line = line[end:]; line != "" && !strings.Contains(blank, line[:1]) {
			return nil, errors.New("a space must follow a Go string literal")
		}
		fields = append(fields, field)
	}
}

// fit reports whether the fields of a row are of the given kinds, in the same order. The kinds are
// written as in [Spec].Fields.
func fit(kinds, fields []string) bool {
	for _, kind := range kinds {
		kind, repeated := strings.CutSuffix(kind, "*")
		kind, optional := strings.CutSuffix(kind, "?")
		if len(fields) == 0 {
			return repeated || optional
		}
		for ok := true; ok && len(fields) > 0; ok = repeated {
			if !isKind(kind, fields[0]) {
				return false
			}
			fields = fields[1:]
		}
	}
	return len(fields) == 0
}

// isKind reports whether a field is of the given kind; see [Spec].
func isKind(kind, field string) bool {
	switch kind {
	case "text":
		return true
	case "line":
		return isCount(field) || field == "-"
	case "number":
		_, err := strconv.Atoi(field)
		return err == nil
	case "duration":
		_, err := time.ParseDuration(field)
		return err == nil || field == "-"
	case "position":
		line, column, _ := strings.Cut(field, ":")
		return isCount(line) && isCount(column)
	}
	return strings.Contains("|"+kind+"|", "|"+field+"|") && !strings.Contains(field, "|")
}

// isCount reports whether field is a number greater than 0.
func isCount(field string) bool {
	n, err := strconv.Atoi(field)
	return err == nil && n > 0
}
