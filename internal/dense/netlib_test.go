//go:build netlib && cgo

package dense

import "testing"

func TestNetlib(t *testing.T) { conformance(t, Netlib{}) }

func init() { others = append(others, Netlib{}) }
