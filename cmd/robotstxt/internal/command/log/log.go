// Package log is the command "robotstxt log".
package log

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/robotstxt-go/robotstxt"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/cli"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/command/log/internal/accesslog"
	"github.com/robotstxt-go/robotstxt/cmd/robotstxt/internal/verdict"
	"github.com/robotstxt-go/robotstxt/crawlers"
	"github.com/spf13/cobra"
)

// New returns the command.
func New() *cobra.Command {
	var l logCommand
	cmd := &cobra.Command{
		Use:   "log [flags] --robots FILE|URL FILE|URL|-...",
		Short: "Read access logs: what crawlers did and which rules they broke",
		Long: `The log command reads the access logs of a web server. For each crawler, it
reports how many requests the robots.txt file disallows, which rules the crawler
broke, how often it fetched the file, and how fast its requests came.

It reads the Common and Combined formats of Apache and nginx, whose lines may
start with the name of a virtual host; the W3C format of CloudFront and IIS,
with its #Fields line; the logs of Application Load Balancers of AWS; and the
JSON lines of Azure, Caddy, Cloudflare, CloudFront, Fastly, Google Cloud,
Traefik, and nginx if the keys are the names of its variables, each of them also
within the JSON of Docker. For JSON with other keys, --fields says where each
field is, such as agent=headers.ua. The fields are request (a request line, path
or URL), query, agent, time, date, host, address and status. Logs may be
compressed with gzip or zstd, and may be in any order. "-" is standard input,
which another program writes.

A request is judged by the file that was in force at the time. So --robots may
be repeated: FILE@DATE is a file that took effect on that date (in UTC), and
git:FILE stands for all versions of a file in a Git repository, each in force
from the time of its commit. For 24 hours after a change, crawlers may still use
the old version, so a request is allowed if either version allows it. Requests
from a time for which no file is known are counted, but not judged.

Anybody can claim to be a crawler. Operators publish lists of their addresses,
and "--ip-ranges known" fetches the lists of the crawlers in the logs. Each
crawler is then marked as verified or forged, or as unknown if its operator
publishes no list. --ip-ranges also takes a list in a JSON file: NAME=FILE is
the list of the crawler NAME. FILE is enough if the file has the name that the
operator gave it, such as bingbot.json. Addresses of visitors are neither shown
nor stored.

With --fail, the exit status is 1 if a crawler broke a rule although its
operator says that it obeys robots.txt. Only verified crawlers count. With
--unverified, unknown crawlers count too, but forged ones never do. Rules that
others read differently, such as those with misspelled keys, do not count. Nor
do crawlers that fetch pages for a person, or crawlers that got no robots.txt
whenever they asked, because there was none or the server refused. They may
assume that everything is allowed.` + cli.ExitHelp(map[int]string{
			cli.ExitOK:      "the logs were read",
			cli.ExitNo:      "with --fail, a crawler broke a rule",
			cli.ExitError:   "a file, most lines of the logs or, with --fail, a list could not be read",
			cli.ExitDamaged: "a compressed log is damaged; the report covers the part before the damage",
		}),
		Example: `  robotstxt log --robots robots.txt access.log access.log.*.gz
  robotstxt log --robots git:public/robots.txt --since 7d access.log
  robotstxt log --robots old.txt --robots new.txt@2026-11-01 access.log
  robotstxt log --robots robots.txt --ip-ranges known --fail access.log`,
		Args: cli.WantsRobotsFlag(cli.Operands("log", 0)),
		RunE: cli.WithStatus(l.run),
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&l.robots, "robots", nil, "robots.txt: a `file` or URL, FILE@DATE (in effect since that date), or git:FILE (all versions in Git)")
	flags.StringVar(&l.fields, "fields", "", "`keys` of the fields in JSON lines, such as request=req,agent=headers.ua,time=ts")
	flags.StringVar(&l.host, "host", "", "count only requests to this `host`")
	flags.StringVar(&l.since, "since", "", "count only requests since this `date`; 7d means since 7 days ago")
	flags.StringVar(&l.until, "until", "", "count only requests up to the end of this `date`")
	cli.AddAgentFlag(cmd, &l.agents, nil)
	flags.StringArrayVar(&l.ranges, "ip-ranges", nil, "\"known\", or a JSON `file` or URL with the IP addresses of a crawler; may be repeated")
	flags.BoolVar(&l.days, "days", false, "below each crawler, show the requests of each day, and when the robots.txt changed")
	flags.BoolVar(&l.fail, "fail", false, "exit with status 1 if a verified crawler broke a rule")
	flags.BoolVar(&l.unverified, "unverified", false, "with --fail, also count crawlers whose identity is unknown")
	flags.BoolVar(&l.json, "json", false, "print one JSON object")
	return cmd
}

