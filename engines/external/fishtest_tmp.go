package external

import "selfplaylab/params"

func parseFishtestRow(row string) (params.Param, error) { return ParseParamRow(row) }
