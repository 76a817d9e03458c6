// Package browsertest tests the page of package web in Chromium: the page that Handler
// serves, and the page that WriteSite writes. The package is a separate module, so that no
// other module depends on the packages that drive the browser.
//
//	go test .                               # needs chromium in the PATH, or its path in CHROMIUM
//	go test . -run Pictures -pictures DIR   # writes screenshots to the folder DIR
//	go test . -run README -update           # writes docs/page.png
package browsertest
