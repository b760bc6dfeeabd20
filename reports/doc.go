// Package reports draws figures and writes pages about measurements: SVG, PNG,
// HTML and Markdown from plain data. It plays nothing, judges nothing and reads
// no files: intervals and verdicts are the caller's ([BinScores] is the one
// estimate made here), and no game, tuner or run directory is known.
//
// A figure is a struct of data with the methods of [Figure]. A [Page] puts
// figures, tables and sentences in order and writes them as one self-contained
// HTML file and as Markdown.
//
// The same data give the same bytes: no clock, no random identifiers, no map
// order. SVG text names fonts of Arial's widths and embeds none. PNG text is set
// in a font that knows Latin, Greek and Cyrillic letters; give figures titles
// in those.
//
// Rules that hold for every figure:
//   - Intervals are given as Lo and Hi. Lo == Hi means "no interval" and draws
//     none; NaN in either means the same; an infinite end is drawn as open, up
//     to the edge of the panel.
//   - A point whose own value is NaN is missing and is left out.
//   - Infinite values, reversed intervals, slices of unequal length and figures
//     with nothing to draw are errors that name the field.
package reports
