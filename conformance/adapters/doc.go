// Package adapters tests adapters of other implementations with the conformance suite. Copy
// one to write your own: the commands temoto and grobotstxt are in Go, python.py is in
// Python, and robots_parser.cjs in JavaScript.
package adapters
