package report

import "github.com/gcrfbc/gcrfbc/cmd/internal/page"

// The parts of a page, drawn and written by package page.
type (
	Page    = page.Page
	Section = page.Section
	Block   = page.Block
	Text    = page.Text
	Note    = page.Note
	Table   = page.Table
	Cell    = page.Cell
	Figure  = page.Figure
	Figures = page.Figures
)

// word returns a cell of text.
func word(s string) Cell { return page.Word(s) }

// num returns a cell that shows text and sorts by v.
func num(text string, v float64) Cell { return page.Num(text, v) }
