package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
)

// PrintJSON writes v as one line of JSON.
func PrintJSON(w io.Writer, v any) error { return printJSON(w, "", v) }

// PrintLongJSON writes v as indented JSON.
func PrintLongJSON(w io.Writer, v any) error { return printJSON(w, "  ", v) }

func printJSON(w io.Writer, indent string, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escapeControls(b.Bytes()))
	return err
}

// escapeControls escapes the characters of a JSON text with which a file could control a terminal, and
// which encoding/json leaves as they are: U+007F to U+009F, and the characters that change the
// direction of text. JSON has them only in strings.
func escapeControls(text []byte) []byte {
	if !bytes.ContainsFunc(text, isControl) {
		return text
	}
	var escaped []byte
	for _, r := range string(text) {
		if isControl(r) {
			escaped = fmt.Appendf(escaped, `\u%04x`, r)
		} else {
			escaped = append(escaped, string(r)...)
		}
	}
	return escaped
}

func isControl(r rune) bool {
	return 0x7f <= r && r <= 0x9f || unicode.Is(unicode.Bidi_Control, r)
}
