package datasets

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

type csvSums struct {
	Total float64 `csv:"total,2,derived"`
}

type csvRow struct {
	Name string `csv:"name"`
	csvSums
	Cells [2][2]int `csv:"c"`
	Share float64   `csv:"share"`
	Mean  float64   `csv:"mean,3"`
	Sure  bool      `csv:"sure"`
	Nodes int64     `csv:"nodes_a"`
	_     string    // not exported, so not a column
}

func TestRowsOfCSVReadBack(t *testing.T) {
	rows := []csvRow{
		{Name: "a, \"b\"\nc", csvSums: csvSums{1.005}, Cells: [2][2]int{{1, 2}, {3, 4}}, Share: 1e-9, Mean: 0.125, Sure: true, Nodes: 1 << 60},
		{Share: math.NaN(), Mean: math.Inf(1)},
	}
	data, err := EncodeCSV(rows)
	if err != nil {
		t.Fatal(err)
	}
	const want = "name,total,c00,c01,c10,c11,share,mean,sure,nodes_a\n\"a, \"\"b\"\"\nc\",1.00,1,2,3,4,1e-09,0.125,true,1152921504606846976\n,0.00,0,0,0,0,,+Inf,false,0\n"
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for i := range rows {
		rows[i].Total = 0 // derived columns are not read
	}
	for _, text := range []string{want, "\ufeff" + want} {
		got, err := DecodeCSV[csvRow]("f.csv", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(rows, got, cmp.AllowUnexported(csvRow{}), cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestDecodeCSVReportsLine(t *testing.T) {
	head := "name,total,c00,c01,c10,c11,share,mean,sure,nodes_a\n"
	for text, want := range map[string]string{
		"":                             "f.csv:1: want the columns name,total,c00",
		"name\n":                       "f.csv:1: want the columns",
		head + "a\n":                   "f.csv: record on line 2: wrong number of fields",
		head + "a,1,-1,0,0,0,0,0,,0\n": `f.csv:2: c00 = "-1": want a count`,
		head + "a,1,1,0,0,0,x,0,,0\n":  `f.csv:2: share = "x": want a number`,
		head + "a,1,1,0,0,0,0,0,,0\n":  `f.csv:2: sure = "": want true or false`,
		head + "\"a\nb\",1,1,0,0,0,0,0,true,0\nb,1,1,0,0,0,0,0,true,1.5\n": `f.csv:4: nodes_a = "1.5": want a count`,
	} {
		_, err := DecodeCSV[csvRow]("f.csv", []byte(text))
		wantError(t, err, want)
	}
}
