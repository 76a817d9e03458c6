package lint

import "strings"

// ignored has the findings that comments in the file silence.
type ignored struct {
	asking []*line                 // with such comments
	codes  map[string]bool         // in the whole file
	onLine map[int]map[string]bool // on one line
}

// has reports whether the file asks to ignore a finding.
func (i ignored) has(f Finding) bool { return i.codes[f.Code] || i.onLine[f.Line][f.Code] }

// readIgnored reads the comments that silence findings.
func readIgnored(lines []*line) ignored {
	all := ignored{codes: map[string]bool{}, onLine: map[int]map[string]bool{}}
	for _, l := range lines {
		codes := ignoredCodes(l.Comment)
		if len(codes) == 0 {
			continue
		}
		all.asking = append(all.asking, l)
		if content(l) == "" {
			addCodes(all.codes, codes)
		} else {
			all.onLine[l.Number] = map[string]bool{}
			addCodes(all.onLine[l.Number], codes)
		}
	}
	return all
}

func addCodes(set map[string]bool, codes []string) {
	for _, code := range codes {
		set[code] = true
	}
}

// ignoredCodes returns the codes that a comment silences.
func ignoredCodes(comment string) []string {
	rest, ok := strings.CutPrefix(strings.TrimLeft(comment, "# \t"), "robotstxt-lint:")
	if !ok {
		return nil
	}
	words := strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" \t,", r) })
	if len(words) == 0 || words[0] != "ignore" {
		return nil
	}
	return words[1:]
}

// checkIgnores finds comments that ask to ignore a code that does not exist.
func checkIgnores(c *checker) {
	for _, l := range c.ignored.asking {
		for _, code := range ignoredCodes(l.Comment) {
			if codeOf[code].Name == "" {
				c.report(Finding{Line: l.Number, Column: l.CommentColumn, Code: "ignored-code-unknown",
					Text: quote(code) + " is not the code of a finding, so the comment silences nothing by it."})
			}
		}
	}
}
