// Package wire reads and writes the lines of JSON with which the conformance program and an
// adapter talk to each other. conformance/README.md describes these lines.
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
	Status *int   `json:"status,omitempty"` // status of the response; omitted if it is 200
	Agent  Octets `json:"agent"`
	URL    Octets `json:"url"`
}

// StatusOr200 returns the status of the response, which is 200 if Status is nil.
func (q Question) StatusOr200() int {
	if q.Status == nil {
		return 200
	}
	return *q.Status
}

// An Answer is one line that an adapter writes. It has either a verdict, or the reason why
// there is no verdict.
type Answer struct {
	ID      string `json:"id"`
	Verdict string `json:"verdict,omitempty"` // "allow" or "disallow"
	Skip    string `json:"skip,omitempty"`    // why the implementation does not support the question
	Error   string `json:"error,omitempty"`   // how the implementation failed
}

// Verdict returns "allow" or "disallow".
func Verdict(allowed bool) string {
	if allowed {
		return "allow"
	}
	return "disallow"
}

// MaxLine is the maximum length of a line in bytes.
const MaxLine = 16 << 20

// Serve reads questions from the reader in, and calls the function answer for each question.
// It sets the ID of each answer, and writes the answer to the writer out.
func Serve(in io.Reader, out io.Writer, answer func(Question) Answer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, MaxLine)
	for lines.Scan() {
		var q Question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return fmt.Errorf("cannot decode the question: %w", err)
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