// A logCommand holds the flags of the log command.
type logCommand struct {
	robots, agents, ranges       []string
	fields, host, since, until   string
	days, fail, unverified, json bool
}

func (l *logCommand) run(cmd *cobra.Command, names []string) (status int, err error) {
	options, parser, err := l.validate(cmd)
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			return 0, cli.UsageError(cmd, fmt.Errorf("%s is a directory; name the logs in it", name))
		}
	}
	shown, err := cli.AgentNames(cmd, l.agents)
	if err != nil {
		return 0, err
	}
	if options.Versions, err = robotsVersions(cmd, l.robots); err != nil {
		return 0, err
	}
	isListMissing := false
	lists, err := loadRanges(cmd, l.ranges, func(err error) {
		cli.Complain(cmd, err)
		isListMissing = true
	})
	if err != nil {
		return 0, err
	}
	if len(l.ranges) > 0 {
		options.Identify = lists.identify
	}
	counts := accesslog.NewCollector(options, parser)
	for _, name := range names {
		if s, err := readLog(cmd, name, counts); err != nil {
			cli.Complain(cmd, fmt.Errorf("%s: %w", cli.DisplayName(name), err))
			status = max(status, s)
		}
	}
	report := counts.Report()
	if report.Lines == 0 && status != cli.ExitOK {
		return status, nil
	}
	if err := l.checkReport(cmd, report); err != nil {
		return 0, err
	}
	if len(shown) > 0 {
		report.Crawlers = slices.DeleteFunc(report.Crawlers, func(r *accesslog.Row) bool {
			return !slices.ContainsFunc(shown, func(name string) bool { return strings.EqualFold(robotstxt.ProductToken(name), r.Name) })
		})
	}
	if l.json {
		err = cli.PrintJSON(cmd.OutOrStdout(), report)
	} else {
		printReport(cmd.OutOrStdout(), report, l.agents, l.days)
	}
	if status == cli.ExitOK && l.fail {
		status = l.failStatus(cmd, report.Crawlers, isListMissing)
	}
	return status, err
}

// failStatus returns the exit status with --fail, and names the crawlers that make it 1. If a list of addresses is
// missing, nobody knows whether the crawlers that it would verify broke a rule.
func (l *logCommand) failStatus(cmd *cobra.Command, rows []*accesslog.Row, isListMissing bool) int {
	status := cli.ExitOK
	if isListMissing && !l.unverified {
		status = cli.ExitError
	}
	for _, r := range rows {
		if l.failsOn(r) {
			cli.Complain(cmd, fmt.Errorf("%s broke a rule, although its operator says that it obeys robots.txt", cli.Printable(r.Name)))
			status = cli.ExitNo
		}
	}
	return status
}

