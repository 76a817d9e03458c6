// Package adapters tests the adapters in this folder, which are for implementations other than
// this library. To write your own adapter, copy one of them: the commands temoto and grobotstxt
// are in Go, python.py is in Python, and robots_parser.cjs is in JavaScript.
package adapters
