package text

// Each writes each of some things, in their order; nil for none.
func Each[T any](things []T, write func(T) string) (list []string) {
	for _, t := range things {
		list = append(list, write(t))
	}
	return list
}
