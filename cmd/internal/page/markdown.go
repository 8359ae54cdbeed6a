package page

import (
	"fmt"
	"io"
	"path"
	"strings"
)

// WriteMarkdown writes the page as Markdown that shows its figures from files in
// the given folder, relative to it; figure is called with the content of each.
func (p *Page) WriteMarkdown(w io.Writer, folder string, figure func(name string, svg []byte) error) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n", p.Title, p.Subtitle)
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "\n## %s\n", s.Title)
		if s.Command != "" {
			fmt.Fprintf(&b, "\nMade by `%s`.\n", s.Command)
		}
		for _, block := range s.Blocks {
			switch v := block.(type) {
			case Text:
				fmt.Fprintf(&b, "\n%s\n", v)
			case Note:
				fmt.Fprintf(&b, "\n> %s\n", v)
			case *Table:
				v.markdown(&b)
			case Figures:
				for _, f := range v {
					name := f.Name + ".svg"
					if err := figure(name, standalone(f.SVG)); err != nil {
						return err
					}
					fmt.Fprintf(&b, "\n![%s](%s)\n\n*%s*\n", f.Alt, path.Join(folder, name), f.Caption)
				}
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *Table) markdown(b *strings.Builder) {
	cell := strings.NewReplacer("|", "\\|", "\n", " ")
	if t.Caption != "" {
		fmt.Fprintf(b, "\n%s\n", t.Caption)
	}
	b.WriteString("\n|")
	for _, h := range t.Head {
		fmt.Fprintf(b, " %s |", cell.Replace(h))
	}
	b.WriteString("\n|")
	for c := range t.Head {
		if t.numeric(c) {
			b.WriteString(" ---: |")
		} else {
			b.WriteString(" --- |")
		}
	}
	b.WriteString("\n")
	for _, row := range t.Rows {
		b.WriteString("|")
		for _, c := range row {
			text := cell.Replace(c.Text)
			if c.Strong && text != "" {
				text = "**" + text + "**"
			}
			fmt.Fprintf(b, " %s |", text)
		}
		b.WriteString("\n")
	}
}

// standalone makes a file of a picture: text and axes follow the reader's choice
// of light or dark.
func standalone(svg string) []byte {
	const look = `<style>svg{color:#1d2126;background:transparent;font-family:Liberation Sans,Arial,Helvetica,sans-serif}text{fill:currentColor}.land{stroke:#fff}@media(prefers-color-scheme:dark){svg{color:#dfe3e7}.land{stroke:#14171b}}</style>`
	open := strings.Index(svg, ">")
	if open < 0 {
		return []byte(svg)
	}
	return []byte(svg[:open+1] + look + svg[open+1:] + "\n")
}
