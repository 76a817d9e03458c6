package survey

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// WriteChart draws a picture as SVG. It has a bar for each agent, which shows the share of files that
// let the agent fetch nothing: in one color by a group that names it, in the others by a
// group for a shorter name and by the group for "*". More than five agents that only "*" shuts out, of
// equally many files, share a bar.
func (s *Summary) WriteChart(w io.Writer) error {
	const (
		left, top    = 200, 84  // where the bars start
		row, bar     = 20, 14   // the height of a row, and of a bar in it
		right, width = 580, 680 // where the longest bar ends, and the picture

		named, shorter, star = "#a63d2f", "#8c8c8c", "#e2a493"
	)
	agents := foldOthers(s.byClosed())
	longest := 1
	for _, a := range agents {
		longest = max(longest, a.None)
	}
	length := func(n int) float64 { return float64(n) / float64(longest) * (right - left) }
	height := top + row*len(agents) + 10

	var svg strings.Builder
	rect := func(x float64, y int, width float64, color string) {
		fmt.Fprintf(&svg, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", x, y, width, bar, color)
	}
	text := func(x float64, y int, attributes, text string) {
		fmt.Fprintf(&svg, `<text x="%.1f" y="%d" %s>%s</text>`+"\n", x, y, attributes, html.EscapeString(text))
	}
	fmt.Fprintf(&svg, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="sans-serif" font-size="12">`+"\n", width, height)
	svg.WriteString(`<rect width="100%" height="100%" fill="white"/>` + "\n")
	text(20, 30, `font-size="16" font-weight="bold"`, "Crawlers that may not fetch any page")
	text(20, 48, "", fmt.Sprintf("as a share of %d robots.txt files", s.Files))
	rect(20, 58, bar, named)
	text(40, 69, "", "the file names the crawler")
	rect(210, 58, bar, shorter)
	text(230, 69, "", "it has a shorter name (Claude for Claude-User)")
	rect(540, 58, bar, star)
	text(560, 69, "", "only * applies")
	for i, a := range agents {
		y := top + row*i
		text(left-8, y+11, `text-anchor="end"`, fmt.Sprintf("%.28s", printable(a.Agent)))
		rect(left, y, length(a.Named.None), named)
		rect(left+length(a.Named.None), y, length(a.Shorter.None), shorter)
		rect(left+length(a.Named.None+a.Shorter.None), y, length(a.Star.None), star)
		text(left+length(a.None)+6, y+11, "", s.percent(a.None))
	}
	svg.WriteString("</svg>\n")
	_, err := io.WriteString(w, svg.String())
	return err
}

// foldOthers replaces each run of more than five agents that only the group for "*" shuts out, of equally
// many files, by one agent such as "48 others". The agents are in the order of byClosed.
func foldOthers(agents []AgentSummary) (rows []AgentSummary) {
	for len(agents) > 0 {
		first, n := agents[0], 0
		for n < len(agents) && agents[n].Star.None == first.None {
			n++
		}
		if n > 5 {
			first.Agent = fmt.Sprintf("%d others", n)
			rows = append(rows, first)
		} else {
			n = max(n, 1)
			rows = append(rows, agents[:n]...)
		}
		agents = agents[n:]
	}
	return rows
}
