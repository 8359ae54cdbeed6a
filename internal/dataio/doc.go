// Package dataio reads what the commands read — node tables (CSV), graphs named
// on the command line, instances (.npz) — and writes predictions. Every fault is
// an [*Error] that names file, line and column, or array and index, and what to
// do about it; faults inside a text graph are a *sparse.ParseError. Outputs are
// written to a temporary file and renamed.
package dataio
