package engine

import "slices"

// spans sorts line numbers, and combines consecutive numbers into spans.
func spans(numbers []int) []span {
	slices.Sort(numbers)
	runs := []span{}
	for _, n := range numbers {
		if last := len(runs) - 1; last >= 0 && n <= runs[last][1]+1 {
			runs[last][1] = n
		} else {
			runs = append(runs, span{n, n})
		}
	}
	return runs
}
