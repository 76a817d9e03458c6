// Package adapters tests the adapters in this folder. With an adapter, the command conformance
// can test an implementation other than this library. To write your own adapter, copy one of
// these: the commands temoto and grobotstxt are in Go, python.py is in Python, and
// robots_parser.cjs is in JavaScript.
package adapters
