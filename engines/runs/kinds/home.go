package kinds

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/gamestats"
)

// HomeName is the file of a home page in a folder.
const HomeName = "index.html"

// reportName is the file of a run's report, as reports.Page.Write names it.
const reportName = "report.html"

// mostForest is how many results a figure of a home page has: the newest.
const maxForest = 24

// Home is a page over many runs: their results side by side and a table for each
// game. to is where the page of a run is, relative to this one; "" for nowhere.
func Home(list []runs.Summary, to func(runs.Summary) string) reports.Page {
	page := reports.Page{Title: homeTitle(list), Subtitle: homeSpan(list)}
	for _, l := range list {
		if l.Fault != "" {
			page.Warnings = append(page.Warnings, "A run cannot be read: "+firstLine(l.Fault)+".")
		}
	}
	var games []string
	of := map[string][]runs.Summary{}
	for _, l := range list {
		if l.Fault != "" && l.Game == "" {
			continue
		}
		if of[l.Game] == nil {
			games = append(games, l.Game)
		}
		of[l.Game] = append(of[l.Game], l)
	}
	slices.Sort(games)
	for _, name := range games {
		section := reports.Section{Title: name}
		for _, l := range of[name] {
			section.Title = cmp.Or(l.Title, section.Title)
		}
		if plot, ok := forest(name, of[name]); ok {
			section.Blocks = append(section.Blocks, plot)
		}
		section.Blocks = append(section.Blocks, homeTable(of[name], to))
		page.Sections = append(page.Sections, section)
	}
	if len(list) == 0 {
		page.Lead = []string{"There are no runs yet. `selfplay match`, `selfplay tournament` and `tune` make them."}
	}
	return page
}

// homeTitle says how many runs there are and what came of them.
func homeTitle(list []runs.Summary) string {
	var games int64
	decided, open := 0, 0
	for _, l := range list {
		games += l.Games
		if l.Estimate != nil && l.Estimate.Decided() != 0 {
			decided++
		}
		if !l.Finished && l.Fault == "" {
			open++
		}
	}
	title := fmt.Sprintf("%s, %s", gamestats.Plural(len(list), "run"), gamestats.Plural(games, "game"))
	if decided > 0 {
		title += fmt.Sprintf(", %d with a difference shown", decided)
	}
	if open > 0 {
		title += fmt.Sprintf(", %d unfinished", open)
	}
	return title
}

// homeSpan says when they were made.
func homeSpan(list []runs.Summary) string {
	var first, last time.Time
	for _, l := range list {
		if l.Created.IsZero() {
			continue
		}
		if first.IsZero() || l.Created.Before(first) {
			first = l.Created
		}
		if l.Created.After(last) {
			last = l.Created
		}
	}
	const day = "2 January 2006"
	switch from, until := first.Format(day), last.Format(day); {
	case first.IsZero():
		return ""
	case from == until:
		return "Made on " + from + "."
	default:
		return "Made from " + from + " to " + until + "."
	}
}

// forest sets the results that are one difference side by side; ok is false where
// there are not two of them.
func forest(game string, list []runs.Summary) (plot reports.Plot, ok bool) {
	bars := figure.Bars{Title: "Elo differences", Subtitle: "A before B, or tuned before start; 95 % intervals unless a run says otherwise", XLabel: "Elo", ZeroLabel: "even"}
	for _, l := range list {
		e := l.Estimate
		if e == nil || e.Few || len(bars.Bars) == maxForest {
			continue
		}
		bars.Bars = append(bars.Bars, figure.Bar{
			Name: filepath.Base(l.Run), Value: e.Elo, Lo: e.EloRange.Low, Hi: e.EloRange.High, Strong: e.Decided() != 0,
		})
	}
	return reports.Plot{Name: "results-" + game, Figure: bars, Caption: "The newest first. Strong: shown to differ from even."}, len(bars.Bars) > 1 && reports.Reachable(game)
}

