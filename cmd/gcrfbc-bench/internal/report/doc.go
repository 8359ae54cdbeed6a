// Package report turns result files into a page for people: one HTML file
// without outside parts, or Markdown with its figures beside it. Build chooses
// the sections by the kinds of results that there are; what it does not know is
// shown as a table.
package report