// validate checks the flags without reading files, and returns the options and the parser.
func (l *logCommand) validate(cmd *cobra.Command) (o accesslog.Options, p accesslog.Parser, err error) {
	switch {
	case len(l.robots) == 0:
		return o, p, cli.UsageError(cmd, errors.New("--robots is missing"))
	case l.fail && !l.unverified && len(l.ranges) == 0:
		return o, p, errors.New("--fail needs --ip-ranges to verify crawlers, or --unverified to count unknown crawlers too")
	case l.unverified && !l.fail:
		return o, p, errors.New("--unverified has no effect without --fail")
	}
	o.Host = strings.ToLower(l.host)
	if l.fields != "" {
		if p.Fields, err = accesslog.ParseFields(l.fields); err != nil {
			return o, p, fmt.Errorf("--fields: %w", err)
		}
	}
	if l.since != "" {
		if o.Since, _, err = parseDate(l.since); err != nil {
			return o, p, fmt.Errorf("--since %w", err)
		}
	}
	if l.until != "" {
		if _, o.Until, err = parseDate(l.until); err != nil {
			return o, p, fmt.Errorf("--until %w", err)
		}
	}
	return o, p, nil
}

// readLog counts the requests in a log. If it returns an error, it also returns the exit status
// for this error.
func readLog(cmd *cobra.Command, name string, counts *accesslog.Collector) (status int, err error) {
	in, err := cli.OpenInput(cmd, name)
	if err != nil {
		return cli.ExitError, err
	}
	defer in.Close()
	err = counts.Read(cli.DisplayName(name), in)
	if errors.Is(err, accesslog.ErrUnsupported) {
		return cli.ExitError, err
	}
	return cli.ExitDamaged, err
}

// checkReport returns an error if most lines cannot be read. With --host, it also returns an
// error if most of the lines that can be read do not name a host. It prints notes about further
// problems with the logs.
func (l *logCommand) checkReport(cmd *cobra.Command, r *accesslog.Report) error {
	if 2*r.Unread > r.Lines {
		f := r.Failures[0]
		return fmt.Errorf("%s:%d: %s; %d of %d lines cannot be read; the known formats are %s", cli.Printable(f.Name), f.Line, f.Err, r.Unread, r.Lines, accesslog.FormatsAndServers())
	}
	for _, f := range r.Failures {
		cli.Complain(cmd, fmt.Errorf("%s:%d: %w", cli.Printable(f.Name), f.Line, f.Err)) // without the text, which may have addresses of visitors
	}
	switch {
	case l.host != "" && 2*r.Hostless > r.Lines-r.Unread:
		return errors.New("--host cannot be used, because most lines of the logs name no host")
	case l.host == "" && len(r.Hosts) > 1:
		cli.Complain(cmd, fmt.Errorf("the logs have requests to several hosts (%s); use --host to count only the requests to one of them", cli.Printable(strings.Join(r.Hosts, ", "))))
	}
	has := func(identity accesslog.Identity) bool {
		return slices.ContainsFunc(r.Crawlers, func(r *accesslog.Row) bool { return r.Identity == identity })
	}
	if has(accesslog.Forged) && !has(accesslog.Verified) {
		cli.Complain(cmd, errors.New("no request is verified; perhaps the logs contain the address of a proxy instead of the addresses of the clients"))
	}
	return nil
}

// failsOn reports whether a crawler makes --fail exit with status 1. All of this must be true:
//   - The operator says that the crawler obeys robots.txt.
//   - The crawler broke a rule that all crawlers read alike, or a rule that r.Rules leaves out.
//   - The crawler is verified or, with --unverified, at least not forged.
//   - The crawler does not fetch pages for a person.
//   - The server did not answer all of the crawler's requests for robots.txt with a 4xx status. If
//     it did, the crawler may assume that there is no file.
func (l *logCommand) failsOn(r *accesslog.Row) bool {
	wasRefused := r.RobotsTxt.Requests > 0 && r.RobotsTxt.Missing+r.RobotsTxt.Refused == r.RobotsTxt.Requests
	brokeRule := r.Unlisted > 0 || slices.ContainsFunc(r.Rules, func(b *accesslog.BrokenRule) bool { return !slices.ContainsFunc(b.Notes, verdict.IsCaveat) })
	return brokeRule && r.Crawler.Claim == crawlers.Heeds && !r.ByPerson && !wasRefused &&
		(r.Identity == accesslog.Verified || l.unverified && r.Identity != accesslog.Forged)
}
