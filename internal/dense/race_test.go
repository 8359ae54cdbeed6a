//go:build race

package dense

func init() { underRace = true }
