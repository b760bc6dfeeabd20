package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"selfplaylab/cmd/internal/web/table"
	"selfplaylab/reports"
	"selfplaylab/reports/board"
)

//go:embed static pages
var files embed.FS

// assets holds the files that pages load, made and compressed once.
type assets struct {
	base  string // of their addresses; changes with the files, because browsers keep these
	files map[string]asset
}

// asset is a file. packed is nil if packing does not pay.
type asset struct{ data, packed []byte }

// madeAssets returns this program's assets.
var madeAssets = sync.OnceValue(func() *assets {
	a := &assets{files: map[string]asset{"style.css": newAsset(style())}}
	games, err := table.Games()
	if err != nil {
		panic(err) // embedded templates always parse
	}
	text, err := json.Marshal(games)
	if err != nil {
		panic(err) // as above
	}
	a.files["games.json"] = newAsset(text) // the games and how they begin
	err = fs.WalkDir(files, "static", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := files.ReadFile(name)
		a.files[strings.TrimPrefix(name, "static/")] = newAsset(data)
		return err
	})
	if err != nil {
		panic(err) // embedded files can always be read
	}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(a.files)) {
		_, _ = sum.Write([]byte(name)) // a hash takes everything
		_, _ = sum.Write(a.files[name].data)
	}
	a.base = "static/" + hex.EncodeToString(sum.Sum(nil)[:6]) + "/"
	return a
})

func newAsset(data []byte) asset {
	a := asset{data: data}
	if small := packed(data); len(small) < len(data)*9/10 {
		a.packed = small
	}
	return a
}

// packed packs bytes as well as gzip can.
func packed(data []byte) []byte {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic(err) // there is such a level
	}
	_, _ = z.Write(data) // to memory
	_ = z.Close()
	return b.Bytes()
}

// ServeHTTP answers with a file. Pages opened before the program changed request the files of their
// time and receive today's.
func (a *assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	full := strings.TrimPrefix(r.URL.Path, "/")
	name, now := strings.CutPrefix(full, a.base)
	if !now {
		_, name, _ = strings.Cut(strings.TrimPrefix(full, "static/"), "/")
	}
	f, ok := a.files[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	if now {
		h.Set("Cache-Control", "private, max-age=31536000, immutable")
	}
	h.Set("Vary", "Accept-Encoding")
	data, tag := f.data, path.Base(a.base)
	if f.packed != nil && r.Header.Get("Range") == "" && acceptsGzip(r) {
		data, tag = f.packed, tag+"-gzip"
		h.Set("Content-Encoding", "gzip")
		h.Set("Content-Length", strconv.Itoa(len(data)))
	}
	h.Set("ETag", `"`+tag+`"`)
	http.ServeContent(w, r, path.Base(name), time.Time{}, bytes.NewReader(data))
}

// acceptsGzip reports whether a browser accepts gzip. All do, unless they say q=0.
func acceptsGzip(r *http.Request) bool {
	for _, word := range strings.Split(r.Header.Get("Accept-Encoding"), ",") {
		name, q, _ := strings.Cut(strings.ReplaceAll(word, " ", ""), ";q=")
		if weight, err := strconv.ParseFloat(q, 64); name == "gzip" && (q == "" || err == nil && weight > 0) {
			return true
		}
	}
	return false
}

// packing packs the answers of a handler that are texts.
func packing(h http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.EnableZstd(false), gzhttp.CompressionLevel(gzip.BestSpeed),
		gzhttp.ContentTypes([]string{"text/html", "text/css", "text/plain", "text/csv", "text/javascript", "application/json", "image/svg+xml"}))
	if err != nil {
		panic(err) // the options are right
	}
	return wrap(h)
}

// style returns the sheet of all pages: the reports', the boards' and our own.
func style() []byte {
	text := reports.Style() + board.CSS()
	for _, name := range []string{"uplot.css", "web.css"} {
		own, err := files.ReadFile("static/" + name)
		if err != nil {
			panic(err) // embedded files can always be read
		}
		text += string(own)
	}
	return []byte(text)
}
