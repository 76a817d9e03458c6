package log

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/command/log/internal/accesslog"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/reply"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/spf13/cobra"
)

// robotsVersions loads the robots.txt files that the values of --robots name, and returns them
// as versions of one file, sorted by date.
func robotsVersions(cmd *cobra.Command, names []string) (versions []accesslog.Version, err error) {
	for _, name := range names {
		if file, ok := strings.CutPrefix(name, "git:"); ok {
			history, err := gitVersions(cmd.Context(), file)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			versions = append(versions, history...)
			continue
		}
		from := int64(accesslog.Always)
		if i := strings.LastIndexByte(name, '@'); i > 0 {
			if start, _, err := parseDate(name[i+1:]); err == nil {
				name, from = name[:i], start
			}
		}
		r, err := new(cli.Loader).LoadFile(cmd, name, reply.NoFile, reply.Other)
		if err != nil {
			return nil, err
		}
		versions = append(versions, accesslog.Version{From: from, File: r.File})
	}
	slices.SortStableFunc(versions, func(a, b accesslog.Version) int { return cmp.Compare(a.From, b.From) })
	for i, v := range versions[1:] {
		switch {
		case v.From != versions[i].From:
		case v.From == accesslog.Always:
			return nil, errors.New("--robots: only one file can be given without @DATE")
		default:
			return nil, fmt.Errorf("--robots: two files take effect at %s", accesslog.Time(v.From))
		}
	}
	return versions, nil
}

// gitVersions returns the versions of a file in its Git repository: one for each commit on the
// main line (git log --first-parent) that changes the file. Each version is in force from the
// time of its commit. If a commit deletes the file, the version allows everything.
func gitVersions(ctx context.Context, name string) (versions []accesslog.Version, err error) {
	dir, base := filepath.Split(name)
	git := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, "git", append([]string{"--literal-pathspecs", "-C", cmp.Or(dir, ".")}, args...)...)
		out, err := cmd.Output()
		if exit, ok := errors.AsType[*exec.ExitError](err); ok && len(exit.Stderr) > 0 {
			message, _, _ := strings.Cut(string(exit.Stderr), "\n")
			err = errors.New(strings.TrimPrefix(message, "fatal: "))
		}
		return out, err
	}
	commits, err := git("log", "--first-parent", "--reverse", "--format=%H %ct", "--", base)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(commits)) {
		commit, date, _ := strings.Cut(strings.TrimSpace(line), " ")
		v := accesslog.Version{File: verdict.File{File: robotstxt.Unavailable()}}
		if v.From, err = strconv.ParseInt(date, 10, 64); err != nil {
			return nil, err
		}
		entry, err := git("ls-tree", commit, "--", base)
		if err != nil {
			return nil, err
		}
		if len(entry) > 0 {
			text, err := git("show", commit+":./"+base)
			if err != nil {
				return nil, err
			}
			v.File = verdict.Parse(text)
		}
		if n := len(versions); n > 0 && versions[n-1].From == v.From {
			versions = versions[:n-1]
		}
		versions = append(versions, v)
	}
	if len(versions) == 0 {
		return nil, errors.New("no commit contains this file")
	}
	return versions, nil
}

// dateLayouts are the layouts of times in flags. Times without a time zone are in UTC.
var dateLayouts = []string{"2006-01-02T15:04", "2006-01-02T15:04:05", time.RFC3339}

// parseDate returns the start and the end of a date as Unix times. For a time such as
// "2026-11-01T12:00", or "7d" (7 days ago), start and end are equal.
func parseDate(s string) (start, end int64, err error) {
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return t.Unix(), t.AddDate(0, 0, 1).Unix(), nil
	}
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Unix(), t.Unix(), nil
		}
	}
	if n, ok := strings.CutSuffix(s, "d"); ok {
		if days, err := strconv.ParseUint(n, 10, 16); err == nil {
			t := time.Now().AddDate(0, 0, -int(days)).Unix()
			return t, t, nil
		}
	}
	return 0, 0, fmt.Errorf("%q is not a date such as 2026-11-01 or a number of days such as 7d", s)
}
