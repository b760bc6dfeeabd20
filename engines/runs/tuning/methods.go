package tuning

// Methods returns the ways to tune, new ones with no settings yet: the list to extend
// for a new tuner. The first is the default.
func Methods() []Method {
	return []Method{
		&quadMethod{},
		&spsaMethod{},
		&gridMethod{},
	}
}
