package wire

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// Octets is a string of any bytes. Its JSON is a string if the bytes are valid UTF-8, and
// otherwise an object {"base64": "…"}.
type Octets string

type encoded struct {
	Base64 []byte `json:"base64"`
}

// MarshalJSON encodes o as a string or as an object.
func (o Octets) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(o)) {
		return Marshal(string(o))
	}
	return Marshal(encoded{[]byte(o)})
}

// UnmarshalJSON decodes both forms that MarshalJSON returns: a string or an object.
func (o *Octets) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte(`"`)) {
		return json.Unmarshal(data, (*string)(o))
	}
	var e encoded
	err := json.Unmarshal(data, &e)
	*o = Octets(e.Base64)
	return err
}

// Marshal returns the JSON of v on one line. It does not escape characters such as "<".
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
