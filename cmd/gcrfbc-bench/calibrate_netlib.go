//go:build netlib && cgo

package main

import "github.com/gcrfbc/gcrfbc/internal/dense"

func init() { backends = append(backends, dense.Netlib{}) }
