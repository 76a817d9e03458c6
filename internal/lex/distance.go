package lex

// Distance returns how many octets must be inserted, deleted, replaced or swapped with
// their neighbor to turn a into b (the optimal string alignment distance). It takes time
// proportional to the product of the lengths.
func Distance(a, b string) int {
	for a != "" && b != "" && a[0] == b[0] { // to save time, compare only what differs
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	var short [3][32]int
	before, row, next := short[0][:], short[1][:], short[2][:]
	if n := len(b) + 1; n > len(row) {
		before, row, next = make([]int, n), make([]int, n), make([]int, n)
	}
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
