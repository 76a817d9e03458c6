package robotstag

import (
	"errors"
	"io"

	"golang.org/x/net/html"
)

// MaxHTML is how many bytes of a page FromHTML reads.
const MaxHTML = 1 << 20

// FromHTML returns the directives of the meta elements in the first MaxHTML bytes of a
// page. An element that crosses this limit does not count.
//
// The page is in UTF-8 or in another encoding in which ASCII characters are themselves;
// decode UTF-16 first, for example with golang.org/x/net/html/charset. The only errors
// are those of r, which come with what was found before.
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

// addMeta adds the meta element at the offset if its name can be a crawler's. The
// tokenizer leaves out repeated attributes.
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
