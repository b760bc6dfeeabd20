package web

import (
	"errors"
	"fmt"
	"net/http"

	"selfplaylab/reports/rating"
)

// maxCompared bounds the runs of a comparison.
const maxCompared = 12

// comparison is a run of a comparison.
type comparison struct {
	ID         string    `json:"id"`
	Status     status    `json:"status"`
	Settings   []setting `json:"settings"`
	Charts     []chart   `json:"charts"`
	Difference string    `json:"difference"` // from the baseline, the first run; "" if there is none

	game  string
	pairs rating.Pairs // of its question
	level float64
}

// dataCompare answers with the settings and results of runs, the baseline first.
func (s *site) dataCompare(r *http.Request) (any, error) {
	ids := r.URL.Query()["run"]
	if len(ids) > maxCompared {
		return nil, fmt.Errorf("%d runs: at most %d can be compared", len(ids), maxCompared)
	}
	list := []comparison{}
	for _, id := range ids {
		c, err := s.compared(id)
		if err != nil {
			return nil, coded{http.StatusNotFound, fmt.Errorf("%s: %w", id, err)}
		}
		if len(list) > 0 && list[0].game == c.game && list[0].pairs.N() > 0 && c.pairs.N() > 0 { // Elo of two games has no common scale
			c.Difference = rating.Compare(c.pairs, list[0].pairs, list[0].level).String()
		}
		list = append(list, c)
	}
	return list, nil
}

func (s *site) compared(id string) (c comparison, err error) {
	m, err := s.model(id)
	if err != nil {
		return c, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c = comparison{ID: id, Charts: m.charts.all(), level: m.charts.level, game: m.view.Log.Meta.Game}
	if p := m.charts.question(); p != nil {
		c.pairs = p.pairs
	}
	var other error
	c.Status, err = m.status()
	c.Settings, other = settingsOf(m.view.Recorded)
	return c, errors.Join(err, other)
}
