package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"selfplaylab/engines"
	"selfplaylab/engines/match"
	"selfplaylab/reports/rating"
)

const (
	// randomOpenings is the value of --openings for drawn ones.
	randomOpenings = "random"
	// longestTest is the default of --pairs with --sprt.
	longestTest = 100_000

	noFaults      = "off"
	defaultFaults = "games=10,share=0.1"
)

var errDiscardedMoves = errors.New("--discard keeps no games, so --record-moves has nothing to write to; want one of the two")

// test checks --sprt and fills in what depends on it.
func (f *matchFlags) test(cmd *cobra.Command, spec *matchSpec) error {
	if !cmd.Flags().Changed("sprt") {
		return nil
	}
	s, err := rating.ParseSPRT(f.sprt)
	if err != nil {
		return fmt.Errorf("--sprt: %w", err)
	}
	spec.SPRT = s.String()
	if !cmd.Flags().Changed("pairs") {
		spec.Pairs = longestTest
	}
	return nil
}

// book reads a file of openings.
func (f *matchFlags) book(cmd *cobra.Command, v engines.Variant, spec *matchSpec) error {
	switch {
	case f.openings == randomOpenings:
		return nil
	case f.openings == "":
		return fmt.Errorf("--openings: want %s or a file of openings", randomOpenings)
	case cmd.Flags().Changed("opening-plies"):
		return fmt.Errorf("--opening-plies means nothing to a file of --openings")
	}
	data, err := os.ReadFile(f.openings)
	if err != nil {
		return fmt.Errorf("--openings: %w; want %s or a file", err, randomOpenings)
	}
	openings, err := match.ParseBook(f.openings, data, v)
	if err != nil {
		return err
	}
	if !cmd.Flags().Changed("pairs") {
		spec.Pairs = min(spec.Pairs, len(openings))
	}
	if spec.Pairs > len(openings) {
		return fmt.Errorf("--pairs %d: %s holds %d openings, and each is played once with either colour; want at most that many", spec.Pairs, f.openings, len(openings))
	}
	f.bookData = data
	spec.OpeningPlies = 0
	spec.Openings, spec.OpeningsHash, spec.OpeningCount = f.openings, hash(data), len(openings)
	return nil
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// conduct checks the flags about how games end.
func (f *matchFlags) conduct(limits [2]engines.Limits, spec *matchSpec) error {
	switch {
	case f.maxPlies < 0:
		return fmt.Errorf("--max-plies %d: want at least 1, or 0 for no bound", f.maxPlies)
	case f.maxPlies > 0 && f.maxPlies <= spec.OpeningPlies:
		return fmt.Errorf("--max-plies %d: the opening alone has %d plies", f.maxPlies, spec.OpeningPlies)
	case f.stall < 0:
		return fmt.Errorf("--stall %v: want a time above 0, such as 60s", f.stall)
	case f.stall > 0 && f.stall <= max(limits[0].Time, limits[1].Time):
		return fmt.Errorf("--stall %v: want more than the time limit, %v", f.stall, max(limits[0].Time, limits[1].Time))
	}
	resign, err := match.ParseResign(f.resign)
	if err != nil {
		return fmt.Errorf("--resign: %w", err)
	}
	draw, err := match.ParseDraw(f.draw)
	if err != nil {
		return fmt.Errorf("--draw: %w", err)
	}
	spec.MaxPlies, spec.Resign, spec.Draw = f.maxPlies, resign.String(), draw.String()
	if f.stall > 0 {
		spec.Stall = f.stall.String()
	}
	if f.faults != noFaults {
		l, err := parseFaults(f.faults)
		if err != nil {
			return fmt.Errorf("--fault-limit: %w", err)
		}
		spec.FaultLimit = fmt.Sprintf("games=%d,share=%v", l.Games, l.Share)
	}
	return nil
}

// parseFaults reads "games=10,share=0.1"; "" is no limit.
func parseFaults(text string) (match.FaultLimit, error) {
	var l match.FaultLimit
	if text == "" {
		return l, nil
	}
	games, share, ok := strings.Cut(text, ",")
	n, okGames := strings.CutPrefix(games, "games=")
	p, okShare := strings.CutPrefix(share, "share=")
	var err, err2 error
	l.Games, err = strconv.Atoi(n)
	l.Share, err2 = strconv.ParseFloat(p, 64)
	if !ok || !okGames || !okShare || err != nil || err2 != nil || l.Games < 1 || !(l.Share >= 0 && l.Share < 1) {
		return match.FaultLimit{}, engines.ParseError("fault limit", text, "want games=N,share=P with N at least 1 and P from 0 to below 1, such as "+defaultFaults+", or "+noFaults)
	}
	return l, nil
}

// seat has a campaign, whose game is open, play by the spec. book is the content
// of the file of openings, nil for drawn ones.
func (s *matchSpec) seat(c *match.Campaign, book []byte) error {
	var err error
	for i, text := range []string{s.ALimits, s.BLimits} {
		if c.Limits[i], err = engines.ParseLimits(text); err != nil {
			return err
		}
	}
	c.OpeningPlies, c.Adjudication.MaxPlies = s.OpeningPlies, s.MaxPlies
	if c.Adjudication.Resign, err = match.ParseResign(s.Resign); err != nil {
		return err
	}
	if c.Adjudication.Draw, err = match.ParseDraw(s.Draw); err != nil {
		return err
	}
	if s.Stall != "" {
		if c.Stall, err = time.ParseDuration(s.Stall); err != nil {
			return fmt.Errorf("stall %q: %w", s.Stall, err)
		}
	}
	if c.FaultLimit, err = parseFaults(s.FaultLimit); err != nil {
		return err
	}
	if s.OpeningsHash == "" {
		return nil
	}
	if hash(book) != s.OpeningsHash {
		return fmt.Errorf("%s was changed since the match began: its SHA-256 is %s, not %s; put the file of %d openings back (it was %s), or start a new match",
			openingsName, hash(book), s.OpeningsHash, s.OpeningCount, s.Openings)
	}
	openings, err := match.ParseBook(s.Openings, book, c.Variant)
	if err != nil {
		return err
	}
	if s.Pairs > len(openings) {
		return fmt.Errorf("%d pairs of %d openings", s.Pairs, len(openings))
	}
	for i, o := range openings {
		if s.MaxPlies > 0 && len(o.Moves) >= s.MaxPlies {
			return fmt.Errorf("--max-plies %d: opening %d of %s alone has %d plies", s.MaxPlies, i+1, s.Openings, len(o.Moves))
		}
	}
	c.Start = match.InOrder(openings)
	return nil
}

// source is the match to play, with what to say of a result while it lasts.
func (s *matchSpec) source() (match.Source, func(rating.Pairs) string, error) {
	fixed := match.Fixed{X: s.AValues, Than: s.BValues, Pairs: s.Pairs}
	if s.SPRT == "" {
		return &fixed, func(p rating.Pairs) string { return p.Estimate(s.Level).String() }, nil
	}
	test, err := rating.ParseSPRT(s.SPRT)
	if err != nil {
		return nil, nil, err
	}
	note := func(p rating.Pairs) string { return test.Pairs(p).String() + "; " + p.Estimate(s.Level).String() }
	return &match.Until{Fixed: fixed, Verdict: sequential{test}}, note, nil
}

// sequential is a match.Verdict by a sequential test.
type sequential struct{ test rating.SPRT }

// Decided implements match.Verdict.
func (s sequential) Decided(pairs [5]int) bool { return s.test.Pairs(pairs).State != rating.Continue }

// repeatable reports whether no clock decides about the match's moves.
func (s *matchSpec) repeatable() (bool, error) {
	a, err := engines.ParseLimits(s.ALimits)
	if err != nil {
		return false, err
	}
	b, err := engines.ParseLimits(s.BLimits)
	return a.Repeatable() && b.Repeatable(), err
}

// warnOfClocks warns where one side plays by the clock and the other does not.
func warnOfClocks(stderr io.Writer, limits [2]engines.Limits) {
	if limits[0].Repeatable() == limits[1].Repeatable() {
		return
	}
	timed, counted := "A", "B"
	if limits[0].Repeatable() {
		timed, counted = counted, timed
	}
	fmt.Fprintf(stderr, "warning: %s is limited by wall-clock time, %s is not: the result depends on this machine and its load, and does not repeat\n", timed, counted)
}
