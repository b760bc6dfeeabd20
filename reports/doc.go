// Package reports writes pages about measurements: HTML and Markdown from sentences, tables and
// charts. It draws nothing itself (package reports/figure does), plays nothing, judges nothing
// and reads no files. It knows no game, tuner or run directory.
//
// A [Page] arranges figures, tables and sentences and writes them as one self-contained HTML
// file and as Markdown. Equal pages give equal bytes: no clock, no random identifiers, no map
// order.
package reports
