package page

// Page is a report before it is written in one format or another.
type Page struct {
	Title    string
	Subtitle string
	Sections []Section
}

// Section is a chapter with its own heading.
type Section struct {
	ID, Title string
	Command   string // the command whose results it shows
	Blocks    []Block
}

// Block is a paragraph, a table or a figure.
type Block interface{ block() }

// Text is a paragraph.
type Text string

// Note is a paragraph that is set apart.
type Note string

// Table can be sorted by its columns in HTML.
type Table struct {
	Caption string
	Folded  bool // opened by the reader: a long table of details
	Head    []string
	Rows    [][]Cell
}

// Cell is a table's entry; Sort orders numbers that are shown as text.
type Cell struct {
	Text   string
	Sort   float64
	Number bool
	Strong bool
}

// Figure is a picture as SVG without XML prolog.
type Figure struct {
	Name    string // of its file beside Markdown
	Caption string
	Alt     string
	SVG     string
	Wide    bool     // takes the page's whole width
	Panels  []string // on a page in the place of SVG, if any: parts that stand side by side where there is room
}

// Figures stand side by side where there is room.
type Figures []Figure

func (Text) block()    {}
func (Note) block()    {}
func (*Table) block()  {}
func (Figures) block() {}

// Word returns a cell of text.
func Word(s string) Cell { return Cell{Text: s} }

// Num returns a cell that shows text and sorts by v.
func Num(text string, v float64) Cell { return Cell{Text: text, Sort: v, Number: true} }
