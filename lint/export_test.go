package lint

// CheckAll returns all findings, including those that Check merges.
var CheckAll = check
