// Package adapters tests adapters of other implementations with the conformance suite. To
// write your own adapter, copy one of these: the commands temoto and grobotstxt are in Go,
// python.py is in Python, and robots_parser.cjs is in JavaScript.
package adapters
