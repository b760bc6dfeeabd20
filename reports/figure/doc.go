// Package figure draws charts: data in, a drawing out. It writes no pages (package reports
// does), judges nothing and reads no files. Intervals and verdicts are the caller's
// ([BinScores] is the only estimate of this package), and it knows no game, tuner or run
// directory.
//
// A chart is a struct of data with one method, [Chart.Draw], which lays it out for a wide or a
// narrow sheet with gonum's plots. [File] returns an SVG, PNG or PDF of it; inside a page a
// [Drawing] is an element of SVG.
//
// The same data give the same bytes: no clock, no random identifiers, no map order. SVG text
// names fonts of Arial's widths and embeds none.
//
// Rules for every chart:
//   - Intervals are given as Lo and Hi. Lo == Hi means "no interval" and draws
//     none; NaN in either means the same; an infinite end is drawn as open, up
//     to the edge of the panel.
//   - A point whose own value is NaN is missing and is left out.
//   - LogX, LogY or Log make an axis logarithmic, with marks at powers of ten
//     and, if there is room, between them. Values on it must be positive; an
//     interval that reaches zero or below is drawn as open.
//   - Infinite values, reversed intervals, slices of unequal length and charts
//     with nothing to draw are errors that name the field.
package figure
