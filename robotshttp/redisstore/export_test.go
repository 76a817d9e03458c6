package redisstore

// Unchecked is for tests in which Redis does not work from the start.
var Unchecked = unchecked
