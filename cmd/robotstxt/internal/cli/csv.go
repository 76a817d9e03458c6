package cli

import (
	"io"
	"strings"
	"unicode/utf8"
)

// PrintCells writes a line of CSV. All cells are in quotation marks, because a spreadsheet may separate cells at
// semicolons or tabs.
func PrintCells(w io.Writer, cells []string) {
	var line []string
	for _, cell := range cells {
		line = append(line, `"`+strings.ReplaceAll(harmless(cell), `"`, `""`)+`"`)
	}
	io.WriteString(w, strings.Join(line, ",")+"\r\n") // RFC 4180, section 2
}

// harmless returns the text of a cell that no spreadsheet runs as a formula: with an apostrophe at the
// start, if it starts as formulas do.
//
// Source: https://owasp.org/www-community/attacks/CSV_Injection
func harmless(cell string) string {
	first, _ := utf8.DecodeRuneInString(cell)
	if strings.ContainsRune("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20", first) {
		return "'" + OneRow(cell)
	}
	return OneRow(cell)
}
