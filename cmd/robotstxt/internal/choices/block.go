package choices

import (
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt/internal/section"
)

// The lines around the lines that Apply adds.
const (
	firstLine = "# robotstxt ai --set "
	lastLine  = "# robotstxt ai --set: end"
)

// A block consists of the lines of a file from firstLine to lastLine.
type block struct {
	choices Choices  // from the first line
	number  int      // the number of the first line
	lines   []string // with their ends
}

// cut returns a file without its blocks, and the blocks. A first line without choices or without a last
// line does not start a block.
func cut(data []byte) (clean []byte, blocks []block) {
	lines := splitLines(data)
	for i := 0; i < len(lines); i++ {
		if b, ok := blockAt(lines, i); ok {
			blocks = append(blocks, b)
			i += len(b.lines) - 1
			continue
		}
		clean = append(clean, lines[i]...)
	}
	return clean, blocks
}

// blockAt returns the block that starts with the line of an index.
func blockAt(lines []string, first int) (block, bool) {
	list, ok := strings.CutPrefix(withoutEnd(lines[first]), firstLine)
	if !ok {
		return block{}, false
	}
	c, err := Parse(list)
	if err != nil {
		return block{}, false
	}
	for i, line := range lines[first+1:] {
		switch {
		case withoutEnd(line) == lastLine:
			return block{c, first + 1, lines[first : first+i+2]}, true
		case strings.HasPrefix(line, firstLine):
			return block{}, false
		}
	}
	return block{}, false
}

// foreign returns the number of the first line of the block that Apply would not write for the choices of
// the block, or 0 if there is none. Blank lines do not count.
func (b block) foreign(clean []byte) int {
	ours := []string{"Disallow:"}                  // above the groups, if the file was without rules at its end
	_, written := cut(b.choices.edit(clean, true)) // with preferences, there are more lines
	for _, w := range written {
		ours = append(ours, w.lines[1:len(w.lines)-1]...)
	}
	if records := b.choices.records(); len(records) > 0 { // if the file was without a group of "*"
		ours = append(append(append(ours, "User-agent: *"), records...), "Disallow:")
	}
	for i, line := range b.lines[1 : len(b.lines)-1] {
		if strings.TrimSpace(line) == "" {
			continue
		}
		at := slices.IndexFunc(ours, func(o string) bool { return withoutEnd(o) == withoutEnd(line) })
		if at < 0 {
			return b.number + 1 + i
		}
		ours = ours[at+1:]
	}
	return 0
}

func withoutEnd(line string) string { return strings.TrimRight(line, "\r\n") }

// splitLines returns the lines of a file with their ends: CR, LF or CRLF.
func splitLines(data []byte) (lines []string) {
	text := string(data)
	for text != "" {
		end := strings.IndexAny(text, "\r\n")
		if end < 0 {
			return append(lines, text)
		}
		end += len(section.LineEnd([]byte(text[end:min(len(text), end+2)])))
		lines, text = append(lines, text[:end]), text[end:]
	}
	return lines
}

// lineEnd returns the end of the first line of a file.
func lineEnd(data []byte) string {
	for _, line := range splitLines(data) {
		if end := line[len(strings.TrimRight(line, "\r\n")):]; end != "" {
			return end
		}
	}
	return "\n"
}
