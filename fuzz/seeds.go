package fuzz

import (
	"path"

	"github.com/robotstxt-go/robotstxt/internal/casefile"
)

// Seeds returns inputs made from the conformance cases in dir, the folder testdata at the
// root of the repository. Each element of pairs contains two robots.txt files, for the fuzz
// target Diff. Each element of single contains one file, for the other targets.
func Seeds(dir string) (single, pairs [][]byte, err error) {
	format := casefile.Format{"want": {Fields: "allow|disallow text text line text*"}}
	for _, section := range []string{"reasons", "chosen", "groups", "sitemaps", "records", "crawl-delay"} {
		format[section] = casefile.Spec{Text: true}
	}
	for _, section := range []string{"tokens", "locations", "covers", "status"} {
		format[section] = casefile.Spec{Text: true, Alone: true}
	}
	cases, err := casefile.ReadFolders(format, path.Join(dir, "rfc9309"), path.Join(dir, "google"), path.Join(dir, "ours"))
	if err != nil {
		return nil, nil, err
	}
	var before []byte
	for _, c := range cases {
		want, _ := c.Section("want")
		for _, row := range want.Rows {
			single = append(single, Join(row.Fields[1], row.Fields[2], c.Robots))
			pairs = append(pairs, Join(row.Fields[1], row.Fields[2], before, c.Robots))
		}
		if len(want.Rows) > 0 {
			before = c.Robots
		}
	}
	return single, pairs, nil
}
