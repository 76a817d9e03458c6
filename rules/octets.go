package rules

import (
	"math/bits"

	"github.com/robotstxt-go/robotstxt/internal/lex"
)

type octetSet [4]uint64

func (s *octetSet) add(c byte)      { s[c/64] |= 1 << (c % 64) }
func (s *octetSet) has(c byte) bool { return s[c/64]>>(c%64)&1 != 0 }

// appendTo appends the members in ascending order.
func (s *octetSet) appendTo(dst []byte) []byte {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			dst = append(dst, byte(i*64+bits.TrailingZeros64(word)))
		}
	}
	return dst
}

// ordinary contains the octets that a canonical path can have, except "%", in the order in
// which searches prefer them.
const ordinary = "xyzabcdefghijklmnopqrstuvw0123456789XYZABCDEFGHIJKLMNOPQRSTUVW-_.~/!&'()+,;=:@$?"

var (
	ordinaryChars = lex.CharsOf(ordinary + "*")         // a pattern that starts with "/" and has only these characters is canonical
	plainChars    = ordinaryChars &^ lex.CharsOf("*$?") // if a canonical pattern has only these characters, its pattern.form is the same string
	starChars     = lex.CharsOf("*")
)

// other returns an ordinary octet that is not in the set. If the set contains all ordinary octets,
// ok is false.
func (s *octetSet) other() (c byte, ok bool) {
	for i := range len(ordinary) {
		if !s.has(ordinary[i]) {
			return ordinary[i], true
		}
	}
	return 0, false
}
