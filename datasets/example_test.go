package datasets_test

import (
	"fmt"
	"log"
	"slices"

	"selfplaylab/datasets"
)

// The advantage of the first move in the games of a run that were won on the board.
func Example() {
	run, err := datasets.Read("testdata/v3")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s of %s, %d trials\n", run.Meta.Kind, run.Meta.Game, run.NumTrials)

	won, plies, games := 0, 0, 0
	for g, err := range run.Games(datasets.Filter{Reason: "goal"}) {
		if err != nil {
			log.Fatal(err)
		}
		if g.Outcome == "1-0" {
			won++
		}
		plies += int(g.Plies)
		games++
	}
	fmt.Printf("the first player won %.1f %% of %d games, of %.1f plies on average\n",
		100*float64(won)/float64(games), games, float64(plies)/float64(games))
	// Output:
	// tune of quoridor, 64 trials
	// the first player won 49.0 % of 1024 games, of 73.0 plies on average
}

// The effect of a parameter: A's score in games in which A had more of it than its opponent.
func ExampleLog_Trials() {
	run, err := datasets.Read("testdata/v3")
	if err != nil {
		log.Fatal(err)
	}
	i := slices.Index(run.Meta.Parameters, "a_E")
	var points, games float64
	for t, err := range run.Trials(datasets.Filter{To: 32}) {
		if err != nil {
			log.Fatal(err)
		}
		if t.A[i] > t.B[i] {
			points += float64(t.Wins) + float64(t.Draws)/2
			games += float64(t.Games)
		}
	}
	fmt.Printf("more a_E scored %.1f %% of %.0f games\n", 100*points/games, games)
	// Output:
	// more a_E scored 47.9 % of 336 games
}

// The work of decisions in the course of a game.
func ExampleLog_Played() {
	run, err := datasets.Read("testdata/v3-moves")
	if err != nil {
		log.Fatal(err)
	}
	var nodes, decisions [3]int64
	for game, err := range run.Played(datasets.Filter{}) {
		if err != nil {
			log.Fatal(err)
		}
		for _, d := range game.Decisions {
			third := 3 * d.Ply / game.Plies
			nodes[third] += d.Nodes
			decisions[third]++
		}
	}
	for third, name := range []string{"first", "second", "last"} {
		fmt.Printf("%s third: %.1f nodes a decision\n", name, float64(nodes[third])/float64(decisions[third]))
	}
	// Output:
	// first third: 22.9 nodes a decision
	// second third: 25.1 nodes a decision
	// last third: 9.7 nodes a decision
}
