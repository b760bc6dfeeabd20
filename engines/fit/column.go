package fit

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"unsafe"
)

// spillBytes is the size from which a column is kept in a temporary file. Fits read columns from
// their beginning to their end, so the system keeps in memory as much of the file as there is room for.
const spillBytes = 16 << 20

// column is a growing list of numbers of four bytes each.
type column[T float32 | int32] struct {
	list []T // all of it, before the file exists
	size int // in bytes, beyond which the file is made; 0 for spillBytes
	file *os.File
	out  *bufio.Writer
	view []byte // the mapped file; nil if it is not mapped
	err  error  // of writing
}

// add appends numbers. all returns the errors of writing.
func (c *column[T]) add(list ...T) {
	if c.file == nil {
		c.list = append(c.list, list...)
		limit := c.size
		if limit == 0 {
			limit = spillBytes
		}
		if 4*len(c.list) > limit && c.err == nil {
			c.spill()
		}
		return
	}
	if c.err == nil {
		_, c.err = c.out.Write(bytesOf(list))
	}
}

// spill moves the list to a temporary file.
func (c *column[T]) spill() {
	if c.file, c.err = os.CreateTemp("", "selfplaylab-fit-*"); c.err != nil {
		return
	}
	removeOpen(c.file)
	c.out = bufio.NewWriterSize(c.file, 1<<20)
	_, c.err = c.out.Write(bytesOf(c.list))
	c.list = nil
}

// all returns the numbers. They are valid until close or the next call of all.
func (c *column[T]) all() ([]T, error) {
	if c.file == nil || c.err != nil {
		return c.list, c.wrapped(c.err)
	}
	if err := c.out.Flush(); err != nil {
		return nil, c.wrapped(err)
	}
	if err := unmapFile(c.view); err != nil {
		return nil, c.wrapped(err)
	}
	info, err := c.file.Stat()
	if err != nil {
		return nil, c.wrapped(err)
	}
	if c.view, err = mapFile(c.file, int(info.Size())); err != nil {
		return nil, c.wrapped(err)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(c.view))), len(c.view)/4), nil
}

// wrapped adds the purpose of the file to an error.
func (c *column[T]) wrapped(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("positions of the fit, in a temporary file (TMPDIR names another folder): %w", err)
}

// close removes the file.
func (c *column[T]) close() error {
	if c.file == nil {
		return nil
	}
	err := errors.Join(unmapFile(c.view), c.file.Close())
	os.Remove(c.file.Name()) // where removeOpen could not
	c.file, c.view = nil, nil
	return err
}

// bytesOf returns the memory of a list.
func bytesOf[T float32 | int32](list []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), 4*len(list))
}
