package tags

import (
	"net/http"

	"github.com/robotstxt-go/robotstxt/aipref"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/answers"
)

// The headers that say how a page may be used for AI.
const (
	contentUsage  = string(aipref.ContentUsage)
	contentSignal = string(aipref.ContentSignal)
)

// aiHeaders are the Content-Usage and Content-Signal headers of a page. They are for all crawlers.
type aiHeaders struct {
	headers []aiHeader
	aipref.Preferences
	unknown []string // keys that say nothing about training, search and input
}

type aiHeader struct {
	Name   string `json:"name"`
	Number int    `json:"number"`
	Text   string `json:"text"`
}

func newAIHeaders(header http.Header) (a aiHeaders) {
	a.Preferences = aipref.ParseUsageHeader(header.Values(contentUsage)).Combine(aipref.ParseSignalHeader(header.Values(contentSignal)))
	for _, mechanism := range []aipref.Mechanism{aipref.ContentUsage, aipref.ContentSignal} {
		for i, text := range header.Values(string(mechanism)) {
			a.headers = append(a.headers, aiHeader{string(mechanism), i + 1, text})
			a.unknown = append(a.unknown, aipref.Signal{Mechanism: mechanism, Value: text}.Unknown()...)
		}
	}
	return a
}

// uses returns, as text, what the headers and the policy token say about each use.
func (a aiHeaders) uses() (uses []string) {
	for _, use := range []struct {
		name string
		aipref.Preference
	}{{"training", a.Training}, {"search", a.Search}, {"input", a.AIInput}} {
		if use.Value != aipref.Unknown {
			uses = append(uses, use.name+" "+use.String())
		}
	}
	return uses
}

// aiHeadersJSON is the JSON output about aiHeaders.
type aiHeadersJSON struct {
	Headers  []aiHeader         `json:"headers"`
	Training answers.Preference `json:"training"`
	Search   answers.Preference `json:"search"`
	Input    answers.Preference `json:"input"`
	Unknown  []string           `json:"unknown"`
}

func (a aiHeaders) json() aiHeadersJSON {
	return aiHeadersJSON{
		Headers:  append([]aiHeader{}, a.headers...),
		Training: answers.NewPreference(a.Training),
		Search:   answers.NewPreference(a.Search),
		Input:    answers.NewPreference(a.AIInput),
		Unknown:  append([]string{}, a.unknown...),
	}
}
