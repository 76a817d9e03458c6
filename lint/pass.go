package lint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A pass is one call of Check.
type pass struct {
	*file
	silenced map[silence]bool

	row         *row // the row of the table whose check runs
	count       int  // how many lines that check has reported, at most mostLines
	mostLines   int
	aboutFile   []Finding
	aboutLine   []*Finding // the finding of each line, or nil
	comparisons int        // counted by spend

	// isOtherFormat is true if a check found that the file is an HTML page, for example. Then no more
	// checks run.
	isOtherFormat bool
}

func newPass(data []byte, ignored []string, mostLines int) *pass {
	f := newFile(data)
	p := &pass{
		file:      f,
		silenced:  silences(f.lines),
		aboutLine: make([]*Finding, len(f.lines)),
		mostLines: mostLines,
	}
	for _, code := range ignored {
		p.silenced[silence{wholeFile, code}] = true
	}
	return p
}

// run runs the check of a row, unless its code is ignored in the whole file.
func (p *pass) run(r *row) {
	if !p.silenced[silence{wholeFile, r.Name}] {
		p.row, p.count = r, 0
		r.check(p)
	}
}

// all returns the findings in the order of their lines.
func (p *pass) all() []Finding {
	all := p.aboutFile
	for _, f := range p.aboutLine {
		if f != nil {
			all = append(all, *f)
		}
	}
	slices.SortStableFunc(all, func(a, b Finding) int { return a.Line - b.Line })
	return all
}

// report reports a line with the code of the check that runs. The args replace %[1]v, %[2]v and so
// on in the advice. If the line already has a finding, or if its comment silences the code, report
// does nothing. In any case it returns a Finding, so that the caller can set its Fix.
func (p *pass) report(l *line, column int, args ...any) *Finding {
	isSilenced := p.silenced[silence{l.Number, p.row.Name}]
	if p.aboutLine[l.Number-1] != nil || isSilenced || p.count == p.mostLines {
		return &Finding{}
	}
	p.count++
	f := p.finding(l, column, args)
	p.aboutLine[l.Number-1] = &f
	return &f
}

// reportFile is like report, but for a finding about the whole file. The line is where a person
// should look first. It may have another finding.
func (p *pass) reportFile(l *line, args ...any) {
	p.aboutFile = append(p.aboutFile, p.finding(l, 1, args))
}

func (p *pass) finding(l *line, column int, args []any) Finding {
	advice := p.row.Advice
	if len(args) > 0 {
		advice = fmt.Sprintf(advice, args...)
	}
	return Finding{
		Line: l.Number, Column: column,
		Code: p.row.Name, Severity: p.row.Severity, Text: p.row.Text, Advice: advice,
	}
}

// spend counts n comparisons of lines or rules, and reports whether a check may make them. Only
// hostile files need more than 200,000.
func (p *pass) spend(n int) bool {
	const most = 200_000
	p.comparisons += n
	return p.comparisons <= most
}

// A silence is a code that is ignored on a line, or in the whole file.
type silence struct {
	line int
	code string
}

// wholeFile is the line of a silence for the whole file.
const wholeFile = 0

// silences returns the codes that comments with "robotstxt-lint: ignore" turn off, and where.
func silences(lines []*line) map[silence]bool {
	all := map[silence]bool{}
	for _, l := range lines {
		_, codes, ok := strings.Cut(l.Comment, "robotstxt-lint: ignore ")
		if !ok {
			continue
		}
		number := l.Number
		if l.content() == "" {
			number = wholeFile
		}
		for _, code := range strings.Fields(strings.ReplaceAll(codes, ",", " ")) {
			all[silence{number, code}] = true
		}
	}
	return all
}

// quote returns a text from the file in quotation marks. It escapes invisible characters, but no
// backslashes, so that people can compare the text with the file. It cuts long texts.
func quote(s string) string {
	return strings.ReplaceAll(strconv.Quote(cut(s, 200)), `\\`, `\`)
}

// cut returns a text, or its first runes and "…" if it has more than most of them.
func cut(s string, most int) string {
	n := 0
	for i := range s {
		if n == most {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// quoteAll returns a list such as `"a", "b" and "c"`.
func quoteAll(texts []string) string {
	var quoted []string
	for _, s := range texts {
		quoted = append(quoted, quote(s))
	}
	return lex.List(quoted, 3)
}

// mostListed is how many lines an advice lists.
const mostListed = 10

// quoteLines returns a list such as `"Disallow: /a" and "Disallow: /b"`.
func quoteLines(lines []*line) string {
	var quoted []string
	for _, l := range lines {
		quoted = append(quoted, quote(l.Key+": "+l.Value))
	}
	return lex.List(quoted, mostListed)
}

// linesOf returns a text such as "line 3" or "lines 3, 5 and 7 to 9" for the lines of lines or rules,
// which are in the order of the file.
func linesOf[T any](all []T, numberOf func(T) int) string {
	var numbers []int
	for _, x := range all {
		numbers = append(numbers, numberOf(x))
	}
	var ranges []string
	for i := 0; i < len(numbers); i++ {
		first := numbers[i]
		for i+1 < len(numbers) && numbers[i+1] == numbers[i]+1 {
			i++
		}
		text := strconv.Itoa(first)
		if first < numbers[i] {
			text = fmt.Sprintf("%d to %d", first, numbers[i])
		}
		ranges = append(ranges, text)
	}
	if len(numbers) == 1 {
		return "line " + ranges[0]
	}
	return "lines " + lex.List(ranges, mostListed)
}
