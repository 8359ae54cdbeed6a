// Package showcase runs the engine on real data and hands on what a report
// shows of it: the embedded counties, and pictures that the caller has.
package showcase

// Emit takes one result.
type Emit func(kind string, fields map[string]any) error
