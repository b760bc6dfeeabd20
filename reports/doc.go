// Package reports writes pages about measurements: HTML and Markdown from
// sentences, tables and charts. It draws nothing itself (package reports/figure
// does), plays nothing, judges nothing and reads no files: no game, tuner or run
// directory is known.
//
// A [Page] puts figures, tables and sentences in order and writes them as one
// self-contained HTML file and as Markdown. The same page gives the same bytes:
// no clock, no random identifiers, no map order.
package reports
