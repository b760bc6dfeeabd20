package tuning

import (
	"math"

	"selfplaylab/params"
)

// meanOf returns the mean of several vectors over the active parameters, each in its own scale.
// Other parameters are taken from the first vector. Of weights that matter only by their ratios the
// directions and the lengths are averaged. Of names and switches the most frequent is taken.
func meanOf(space params.Space, active []int, vectors []params.Vector) params.Vector {
	mean := vectors[0].Clone()
	for _, i := range active {
		mean[i] = meanValue(space[i], i, vectors)
	}
	for _, group := range ratioGroups(space, active) {
		length := 0.0
		direction := make([]float64, len(group))
		for _, v := range vectors {
			own := 0.0
			for _, i := range group {
				own += float64(v[i] * v[i])
			}
			own = math.Sqrt(own)
			for k, i := range group {
				direction[k] += v[i] / max(own, math.SmallestNonzeroFloat64)
			}
			length += own / float64(len(vectors))
		}
		own := 0.0
		for _, x := range direction {
			own += float64(x * x)
		}
		for k, i := range group {
			mean[i] = settled(space[i], length*direction[k]/max(math.Sqrt(own), math.SmallestNonzeroFloat64))
		}
	}
	return mean
}

// ratioGroups lists the active parameters by their ratio group. A group with inactive parameters is
// left out.
func ratioGroups(space params.Space, active []int) map[string][]int {
	groups, whole := map[string][]int{}, map[string]int{}
	for _, p := range space {
		whole[p.Ratio]++
	}
	for _, i := range active {
		groups[space[i].Ratio] = append(groups[space[i].Ratio], i)
	}
	for name, group := range groups {
		if name == "" || len(group) < whole[name] {
			delete(groups, name)
		}
	}
	return groups
}

// meanValue returns the mean of one parameter.
func meanValue(p params.Param, i int, vectors []params.Vector) float64 {
	if len(p.Labels) > 0 || p.Switch() {
		count, best := map[float64]int{}, vectors[0][i]
		for _, v := range vectors {
			if count[v[i]]++; count[v[i]] > count[best] {
				best = v[i]
			}
		}
		return best
	}
	sum := 0.0
	for _, v := range vectors {
		sum += p.Coordinate(v[i])
	}
	return settled(p, p.Value(sum/float64(len(vectors))))
}

// settled rounds a value as a tuner does, to a whole number where the parameter is whole.
func settled(p params.Param, x float64) float64 {
	if p.Log && x <= 0 {
		return p.Min
	}
	return p.Clip(p.Value(p.Coordinate(x)))
}
