package text

// Each writes each of some things, in their order; nil for none.
func Each[T, U any](things []T, of func(T) U) (list []U) {
	for _, t := range things {
		list = append(list, of(t))
	}
	return list
}
