package learn

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/gcrfbc/gcrfbc/infer"
)

// State is a fit under way: all its evaluations so far and the sites of every
// instance. It takes 16 bytes a node, and 16 a variable and evaluation.
type State struct {
	fingerprint [sha256.Size]byte
	entries     []entry
	sites       infer.Sites
}

// Evaluations returns how many evaluations a fit resumed from s need not repeat.
func (s *State) Evaluations() int { return len(s.entries) }

// stateMagic begins a state file; the last byte is the version. Length and
// checksum (CRC-32C) of what follows come after it, little-endian.
const stateMagic = "gcrfbc-fit\x00\x01"

// wireState is a State as it is written.
type wireState struct {
	Fingerprint [sha256.Size]byte
	Entries     []entry
	Sites       infer.Sites
}

// Write writes the state; numbers survive the round trip to the bit. Write to
// another file and rename it, so that a crash cannot cost the last state.
func (s *State) Write(w io.Writer) error {
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(wireState{s.fingerprint, s.entries, s.sites}); err != nil {
		return err
	}
	head := []byte(stateMagic)
	head = binary.LittleEndian.AppendUint64(head, uint64(body.Len()))
	head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(body.Bytes(), castagnoli))
	if _, err := w.Write(head); err != nil {
		return err
	}
	_, err := body.WriteTo(w)
	return err
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ReadState reads what Write wrote. Anything else is a *StateError.
func ReadState(r io.Reader) (*State, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, &StateError{Msg: "cannot be read: " + err.Error()}
	}
	if len(b) < len(stateMagic)+12 || string(b[:len(stateMagic)-1]) != stateMagic[:len(stateMagic)-1] {
		return nil, &StateError{Msg: "is not a checkpoint written by a fit"}
	}
	if v := b[len(stateMagic)-1]; v != stateMagic[len(stateMagic)-1] {
		return nil, &StateError{Msg: fmt.Sprintf("has version %d, this program reads version %d", v, stateMagic[len(stateMagic)-1])}
	}
	b = b[len(stateMagic):]
	size, sum := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint32(b[8:])
	if b = b[12:]; uint64(len(b)) != size {
		return nil, &StateError{Msg: fmt.Sprintf("holds %d bytes of %d; was it cut off?", len(b), size)}
	}
	if crc32.Checksum(b, castagnoli) != sum {
		return nil, &StateError{Msg: "is damaged: its checksum is another"}
	}
	var w wireState
	if err := gob.NewDecoder(bytes.NewReader(b)).Decode(&w); err != nil {
		return nil, &StateError{Msg: "is damaged: " + err.Error()}
	}
	for i := range w.Entries {
		if len(w.Entries[i].X) != len(w.Entries[i].Grad) {
			return nil, &StateError{Msg: "is damaged: an evaluation's gradient is of another length than its parameters"}
		}
	}
	return &State{w.Fingerprint, w.Entries, w.Sites}, nil
}

// StateError says what is wrong with the state of a fit or its file.
type StateError struct{ Msg string }

func (e *StateError) Error() string { return "learn: checkpoint " + e.Msg }
