package cluster

import (
	"testing"

	"selfplaylab/engines/testmode"
)

// TestSimulatedWorkersAreBusy uses at least 90 % of 1,000 machines and counts every pair once;
// copies of slow work are necessary for that.
func TestSimulatedWorkersAreBusy(t *testing.T) {
	testmode.SkipUnlessLong(t) // simulates hundreds of workers
	const workers = 1000
	tuning := SimulateTuning(Laboratory(workers), 10)
	for what, s := range map[string]Simulated{"tournament": SimulateTournament(Laboratory(workers), 300), "tuning": tuning} {
		if s.Efficiency < 0.9 || s.Efficiency > 1 || s.Twice > 0.1 || s.Crashes == 0 {
			t.Errorf("%s of %d workers: %+v", what, workers, s)
		}
	}
	if s := SimulateTournament(Laboratory(1), 300); s.Pairs != 300 || s.Efficiency < 0.999 {
		t.Errorf("one worker: %+v", s)
	}
	sim := Laboratory(workers)
	sim.Copies = false
	if alone := SimulateTuning(sim, 10); alone.Efficiency >= tuning.Efficiency {
		t.Errorf("without copies %+v, with %+v", alone, tuning)
	}
	if again := SimulateTuning(Laboratory(workers), 10); again != tuning {
		t.Errorf("the same simulation again: %+v, before %+v", again, tuning)
	}
}
