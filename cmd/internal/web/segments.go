package web

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
)

// joinSegments writes the data of a WebAssembly program in few segments. Go's linker begins
// another one after every eight zeros, which makes a packed program a tenth larger: the
// places of eighty thousand segments do not compress, and zeros do.
func joinSegments(program []byte) ([]byte, error) {
	const header, data = 8, 11 // bytes before the first section; the id of the data section
	out := bytes.Clone(program[:min(header, len(program))])
	for at := len(out); at < len(program); {
		id, start := program[at], at
		size, n := binary.Uvarint(program[at+1:])
		at += 1 + n + int(size)
		if n <= 0 || size > uint64(len(program)) || at > len(program) {
			return nil, errors.New("a section of the program ends beyond it")
		}
		if id != data {
			out = append(out, program[start:at]...)
			continue
		}
		section := joined(program[at-int(size) : at])
		out = binary.AppendUvarint(append(out, id), uint64(len(section)))
		out = append(out, section...)
	}
	return out, nil
}

// maxGap is how many zeros between two segments are written rather than left out.
const maxGap = 1 << 12

// segment is data and where it is in the memory.
type segment struct {
	place int64
	data  []byte
}

func (s segment) end() int64 { return s.place + int64(len(s.data)) }

// joined is a data section with the segments joined that are less than maxGap apart.
func joined(section []byte) []byte {
	count, n := binary.Uvarint(section)
	section = section[n:]
	list := make([]segment, count)
	for i := range list {
		place, n := varint(section[2:]) // after the kind of segment and i32.const
		size, m := binary.Uvarint(section[3+n:])
		begin := 3 + n + m
		list[i] = segment{place, section[begin:][:size:size]}
		section = section[begin+int(size):]
	}
	slices.SortFunc(list, func(a, b segment) int { return cmp.Compare(a.place, b.place) })
	few := list[:0]
	for _, s := range list {
		if last := len(few) - 1; last >= 0 && s.place-few[last].end() < maxGap {
			few[last].data = append(append(few[last].data, make([]byte, s.place-few[last].end())...), s.data...)
			continue
		}
		few = append(few, s)
	}
	out := binary.AppendUvarint(nil, uint64(len(few)))
	for _, s := range few {
		dropNames(s.data)
		out = appendVarint(append(out, 0, 0x41), s.place)
		out = binary.AppendUvarint(append(out, 0x0b), uint64(len(s.data)))
		out = append(out, s.data...)
	}
	return out
}

// tableStart begins Go's table of functions (runtime.pcHeader): its version, then the sizes
// of instructions and pointers.
var tableStart = []byte("\xf1\xff\xff\xff\x00\x00\x01\x08")

// dropNames blanks the names of files and functions, which only traces of crashes show; a
// page shows none. The runtime recognises its own goroutines by the names of its functions.
func dropNames(data []byte) {
	at := max(bytes.Index(data, tableStart), 0)
	const names, units, files, lines = 3, 4, 5, 6 // which words of the header say where each part begins
	part := func(from, to int) []byte {
		start, end := at+8*(1+from), at+8*(1+to)
		if !bytes.HasPrefix(data[at:], tableStart) || end+8 > len(data) {
			return nil
		}
		a, b := binary.LittleEndian.Uint64(data[start:]), binary.LittleEndian.Uint64(data[end:])
		if a > b || b > uint64(len(data)-at) {
			return nil
		}
		return data[at:][a:b]
	}
	for name := range bytes.SplitSeq(part(names, units), []byte{0}) {
		if !bytes.HasPrefix(name, []byte("runtime.")) {
			clear(name)
		}
	}
	clear(part(files, lines))
}

// varint reads a signed number as WebAssembly writes it.
func varint(b []byte) (x int64, n int) {
	for shift := 0; ; shift += 7 {
		c := b[n]
		n++
		x |= int64(c&0x7f) << shift
		if c < 0x80 {
			if c&0x40 != 0 {
				x -= 1 << (shift + 7)
			}
			return x, n
		}
	}
}

// appendVarint appends a signed number.
func appendVarint(b []byte, x int64) []byte {
	for ; x >= 0x40 || x < -0x40; x >>= 7 {
		b = append(b, byte(x)|0x80)
	}
	return append(b, byte(x)&0x7f)
}
