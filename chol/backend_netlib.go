//go:build netlib && cgo

package chol

import "github.com/gcrfbc/gcrfbc/internal/dense"

func init() { netlibKernels = dense.Netlib{} }
