package signal_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/robotstxt-go/robotstxt/internal/signal"
)

func TestOf(t *testing.T) {
	for key, want := range map[string]*signal.Vocabulary{
		"Content-Usage": signal.Usage, "content_signal": signal.Signal, "CONTENTSIGNAL": signal.Signal, "License": nil, "": nil,
	} {
		if got := signal.Of(key); got != want {
			t.Errorf("Of(%q) = %v, want %v", key, got, want)
		}
	}
}

func TestCutPath(t *testing.T) {
	for value, want := range map[string]struct {
		path, list string
		offset     int
	}{
		"train-ai=n":     {"", "train-ai=n", 0},
		"/a train-ai=n":  {"/a", "train-ai=n", 3},
		"/a \t search=y": {"/a", "search=y", 5},
		"/a":             {"/a", "", 2},
		"/\xe9":          {"/\xe9", "", 2},
		"/\xe9 \xe9=y":   {"/\xe9", "\xe9=y", 3},
		"":               {"", "", 0},
	} {
		path, list, offset := signal.CutPath(value)
		if path != want.path || list != want.list || offset != want.offset {
			t.Errorf("CutPath(%q) = %q, %q, %d, want %+v", value, path, list, offset, want)
		}
	}
}

func TestCut(t *testing.T) {
	type prefs = []signal.Preference
	for list, want := range map[string]prefs{
		"":                         nil,
		" , ":                      nil,
		"Search=YES, ai-train =no": {{"Search", "YES", true, 0}, {"ai-train", "no", true, 12}},
		" \u00a0a=b":               {{"a", "b", true, 3}},
		"search":                   {{"search", "", false, 0}},
		"=yes,a=b=c":               {{"a", "b=c", true, 5}},
		"\xe9=yes, b=\xe9,c=no":    {{"\xe9", "yes", true, 0}, {"b", "\xe9", true, 7}, {"c", "no", true, 11}},
		"a=b;c=d":                  {{"a", "b;c=d", true, 0}},
	} {
		if diff := cmp.Diff(want, signal.Signal.Cut(list)); diff != "" {
			t.Errorf("Cut(%q) (-want +got):\n%s", list, diff)
		}
	}
	if diff := cmp.Diff(prefs{{"train-ai", "n", true, 0}}, signal.Usage.Cut("train-ai=n;q=1")); diff != "" {
		t.Errorf("Content-Usage: Cut(train-ai=n;q=1) (-want +got):\n%s", diff)
	}
}

// TestMeant tests that Meant returns the closest label.
func TestMeant(t *testing.T) {
	for name, want := range map[string][2]string{ // the labels of Content-Usage and of Content-Signal
		"train-ai": {"train-ai", "ai-train"}, "trainai": {"train-ai", "ai-train"}, "AI_Train": {"train-ai", "ai-train"},
		"ai-input": {"ai-use", "ai-input"}, "SEARCH": {"search", "search"}, "use": {"", "use"}, "x": {"", ""}, "": {"", ""}, "-": {"", ""},
	} {
		for i, v := range []*signal.Vocabulary{signal.Usage, signal.Signal} {
			if l, ok := v.Meant(name); l.Name != want[i] || ok != (want[i] != "") {
				t.Errorf("%s: Meant(%q) = %q, %v, want %q", v.Key, name, l.Name, ok, want[i])
			}
		}
	}
	if _, ok := signal.Usage.Label("Search"); ok {
		t.Error("Content-Usage: Label(Search) returned a label, want none: labels are case-sensitive")
	}
	if l, ok := signal.Signal.Label("AI-Train"); !ok || l.Use != signal.Training {
		t.Error("Content-Signal: Label(AI-Train) did not return the label ai-train")
	}
}
