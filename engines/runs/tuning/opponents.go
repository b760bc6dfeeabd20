package tuning

import (
	"slices"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/schedule"
)

// maxOpponents bounds a pool: each plays its share of the trials.
const maxOpponents = 50

// opponentSeed keeps the order of opponents apart from other draws: "pool".
const opponentSeed = 0x706f6f6c

// oppose reads the opponents. A text may list several: a part that is no NAME=VALUE of
// the player before it begins the next.
func (s *Config) oppose(seat func(player.Config) (player.Config, error)) error {
	asked := playerList(s.Against)
	s.Against = nil
	for _, one := range asked {
		e, err := seat(one)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(s.Against, func(o player.Config) bool { return o.Same(e) || o.Name == e.Name }) {
			return config.Errorf("against", "%s: given twice, or two opponents have the same name; NAME:PLAYER sets the name", one.Player)
		}
		s.Against = append(s.Against, e)
	}
	if n := len(s.Against); n > maxOpponents {
		return config.Errorf("against", "%d opponents: want at most %d", n, maxOpponents)
	}
	return nil
}

// playerList splits lists of players.
func playerList(asked []player.Config) (list []player.Config) {
	for _, one := range asked {
		for i, part := range strings.Split(one.Player, ",") {
			if name, _, is := strings.Cut(part, "="); i > 0 && is && !strings.ContainsAny(name, "@:") {
				list[len(list)-1].Player += "," + part
				continue
			}
			list = append(list, player.Ask(part))
		}
	}
	return list
}

// drawn are the opponents with the order in which a tuner meets them.
func (s *Config) drawn(seed uint64) schedule.Opponents {
	return schedule.Opponents{Players: s.Against, Seed: engines.Seed(seed, opponentSeed)}
}

// opposition names the opponents for people; "" for none.
func (s *Config) opposition() string {
	var names []string
	for _, e := range s.Against {
		names = append(names, e.Name)
	}
	return strings.Join(names, ", ")
}

// byPool reports whether the verdict is by the mean over a pool of opponents.
func (s *Config) byPool() bool { return len(s.Against) > 1 && s.AgainstPairs > 0 }

// stretch is the number of pairs of a trial against an opponent.
const stretch = 50

// meeting lists the trials of players that each play every opponent, in rounds, on
// the same openings; see met.
func (s *Config) meeting(phase string, seats []player.Config, pairs int) *schedule.Listed {
	l := &schedule.Listed{}
	for from := 0; from < pairs; from += stretch {
		for _, opponent := range s.Against {
			for _, e := range seats {
				trial := s.trial(phase, e, opponent, min(stretch, pairs-from))
				trial.Openings = uint64(from / stretch)
				l.Trials = append(l.Trials, trial)
			}
		}
	}
	return l
}

// met is who plays whom in the nth trial of a meeting of that many players.
func (s *Config) met(n int64, players int) (player, opponent int) {
	k := int64(max(1, players))
	return int(n % k), int(n / k % int64(len(s.Against)))
}

// roundRobin lists the trials of players that all play each other, in rounds, on the same
// openings; see pairing.
func (s *Config) roundRobin(phase string, seats []player.Config, pairs int) *schedule.Listed {
	l := &schedule.Listed{}
	for from := 0; from < pairs; from += stretch {
		for _, pairing := range schedule.RoundRobin(len(seats)) {
			trial := s.trial(phase, seats[pairing.A], seats[pairing.B], min(stretch, pairs-from))
			trial.Openings = uint64(from / stretch)
			l.Trials = append(l.Trials, trial)
		}
	}
	return l
}

// pairing is who meets in the n-th trial of a round robin of that many players.
func pairing(n int64, players int) schedule.Pairing {
	list := schedule.RoundRobin(players)
	return list[n%int64(len(list))]
}
