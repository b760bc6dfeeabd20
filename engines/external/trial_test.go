package external_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/external"
)

func TestTrial(t *testing.T) {
	file := os.Getenv("TRIAL")
	if file == "" {
		t.Skip()
	}
	v := variant(t, os.Getenv("GAME"), os.Getenv("RULES"))
	e, err := external.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := strconv.Atoi(os.Getenv("N"))
	if n == 0 {
		r := external.Check(context.Background(), e, v)
		r.Options = nil
		data, _ := json.MarshalIndent(r, "", " ")
		fmt.Println(string(data))
		return
	}
	p, err := e.Open(context.Background(), v, external.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer gone(t, p)
	lim, _ := engines.ParseLimits(os.Getenv("OUR"))
	us := ours(t, v)
	tally := map[string]int{}
	start := time.Now()
	plies := 0
	for i := range n {
		open := v.Opening(rand.New(rand.NewPCG(5, uint64(i/2))), 4)
		seats := [2]engines.Player{p, us}
		limits := [2]engines.Limits{{}, lim}
		win := engines.FirstWins
		if i%2 == 1 {
			seats[0], seats[1], limits[0], limits[1] = us, p, lim, engines.Limits{}
			win = engines.SecondWins
		}
		o := game(t, v, seats, open, limits, uint64(i))
		plies += len(o.moves)
		who := "they lose"
		if o.result == win {
			who = "they win"
		} else if o.result == engines.Draw {
			who = "draw"
		}
		tally[who+" by "+string(o.reason)]++
		if o.reason.Fault() {
			fmt.Println(i, o)
		}
	}
	fmt.Println(tally, plies, "plies", time.Since(start), p.Starts(), "processes", p.Identity())
}
