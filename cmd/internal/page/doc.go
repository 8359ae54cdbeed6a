// Package page writes pages for people and draws what stands on them: sections of
// paragraphs, tables and figures as one HTML file without outside parts, or as
// Markdown with its figures beside it; charts, maps, pictures, ROC curves and
// reliability diagrams as SVG that is read in light and in dark, on paper, on a
// screen and on a phone.
package page
