package choices

import (
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/robotstxt-go/robotstxt/internal/section"
)

// Apply writes a line before and a line after the lines that it adds:
//
//	# robotstxt ai --set training=no
//	User-agent: GPTBot
//	Disallow: /
//
//	# robotstxt ai --set: end 3a1b0c9d
//
// The last line ends with a checksum of the lines between the two, so that Apply does not remove lines that
// somebody else has written there.
const (
	firstLine = "# robotstxt ai --set "
	lastLine  = "# robotstxt ai --set: end "
)

// A block consists of the lines of a file from firstLine to lastLine.
type block struct {
	first, last int // the numbers of these lines
	isOurs      bool
}

// newBlock returns the text of a block.
func newBlock(c Choices, lines []string, lineEnd string) string {
	all := []string{firstLine + c.String()}
	all = append(all, lines...)
	all = append(all, lastLine+checksum(lines), "")
	return strings.Join(all, lineEnd)
}

// checksum returns a checksum of lines, regardless of their ends and of blanks around them, which editors
// change.
func checksum(lines []string) string {
	hash := crc32.NewIEEE()
	for _, line := range lines {
		fmt.Fprintln(hash, strings.TrimSpace(line))
	}
	return fmt.Sprintf("%08x", hash.Sum32())
}

// cut returns a file without its blocks, and the blocks.
func cut(data []byte) (clean []byte, blocks []block) {
	lines := splitLines(data)
	for i := 0; i < len(lines); i++ {
		n := blockLen(lines[i:])
		if n == 0 {
			clean = append(clean, lines[i]...)
			continue
		}
		last := i + n - 1
		sum := strings.TrimPrefix(strings.TrimSpace(lines[last]), lastLine)
		blocks = append(blocks, block{i + 1, last + 1, sum == checksum(lines[i+1:last])})
		i = last
	}
	return clean, blocks
}

// blockLen returns the number of lines of the block at the start of lines, or 0 if no block starts there: if
// the first line has no choices, or if no last line follows.
func blockLen(lines []string) int {
	list, ok := strings.CutPrefix(strings.TrimSpace(lines[0]), firstLine)
	if _, err := Parse(list); !ok || err != nil {
		return 0
	}
	for i, line := range lines[1:] {
		if strings.HasPrefix(line, lastLine) {
			return i + 2
		}
		if strings.HasPrefix(line, firstLine) {
			return 0
		}
	}
	return 0
}

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
