package survey_test

import (
	"fmt"

	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/survey"
)

func ExampleQuestions_Answer() {
	questions := survey.Questions{Agents: []string{"GPTBot", "FooBot"}}
	record := questions.Answer(survey.Capture{
		URL:    "https://example.com/robots.txt",
		Status: 200,
		Body:   []byte("User-agent: GPTBot\nDisallow: /\n"),
	})
	fmt.Println(record.Location, record.Access, record.Rules)
	for _, a := range record.Agents {
		fmt.Println(a.Agent, a.Coverage, a.Allowed, a.Line)
	}
	// Output:
	// https://example.com/robots.txt file 1
	// GPTBot none false 2
	// FooBot all true 0
}
