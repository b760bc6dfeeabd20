package external

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// readFile is a file that a program reads, with its SHA-256 in hexadecimal.
type readFile struct{ path, sum string }

// maxFiles bounds the files beside a program: their subsets are tried.
const maxFiles = 10

// reads returns the program's file, and the files named by its arguments, options and environment:
// a script of an interpreter, a library of a host, a network. Files under Writes are left out.
func (e *Engine) reads() ([]readFile, error) {
	path, err := e.Program()
	if err != nil {
		return nil, err
	}
	paths, texts := []string{path}, slices.Concat(e.Args, e.Env)
	for _, s := range e.Options {
		texts = append(texts, s.Value)
	}
	writes := map[string]bool{}
	for _, name := range e.Writes {
		writes[e.resolve(name)] = true
	}
	for _, text := range texts {
		_, value, _ := strings.Cut(text, "=") // for --net=FILE
		for _, name := range []string{text, value} {
			file := e.resolve(name)
			if name != "" && isFile(file) && !writes[file] && !slices.Contains(paths, file) && len(paths) <= maxFiles {
				paths = append(paths, file)
			}
		}
	}
	var list []readFile
	for _, path := range paths {
		sum, err := hashFile(path)
		if err != nil {
			return nil, fmt.Errorf("engine %s: reading the program: %w", e.Name, err)
		}
		list = append(list, readFile{path, sum})
	}
	return list, nil
}

// resolve returns the path of a file that the engine file names.
func (e *Engine) resolve(name string) string {
	if !filepath.IsAbs(name) {
		name = filepath.Join(e.Dir, name)
	}
	return name
}

// Hash returns the SHA-256 of the program's file in hexadecimal.
// If the program reads more files (see reads), it is the SHA-256 of the hashes of all of them, in
// order, each in hexadecimal and on a line.
func (e *Engine) Hash() (string, error) {
	list, err := e.reads()
	if err != nil {
		return "", err
	}
	return hashOf(list), nil
}

// hashOf returns the hash of files in the form of Engine.Hash.
func hashOf(files []readFile) string {
	if len(files) == 1 {
		return files[0].sum
	}
	var list strings.Builder
	for _, f := range files {
		list.WriteString(f.sum + "\n")
	}
	sum := sha256.Sum256([]byte(list.String()))
	return hex.EncodeToString(sum[:])
}

// contains reports whether files, or some of them with the program, give a hash. A log, for
// example, did not exist when the hash was made.
func contains(files []readFile, hash string) bool {
	more := len(files) - 1
	for left := range 1 << more {
		some := files[:1:1]
		for i := range more {
			if left>>i&1 == 0 {
				some = append(some, files[1+i])
			}
		}
		if hashOf(some) == hash {
			return true
		}
	}
	return false
}

// hashes caches the SHA-256 of files by their paths.
// A run starts a program many times, and hashing a
// program with a network takes longer than starting it.
var hashes sync.Map // path to hashed

// hashed is a hash with the state of its file.
type hashed struct {
	info fs.FileInfo
	sum  string
}

// settled is the age from which a file's hash is cached.
// A second change soon after the first may have the same time.
const settled = 2 * time.Second

// hashFile returns the SHA-256 of a file in hexadecimal.
func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if known, ok := hashes.Load(path); ok {
		k := known.(hashed)
		if os.SameFile(k.info, info) && k.info.Size() == info.Size() && k.info.ModTime().Equal(info.ModTime()) {
			return k.sum, nil
		}
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	sum := hex.EncodeToString(h.Sum(nil))
	if time.Since(info.ModTime()) > settled {
		hashes.Store(path, hashed{info, sum})
	}
	return sum, nil
}
