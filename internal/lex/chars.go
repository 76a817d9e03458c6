package lex

import "unicode/utf8"

// A CharSet is a set of characters, stored in 64 bits. Some characters share a bit: an ASCII
// letter in upper and lower case, all digits, all control characters except the tab, and all
// characters outside ASCII. Every other character has a bit of its own. One more bit is set if
// the set contains a capital letter.
type CharSet uint64

// CharsOf returns the set of the characters of s.
func CharsOf[S []byte | string](s S) CharSet { return Union(&bitsOf, s) }

// Union looks up the set of each byte of s in a table, and returns the union of the sets.
func Union[T ~uint8 | ~uint64, S []byte | string](setOf *[256]T, s S) (union T) {
	if len(s) < 4 {
		for i := range len(s) {
			union |= setOf[s[i]]
		}
		return union
	}
	last := s[len(s)-4:]          // the last four bytes, some of which the loop takes, too
	for ; len(s) > 4; s = s[4:] { // handling four bytes at a time halves the running time
		union |= setOf[s[0]] | setOf[s[1]] | setOf[s[2]] | setOf[s[3]]
	}
	return union | setOf[last[0]] | setOf[last[1]] | setOf[last[2]] | setOf[last[3]]
}

// HasAny reports whether the set has any bit of the other set.
func (set CharSet) HasAny(other CharSet) bool { return set&other != 0 }

// HasAll reports whether the set has all bits of the other set.
func (set CharSet) HasAll(other CharSet) bool { return other&^set == 0 }

// These sets have one bit each. CharsOf sets the bit of Capitals if a string contains a
// capital letter, the bit of Digits if it contains a digit, and so on.
const (
	Capitals CharSet = 1 << (iota + 60)
	Digits
	Controls // control characters except the tab
	NonASCII // characters outside ASCII
)

// bitsOf contains, for each byte, the bits that CharsOf sets if the byte occurs in a string.
var bitsOf = func() (bits [256]CharSet) {
	next := CharSet(1)
	for c := range bits {
		switch b := byte(c); {
		case b >= utf8.RuneSelf:
			bits[c] = NonASCII
		case '0' <= b && b <= '9':
			bits[c] = Digits
		case 'a' <= b && b <= 'z':
			bits[c] = bits[b-'a'+'A'] &^ Capitals
		case IsGraphic(b) || b == ' ' || b == '\t':
			bits[c] = next
			next <<= 1
		default:
			bits[c] = Controls
		}
		if 'A' <= c && c <= 'Z' {
			bits[c] |= Capitals
		}
	}
	return bits
}()
