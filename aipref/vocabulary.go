package aipref

import (
	"strings"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

// A use is a way of using a page.
type use int

// The uses. The zero value means that a vocabulary does not have the key.
const (
	training use = iota + 1
	search
	input
	display // how much of a page may be shown elsewhere
)

// usageKeys are the keys of Content-Usage (draft-ietf-aipref-vocab-08).
var usageKeys = map[string]use{"train-ai": training, "ai-use": input, "search": search}

// signalKeys are the keys of Content-Signal (contentsignals.org), in lower case.
var signalKeys = map[string]use{"ai-train": training, "ai-input": input, "search": search, "use": display}

// levels are the values of the key "use" of Content-Signal, from the least restrictive to the most.
var levels = []string{"full", "reference", "immediate"}

// cutPath splits the value of a record into a path and a list of preferences
// (draft-ietf-aipref-attach-05, section 3.2). The path is empty if the value does not start
// with "/".
func cutPath(value string) (path, list string) {
	if !strings.HasPrefix(value, "/") {
		return "", value
	}
	end := strings.IndexAny(value, " \t")
	if end < 0 {
		end = len(value)
	}
	return value[:end], strings.TrimLeft(value[end:], " \t")
}

// cutSignal returns the name and the value of a preference of Content-Signal, such as
// "ai-train=no", in lower case.
func cutSignal(preference string) (name, value string) {
	name, value, _ = strings.Cut(preference, "=")
	return lowerASCII(lex.Trim(name)), lowerASCII(lex.Trim(value))
}

// lowerASCII returns s with its ASCII letters in lower case. Unlike strings.ToLower, it leaves other
// bytes alone, because the Kelvin sign is not a "k" here.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
