// Package testdata has the conformance cases. The command conformance contains them, so that it runs in any folder.
package testdata

import "embed"

//go:embed rfc9309 google ours
var Cases embed.FS // the folders of cases
