package tuning

import (
	"slices"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/text"
)

// maxOpponents bounds a pool: each plays its share of the trials.
const maxOpponents = 50

// opponentSeed keeps the order of opponents apart from other draws: "pool".
const opponentSeed = 0x706f6f6c

// oppose reads the opponents. A text may list several: a part that is no NAME=VALUE of
// the player before it begins the next.
func (c *Config) oppose(seat func(player.Config) (player.Config, error)) error {
	cfg := playerList(c.Against)
	c.Against = nil
	for _, one := range cfg {
		e, err := seat(one)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(c.Against, func(o player.Config) bool { return o.Same(e) || o.Name == e.Name }) {
			return config.Errorf("against", "%s: given twice, or two opponents have the same name; NAME:PLAYER sets the name", one.Player)
		}
		c.Against = append(c.Against, e)
	}
	if n := len(c.Against); n > maxOpponents {
		return config.Errorf("against", "%d opponents: want at most %d", n, maxOpponents)
	}
	return nil
}

// playerList splits lists of players.
func playerList(cfg []player.Config) (list []player.Config) {
	for _, one := range cfg {
		for i, part := range strings.Split(one.Player, ",") {
			if name, _, ok := strings.Cut(part, "="); i > 0 && ok && !strings.ContainsAny(name, "@:") {
				list[len(list)-1].Player += "," + part
				continue
			}
			list = append(list, player.Ask(part))
		}
	}
	return list
}

// drawn returns the opponents with the order in which a tuner meets them.
func (c *Config) drawn(seed uint64) schedule.Opponents {
	return schedule.Opponents{Players: c.Against, Seed: engines.Seed(seed, opponentSeed)}
}

// opponentNames names the opponents for people; "" for none.
func (c *Config) opponentNames() string {
	return strings.Join(text.Each(c.Against, playerName), ", ")
}

func playerName(e player.Config) string { return e.Name }

// byPool reports whether the verdict is by the mean over a pool of opponents.
func (c *Config) byPool() bool { return len(c.Against) > 1 && c.AgainstPairs > 0 }
