package robotshttp

// Sweep removes expired files from a folder, as some calls of Set do.
func (d Dir) Sweep(folder string) { d.sweep(folder) }
