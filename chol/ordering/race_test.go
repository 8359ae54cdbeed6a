//go:build race

package ordering_test

const raceDetector = true
