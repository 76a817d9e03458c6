package engine

import "github.com/robotstxt-go/robotstxt"

// A compareAnswer is which verdicts change between two versions of a file, for any URL
// and any crawler.
type compareAnswer struct {
	Changes []change `json:"changes"`
}

// A change is what changes for some crawlers, in the same way for each.
type change struct {
	Agents      []string     `json:"agents"`
	Others      bool         `json:"others"` // it is also for those that neither version names
	Differences []difference `json:"differences"`
	Undecided   []note       `json:"undecided"` // rules that are too intricate to compare
}

// A difference is two decisions that contradict each other, with a URL that they are about.
type difference struct {
	URL    string   `json:"url"`
	Before decision `json:"before"`
	After  decision `json:"after"`
}

// compare compares the old version of the file with the new one.
func compare(req Request) compareAnswer {
	return compareAnswer{changesBetween(parseBefore(req.Before), robotstxt.Parse([]byte(req.Text)))}
}

func changesBetween(before, after *robotstxt.File) []change {
	return []change{}
}
