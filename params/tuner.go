package params

import "fmt"

// Trial is one question of a tuner: how does A score against B? A trial is a value: nobody
// changes it once it was proposed.
type Trial struct {
	ID int // counts from 0 in the order of asking

	A, B  Vector // whole points of the space, ready to play
	Pairs int    // game pairs to play, each one opening with colours swapped; at least 1

	// Openings names the stream of openings. Trials with the same value play
	// the same openings and seeds pair by pair, so that their scores compare.
	Openings uint64
}

// Check reports why t cannot be the next trial of a tuner of this space: its ID is not next, or
// A or B is no point of the space.
func (t Trial) Check(space Space, next int) error {
	if t.ID != next {
		return fmt.Errorf("the score of trial %d out of order: trial %d comes next", t.ID, next)
	}
	for _, v := range []Vector{t.A, t.B} {
		if err := space.Check(v); err != nil {
			return fmt.Errorf("trial %d is not one of this space: %w", t.ID, err)
		}
	}
	return nil
}

// Score is the answer to one Trial. The unit of observation is the pair: one opening, played
// twice with colours swapped.
type Score struct {
	// Pairs counts pairs by A's points out of 2: 0, 1/2, 1, 3/2, 2.
	Pairs [5]int
	// Margin, if not nil, replaces the points in Mean and Variance. It says by how much A won,
	// not only how often.
	Margin *MarginScore
}

// MarginScore says how well A scored in pairs where a win may count for more or less than a
// point.
type MarginScore struct {
	Mean     float64 // A's margin points a game, in [0, 1]; 1/2 is even
	Variance float64 // variance of a pair's mean of its two games, in [0, 1/4]
}

// N returns the number of pairs, at least 0.
func (s Score) N() int {
	n := 0
	for _, k := range s.Pairs {
		n += k
	}
	return n
}

// Mean returns A's mean points a game, in [0, 1], or the mean of the margin points if there are
// any; 1/2 without pairs.
func (s Score) Mean() float64 {
	if s.Margin != nil {
		return s.Margin.Mean
	}
	n, sum := 0, 0
	for points, k := range s.Pairs {
		n += k
		sum += points * k
	}
	if n == 0 {
		return 0.5
	}
	return float64(sum) / float64(4*n)
}

// Variance returns the variance of a single pair's mean points a game, from the five counts:
// sum p_i (a_i - Mean)^2 with a_i = 0, 1/4, ..., 1. It is in [0, 1/4], and 0 without pairs.
// Divided by N it is the squared standard error of Mean.
//
// Two independent games without draws give Mean (1 - Mean) / 2. Draws make the variance
// smaller; openings that decide both games alike make it larger.
func (s Score) Variance() float64 {
	if s.Margin != nil {
		return s.Margin.Variance
	}
	n := s.N()
	if n == 0 {
		return 0
	}
	mean, sum := s.Mean(), 0.0
	for points, k := range s.Pairs {
		d := float64(points)/4 - mean
		sum += float64(float64(k) * float64(d*d))
	}
	return sum / float64(n)
}

// Tuner proposes trials and learns from their scores. It has no clock, does no input or output,
// and draws randomness only from its seed: the same trials and scores, told in the same order,
// give the same proposals. A log of trials and scores is therefore its whole state, and resume
// is replay.
//
// A tuner is used by one goroutine at a time.
type Tuner interface {
	// Ask returns the trials that may start now, in order of ID, each trial once. The first of
	// them is the first that was neither told nor returned before. Ask returns none while
	// scores are awaited, and none after the last trial. The caller may keep the trials but
	// must not change their vectors.
	Ask() []Trial
	// Tell hands over a trial and its score, in order of Trial.ID without a gap; any other ID
	// is an error. The trial is one that Ask returned or, when a run is resumed, the recorded
	// one. The tuner need not have proposed a recorded trial: the trial as played counts
	// (Trial.A, Trial.B, Score.N), even where the tuner would propose another today. The tuner
	// keeps no part of the trial's memory.
	//
	// After any part of a log is told, Ask continues as an uninterrupted run would; it proposes
	// again the trials that were in flight.
	Tell(Trial, Score) error
	// Recommend returns the best point so far, a point of the space. The caller owns it. It is
	// cheap enough to be called after every trial, and changes nothing.
	Recommend() Vector
}
