package chol

import (
	"fmt"

	"github.com/gcrfbc/gcrfbc/internal/dense"
)

// netlibKernels is nil unless it was compiled in.
var netlibKernels dense.Backend

func (b Backend) kernels() (dense.Backend, error) {
	switch {
	case b == NativeBackend:
		return dense.Native{}, nil
	case b != NetlibBackend:
		return nil, &OptionError{Field: "Backend", Msg: fmt.Sprintf("unknown value %d", uint8(b))}
	case netlibKernels == nil:
		return nil, &OptionError{Field: "Backend", Msg: "this program was built without netlib; build with cgo and -tags netlib, or use NativeBackend"}
	}
	return netlibKernels, nil
}
