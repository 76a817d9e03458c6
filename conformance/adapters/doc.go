// Package adapters has adapters of other implementations for the conformance suite,
// which show how to write one: the commands temoto and grobotstxt, and
// python.py and robots_parser.cjs.
package adapters
