package datasets

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// oldSchema is the format version before this one. It called the sides of a trial
// x and than. A run of that version keeps its names when it goes on, so that no
// folder mixes two versions.
const oldSchema = 2

// oldRows says how rows of type T differ in a run of format version 2.
type oldRows[T any] struct {
	columns map[string]string // parquet tags by the names of fields
	// read and write change values of a row after it is read and before it is
	// written; nil where all are the same.
	read, write func(*T)
}

var (
	oldTrials = oldRows[TrialRow]{columns: map[string]string{
		"A": "x,list", "B": "than,list", "FaultsA": "faults_x,delta", "FaultsB": "faults_than,delta",
	}}
	oldGames = oldRows[GameRow]{columns: map[string]string{
		"AScore": "x_score,dict", "NodesA": "nodes_x,delta", "NodesB": "nodes_than,delta",
	}}
	oldMoves = oldRows[MoveRow]{
		read:  func(m *MoveRow) { m.Player = replaced(m.Player, oldPlayers, players) },
		write: func(m *MoveRow) { m.Player = replaced(m.Player, players, oldPlayers) },
	}
)

var players, oldPlayers = [2]string{PlayerA, PlayerB}, [2]string{"x", "than"}

// replaced returns the value of to that has value's place in from, and value where
// from does not hold it.
func replaced(value string, from, to [2]string) string {
	if i := slices.Index(from[:], value); i >= 0 {
		return to[i]
	}
	return value
}

// tags renames the columns of a reader or writer for files of a format version.
func (o oldRows[T]) tags(schema int) *parquet.SchemaConfig {
	var config parquet.SchemaConfig
	if schema == oldSchema {
		for field, tag := range o.columns {
			parquet.StructTag(reflect.StructTag(fmt.Sprintf("parquet:%q", tag)), field).ConfigureSchema(&config)
		}
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		if !has(schema, f) {
			parquet.StructTag(`parquet:"-"`, f.Name).ConfigureSchema(&config)
		}
	}
	return &config
}

// has reports whether a field of a row is a column in a format version.
func has(schema int, f reflect.StructField) bool {
	return f.Tag.Get("since") == "" || schema >= ValuesSchema
}

// fromFile changes a row read from a file of a format version to what it is today.
func (o oldRows[T]) fromFile(schema int, row *T) {
	if schema == oldSchema && o.read != nil {
		o.read(row)
	}
}

// toFile returns rows as a file of a format version has them.
func (o oldRows[T]) toFile(schema int, rows []T) []T {
	if schema != oldSchema || o.write == nil {
		return rows
	}
	rows = slices.Clone(rows)
	for i := range rows {
		o.write(&rows[i])
	}
	return rows
}
