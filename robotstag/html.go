package robotstag

import (
	"errors"
	"io"

	"golang.org/x/net/html"
)

// MaxHTML is the largest number of bytes that FromHTML reads from a page.
const MaxHTML = 1 << 20

// FromHTML returns the directives in the meta elements of a page. It reads the first
// MaxHTML bytes and ignores an element that crosses this limit.
//
// The page must be in UTF-8 or another encoding that includes ASCII. Decode UTF-16 first, for
// example with golang.org/x/net/html/charset. If reading from r fails, FromHTML returns the
// error and the directives that it has found so far.
func FromHTML(r io.Reader) (Tags, error) {
	var t Tags
	z := html.NewTokenizer(io.LimitReader(r, MaxHTML))
	offset := 0
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		size := len(z.Raw())
		if kind == html.StartTagToken || kind == html.SelfClosingTagToken {
			switch tag, _ := z.TagName(); string(tag) {
			case "noscript":
				z.NextIsNotRawText()
			case "meta":
				t.addMeta(z, offset)
			}
		}
		offset += size
	}
	if err := z.Err(); !errors.Is(err, io.EOF) {
		return t, err
	}
	return t, nil
}

// addMeta adds the meta element that the tokenizer has just read. It ignores an element that
// has no content, or whose name cannot be the name of a crawler. If the element has an attribute
// twice, the first one counts, because the tokenizer leaves out the second one.
func (t *Tags) addMeta(z *html.Tokenizer, offset int) {
	var name, content []byte
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "name":
			name = value
		case "content":
			content = value
		}
	}
	text := plain(string(name))
	from, to := trimmed(text, 0, len(text))
	if token, ok := crawler(text[from:to]); ok && len(content) > 0 {
		t.lines = append(t.lines, line{source: Meta, offset: offset, token: token, value: string(content)})
	}
}
