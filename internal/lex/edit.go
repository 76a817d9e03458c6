package lex

// HasAtMostOneEdit reports whether a is b, or becomes b if one byte is added, removed or replaced, or if
// two neighbors are swapped.
func HasAtMostOneEdit(a, b string) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	isSwap := len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
	return len(a) <= 1 && len(b) <= 1 || isSwap
}
