package main

import "testing"

// TestRows makes every measurement once, on made-up files, so that none rots.
func TestRows(t *testing.T) {
	files, err := readCorpus("")
	if err != nil {
		t.Fatal(err)
	}
	m := meter{rounds: 1}
	for _, r := range append(fileRows(m, files[:50]), matchRows(m)...) {
		for i, cell := range r.cells() {
			if cell == "" {
				t.Errorf("%s: no %s", r.what, header.cells()[i])
			}
		}
	}
}
