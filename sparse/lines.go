package sparse

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// maxLine is the longest line accepted; entries have a few dozen bytes.
const maxLine = 1 << 18

// lineReader hands out lines without copying. Gzip is recognised by its magic
// bytes, whatever the file is called.
type lineReader struct {
	file string
	r    io.Reader
	zip  *readAhead // set when r is compressed
	buf  []byte
	pos  int // start of the next line
	end  int // end of what is read
	err  error
	line int // number of the line last handed out
}

func newLineReader(r io.Reader, file string) (*lineReader, error) {
	l := &lineReader{file: file, r: r, buf: make([]byte, maxLine+1)}
	n, err := io.ReadFull(r, l.buf[:2])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, l.readError(err)
	}
	if n == 2 && l.buf[0] == 0x1f && l.buf[1] == 0x8b {
		z, err := gzip.NewReader(io.MultiReader(bytes.NewReader([]byte{0x1f, 0x8b}), r))
		if err != nil {
			return nil, l.zipError(err)
		}
		l.zip = newReadAhead(z)
		l.r = l.zip
	} else {
		l.end = n
	}
	for l.end < 3 && l.err == nil {
		l.fill()
	}
	if bytes.HasPrefix(l.buf[:l.end], []byte("\xef\xbb\xbf")) {
		l.pos = 3 // the byte order mark that spreadsheets write
	}
	return l, nil
}

// close stops reading ahead; the underlying reader is the caller's.
func (l *lineReader) close() {
	if l.zip != nil {
		l.zip.close()
	}
}

func (l *lineReader) fill() {
	if l.pos > 0 {
		copy(l.buf, l.buf[l.pos:l.end])
		l.end -= l.pos
		l.pos = 0
	}
	for range 100 {
		n, err := l.r.Read(l.buf[l.end:])
		l.end += n
		l.err = err
		if n > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}

// next returns the next line, without its end (LF or CRLF); it is valid until
// the next call. ok is false at the end of the file.
func (l *lineReader) next() (line []byte, ok bool, err error) {
	seen := l.pos
	for {
		if k := bytes.IndexByte(l.buf[seen:l.end], '\n'); k >= 0 {
			line = l.buf[l.pos : seen+k]
			l.pos = seen + k + 1
			break
		}
		seen = l.end
		if l.err != nil {
			if l.err != io.EOF {
				l.line++
				return nil, false, l.readError(l.err)
			}
			if l.pos == l.end {
				return nil, false, nil
			}
			line = l.buf[l.pos:l.end]
			l.pos = l.end
			break
		}
		if l.end-l.pos >= maxLine {
			l.line++
			return nil, false, l.fail(0, FaultSyntax, "line of more than %d bytes; is this a text file?", maxLine)
		}
		seen -= l.pos
		l.fill()
	}
	l.line++
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line, true, nil
}

// nextContent skips blank lines and comments, which start with mark.
func (l *lineReader) nextContent(mark byte) (line []byte, ok bool, err error) {
	for {
		line, ok, err = l.next()
		if !ok || err != nil {
			return line, ok, err
		}
		if p := skipBlank(line, 0); p < len(line) && line[p] != mark {
			return line, true, nil
		}
	}
}

// fail reports a fault in the current line; col counts bytes from 1, or is 0.
func (l *lineReader) fail(col int, f Fault, format string, args ...any) *ParseError {
	return &ParseError{File: l.file, Line: l.line, Column: col, Fault: f, Msg: fmt.Sprintf(format, args...)}
}

func (l *lineReader) readError(err error) error {
	if l.zip != nil {
		return l.zipError(err)
	}
	return &ParseError{File: l.file, Line: l.line, Fault: FaultRead, Msg: "read failed: " + err.Error(), Err: err}
}

func (l *lineReader) zipError(err error) error {
	msg := "gzip data is damaged; compress or download it again"
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		msg = "gzip data ends early; compress or download it again"
	}
	return &ParseError{File: l.file, Line: l.line, Fault: FaultTruncated, Msg: msg, Err: err}
}

func skipBlank(s []byte, p int) int {
	for p < len(s) && (s[p] == ' ' || s[p] == '\t') {
		p++
	}
	return p
}

// word returns the field at s[p:] as far as a message wants to show it.
func word(s []byte, p int) string {
	e := p
	for e < len(s) && !isDelimiter(s[e]) {
		e++
	}
	if e-p > 40 {
		return string(s[p:p+40]) + "…"
	}
	return string(s[p:e])
}
