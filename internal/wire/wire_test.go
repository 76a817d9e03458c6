package wire

import (
	"encoding/json"
	"testing"
)

func TestOctets(t *testing.T) {
	for octets, want := range map[Octets]string{
		"":          `""`,
		"a<ツ\x00":   `"a<ツ\u0000"`,
		"\ufffd":    `"�"`,
		"a\xff\xfe": `{"base64":"Yf/+"}`,
	} {
		data, err := Marshal(octets)
		if err != nil || string(data) != want {
			t.Errorf("Marshal(%q) = %s, %v; want %s", octets, data, err, want)
		}
		var again Octets
		if err := json.Unmarshal(data, &again); err != nil || again != octets {
			t.Errorf("Unmarshal(%s) = %q, %v; want %q", data, again, err, octets)
		}
	}
	var o Octets
	for _, bad := range []string{`1`, `{"base64": "?"}`, `["a"]`} {
		if json.Unmarshal([]byte(bad), &o) == nil {
			t.Errorf("Unmarshal(%s) returned no error", bad)
		}
	}
}
