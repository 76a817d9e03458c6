package casefile

import (
	"io/fs"
	"path"
)

// ReasonNames is a kind of field for Spec.Fields. A field of this kind contains the name of a
// robotstxt.Reason constant.
const ReasonNames = "RuleMatched|NoRuleMatched|NoGroup|RobotsTxt|FileUnavailable|FileUnreachable"

// Protocol returns the format of the cases in the folder testdata at the root of the
// repository. The README.md there explains the format.
func Protocol() Format {
	return Format{
		"want":        {Fields: "allow|disallow text text line", AllowEither: true},
		"reasons":     {Fields: ReasonNames + " text text text?"},
		"chosen":      {Fields: "text text*"},
		"groups":      {Fields: "text line*", AllowEmpty: true},
		"sitemaps":    {Fields: "text", AllowEmpty: true},
		"records":     {Fields: "text line text text", AllowEmpty: true},
		"crawl-delay": {Fields: "text duration"},

		"tokens":    {Fields: "text text", NoFile: true},
		"locations": {Fields: "text text", NoFile: true},
		"covers":    {Fields: "yes|no text text", NoFile: true},
		"status":    {Fields: "number allow|disallow " + ReasonNames, NoFile: true, AllowEither: true},
	}
}

// ReadProtocol returns the cases in the folder dir of fsys, which has the content of the folder testdata at
// the root of the repository.
func ReadProtocol(fsys fs.FS, dir string) ([]Case, error) {
	return ReadFolders(fsys, Protocol(), path.Join(dir, "rfc9309"), path.Join(dir, "google"), path.Join(dir, "ours"))
}
