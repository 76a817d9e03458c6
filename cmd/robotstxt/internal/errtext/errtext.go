// Package errtext has the text of errors for people, who need not know which package
// an error comes from.
package errtext

import "strings"

// Of returns the text of an error without the name of our package that made it.
func Of(err error) string {
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "robotshttp: "), "robotstxt: ")
}
