package fuzz_test

import (
	"testing"

	"github.com/robotstxt-go/robotstxt/fuzz"
)

// run fuzzes a target from the seeds for OSS-Fuzz, and ignores long inputs as OSS-Fuzz
// does.
func run(f *testing.F, target func([]byte) int, seeds [][]byte) {
	f.Helper()
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		const longest = 4 << 10
		if len(data) <= longest {
			target(data)
		}
	})
}

func readSeeds(f *testing.F) (single, pairs [][]byte) {
	f.Helper()
	single, pairs, err := fuzz.Seeds("../testdata")
	if err != nil {
		f.Fatal(err)
	}
	return single, pairs
}

func FuzzDecide(f *testing.F) {
	single, _ := readSeeds(f)
	run(f, fuzz.Decide, single)
}

func FuzzLint(f *testing.F) {
	single, _ := readSeeds(f)
	run(f, fuzz.Lint, single)
}

func FuzzDiff(f *testing.F) {
	_, pairs := readSeeds(f)
	run(f, fuzz.Diff, pairs)
}
