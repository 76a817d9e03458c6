// Package browsertest tests the page of package web in Chromium, both as Handler serves
// it and as WriteSite writes it. It is a separate module, so that no other module
// depends on the packages that drive the browser.
//
//	go test .                               # needs chromium in the PATH, or its path in CHROMIUM
//	go test . -run Pictures -pictures DIR   # writes screenshots to the folder DIR
//	go test . -run README -update           # writes docs/page.png
package browsertest
