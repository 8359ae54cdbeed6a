package dense

import "unsafe"

// Workspace holds the pack buffers of one worker. The zero value is ready; it
// grows to what the largest call needs and then never allocates again. Two
// goroutines must not share one. A nil *Workspace is accepted everywhere and
// means: allocate for this call.
type Workspace struct {
	a, b, t []float64
}

// NewWorkspace returns an empty workspace.
func NewWorkspace() *Workspace { return new(Workspace) }

// Bytes is the memory the workspace holds now.
func (ws *Workspace) Bytes() int64 {
	if ws == nil {
		return 0
	}
	return int64(cap(ws.a)+cap(ws.b)+cap(ws.t)) * 8
}

func grow(s *[]float64, n int) []float64 {
	if cap(*s) < n {
		*s = make([]float64, n+n/4)
	}
	return (*s)[:n]
}

func (ws *Workspace) packA(n int) []float64 {
	if ws == nil {
		return make([]float64, n)
	}
	return grow(&ws.a, n)
}

func (ws *Workspace) packB(n int) []float64 {
	if ws == nil {
		return make([]float64, n)
	}
	return grow(&ws.b, n)
}

// temp is for results between two products (Y of FrontInverse).
func (ws *Workspace) temp(n int) []float64 {
	if ws == nil {
		return make([]float64, n)
	}
	return grow(&ws.t, n)
}

// offset is &p[n].
func offset(p *float64, n int) *float64 {
	return (*float64)(unsafe.Add(unsafe.Pointer(p), n*8))
}
