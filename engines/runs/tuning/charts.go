package tuning

import "selfplaylab/engines/runs"

// charts are the recommended values, trial by trial, and the verification.
func (s *Spec) charts() runs.Charts {
	bands := s.Sequence()
	return runs.Charts{
		Part: VerifyPart, Bands: &bands, Test: s.VerifySPRT, Phase: PhaseTune, Tuned: s.Active, Start: s.Start.Values,
	}
}