// homeTable lists runs, the newest first.
func homeTable(list []runs.Summary, to func(runs.Summary) string) reports.Table {
	table := reports.Table{Columns: []reports.Column{
		{Name: "run"}, {Name: "result", Key: true}, {Name: "what"}, {Name: "games", Right: true}, {Name: "created"},
	}}
	for _, l := range list {
		created, result := "-", l.Result
		if !l.Created.IsZero() {
			created = l.Created.Format("2006-01-02 15:04")
		}
		if l.Fault != "" {
			result = "cannot be read"
		}
		link := to(l)
		if !reports.Reachable(link) {
			link = ""
		}
		table.Links = append(table.Links, link)
		what := strings.TrimSuffix(strings.TrimSpace(l.Kind)+": "+l.What, ": ")
		table.Rows = append(table.Rows, []string{filepath.Base(filepath.Clean(l.Run)), result, what, gamestats.Count(l.Games), created})
	}
	return table
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// WriteHome writes the home page of a list. A file that ends in .html is the page
// alone, with links to the reports that the runs have in their folders. Anything
// else is a folder, which is made: it gets the page as index.html and beside it
// the page of every run that can be read, made anew from its record, with links
// from each to its neighbours. It returns the file of the home page.
func WriteHome(ctx context.Context, list []runs.Summary, to string) (string, error) {
	if filepath.Ext(to) == ".html" {
		return to, writePage(Home(list, reportFrom(filepath.Dir(to))), to)
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return "", fmt.Errorf("home page: %w", err)
	}
	names, pages := siteNames(list), map[string]reports.Page{}
	for _, l := range list {
		if l.Fault != "" {
			continue
		}
		page, err := Page(ctx, l.Run)
		if err != nil {
			return "", err
		}
		pages[l.Run] = page
	}
	var order []runs.Summary
	for _, l := range list {
		if _, made := pages[l.Run]; made {
			order = append(order, l)
		}
	}
	for i, l := range order {
		page := pages[l.Run]
		page.Nav = []reports.Link{{Name: "all runs", To: HomeName}}
		if i+1 < len(order) {
			page.Nav = append(page.Nav, reports.Link{Name: "the run before", To: names[order[i+1].Run]})
		}
		if i > 0 {
			page.Nav = append(page.Nav, reports.Link{Name: "the run after", To: names[order[i-1].Run]})
		}
		if err := writePage(page, filepath.Join(to, names[l.Run])); err != nil {
			return "", err
		}
	}
	home := filepath.Join(to, HomeName)
	return home, writePage(Home(list, func(l runs.Summary) string {
		if _, made := pages[l.Run]; made {
			return names[l.Run]
		}
		return ""
	}), home)
}

// siteNames are the files of the runs' pages in one folder: after the runs, and
// numbered where those of several folders are called alike.
func siteNames(list []runs.Summary) map[string]string {
	names, used := map[string]string{}, map[string]bool{"index": true}
	for _, l := range list {
		base := strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r) {
				return r
			}
			return '_'
		}, filepath.Base(filepath.Clean(l.Run)))
		base = cmp.Or(strings.TrimLeft(base, "."), "run")
		name := base
		for n := 2; used[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		used[strings.ToLower(name)] = true
		names[l.Run] = name + ".html"
	}
	return names
}

// reportFrom is where the report of a run lies, seen from a folder.
func reportFrom(dir string) func(runs.Summary) string {
	return func(l runs.Summary) string {
		file := filepath.Join(l.Run, reportName)
		if _, err := os.Stat(file); err != nil {
			return "" // none yet
		}
		from, err := filepath.Abs(dir)
		if err != nil {
			return ""
		}
		if file, err = filepath.Abs(file); err != nil {
			return ""
		}
		path, err := filepath.Rel(from, file)
		if err != nil {
			return ""
		}
		return filepath.ToSlash(path)
	}
}

func writePage(p reports.Page, file string) error {
	data, err := p.HTML()
	if err == nil {
		err = datasets.WriteFile(file, data)
	}
	if err != nil {
		return fmt.Errorf("page %s: %w", file, err)
	}
	return nil
}

// upwards links a run's report to the page over the runs of its folder, and to
// that of the experiment that it belongs to, as far as they are there.
func upwards(dir string) (nav []reports.Link) {
	for _, up := range []reports.Link{{Name: "all runs", To: "../" + HomeName}, {Name: "the experiment", To: "../" + reportName}} {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(up.To))); err == nil {
			nav = append(nav, up)
		}
	}
	return nav
}
