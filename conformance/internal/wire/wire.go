// Package wire has the lines of JSON that the command conformance and an adapter
// exchange. The file conformance/README.md describes them.
package wire

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// A Question is one line that an adapter reads.
type Question struct {
	ID     string `json:"id"`
	Robots Octets `json:"robots"`
	Status *int   `json:"status,omitempty"` // of the response, if it is not 200
	Agent  Octets `json:"agent"`
	URL    Octets `json:"url"`
}

// StatusOr200 returns the status of the response.
func (q Question) StatusOr200() int {
	if q.Status == nil {
		return 200
	}
	return *q.Status
}

// An Answer is one line that an adapter writes. It has a verdict, or the reason why it
// has none.
type Answer struct {
	ID      string `json:"id"`
	Verdict string `json:"verdict,omitempty"` // "allow" or "disallow"
	Line    *int   `json:"line,omitempty"`    // of the rule that decides, or 0
	Skip    string `json:"skip,omitempty"`    // why the question does not apply
	Error   string `json:"error,omitempty"`   // how the implementation failed
}

// Verdict returns the verdict of an answer.
func Verdict(allowed bool) string {
	if allowed {
		return "allow"
	}
	return "disallow"
}

// MaxLine is the number of bytes that a line may have.
const MaxLine = 16 << 20

// Serve reads questions from in and writes what answer returns to out. It sets the ID
// of each answer.
func Serve(in io.Reader, out io.Writer, answer func(Question) Answer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, MaxLine)
	for lines.Scan() {
		var q Question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return fmt.Errorf("not a question: %w", err)
		}
		a := answer(q)
		a.ID = q.ID
		line, err := Marshal(a)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%s\n", line); err != nil {
			return err
		}
	}
	return lines.Err()
}
