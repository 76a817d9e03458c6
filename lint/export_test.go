package lint

// CheckAll returns all findings, including those that Check merges.
var CheckAll = check

// Merged merges the findings that CheckAll returns.
var Merged = merged
