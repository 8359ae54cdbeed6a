// Package record holds results of benchmarks: one JSON object a line, of which
// "kind" says what it describes and the other fields are flat.
//
//	{"kind":"environment","cpu":"…","cores":2,"go":"go1.26.0",…}
//	{"kind":"solver","matrix":"grid2d:300","threads":1,"refactor_s":0.021,"refactor_min_s":0.020,"refactor_runs":15,"refactor_all_s":[0.021,…],…}
//
// # Fields
//
// Names are of small letters with the unit as suffix: _s seconds, _mb 2²⁰ bytes,
// _gflops 10⁹ operations a second, _gbs 10⁹ bytes a second; what has no suffix is a
// count, a ratio or a word. Values are strings, numbers, booleans, or lists of
// numbers; a value that could not be measured is null or left out. A quantity Q
// that was measured repeatedly, with unit U, is
//
//	Q_U      median          Q_min_U  smallest          Q_runs  number of runs
//	Q_all_U  every run       Q_cpu_U  median of CPU seconds of all threads
//
// Schemas says of each kind which fields identify what was measured: records of
// two files with equal ones are compared. A file that describes its machine
// begins with a record of kind environment.
//
// # Files
//
// A Writer appends records to a file as they come, so that what was finished
// before an interruption is kept. Sink adds the other outputs of a command. Files
// with names in .gz are compressed; reading tells by content.
package record
