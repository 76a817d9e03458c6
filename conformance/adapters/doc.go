// Package adapters has adapters of other implementations for the conformance suite,
// which show how to write one: the commands temoto and grobotstxt, and
// urllib_robotparser.py.
package adapters
