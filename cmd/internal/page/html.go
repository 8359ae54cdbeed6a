package page

import (
	_ "embed"
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

//go:embed page.css
var style string

//go:embed page.js
var script string

// WriteHTML writes the page as one file: styles, script and pictures are inside,
// nothing is loaded from elsewhere.
func (p *Page) WriteHTML(w io.Writer) error {
	var b strings.Builder
	esc := html.EscapeString
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>%s</title>\n<style>\n%s</style>\n</head>\n<body>\n", esc(p.Title), style)
	fmt.Fprintf(&b, "<header>\n<h1>%s</h1>\n<p>%s</p>\n<nav aria-label=\"Sections\">", esc(p.Title), esc(p.Subtitle))
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "<a href=\"#%s\">%s</a> ", s.ID, esc(s.Title))
	}
	b.WriteString("</nav>\n</header>\n<main>\n")
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "<section id=\"%s\">\n<h2>%s</h2>\n", s.ID, esc(s.Title))
		if s.Command != "" {
			fmt.Fprintf(&b, "<p class=\"command\">made by <code>%s</code></p>\n", esc(s.Command))
		}
		for _, block := range s.Blocks {
			writeBlock(&b, block)
		}
		b.WriteString("</section>\n")
	}
	fmt.Fprintf(&b, "</main>\n<script>\n%s</script>\n</body>\n</html>\n", script)
	_, err := io.WriteString(w, b.String())
	return err
}

func writeBlock(b *strings.Builder, block Block) {
	esc := html.EscapeString
	switch v := block.(type) {
	case Text:
		fmt.Fprintf(b, "<p>%s</p>\n", esc(string(v)))
	case Note:
		fmt.Fprintf(b, "<p class=\"note\">%s</p>\n", esc(string(v)))
	case *Table:
		if v.Folded {
			fmt.Fprintf(b, "<details><summary>%s (%d rows)</summary>\n", esc(v.Caption), len(v.Rows))
		} else {
			fmt.Fprintf(b, "<p class=\"caption\">%s</p>\n", esc(v.Caption))
		}
		fmt.Fprintf(b, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"%s\"><table class=\"sortable\">\n<thead><tr>", esc(v.Caption))
		for c, h := range v.Head {
			class := ""
			if v.numeric(c) {
				class = " class=\"number\""
			}
			fmt.Fprintf(b, "<th scope=\"col\"%s><button type=\"button\">%s</button></th>", class, esc(h))
		}
		b.WriteString("</tr></thead>\n<tbody>\n")
		for _, row := range v.Rows {
			b.WriteString("<tr>")
			for _, c := range row {
				text := esc(c.Text)
				if c.Strong {
					text = "<strong>" + text + "</strong>"
				}
				switch {
				case c.Number && !math.IsNaN(c.Sort) && !math.IsInf(c.Sort, 0):
					fmt.Fprintf(b, "<td class=\"number\" data-sort=\"%g\">%s</td>", c.Sort, text)
				case c.Number:
					fmt.Fprintf(b, "<td class=\"number\">%s</td>", text)
				default:
					fmt.Fprintf(b, "<td>%s</td>", text)
				}
			}
			b.WriteString("</tr>\n")
		}
		b.WriteString("</tbody></table></div>\n")
		if v.Folded {
			b.WriteString("</details>\n")
		}
	case Figures:
		b.WriteString("<div class=\"figures\">\n")
		for _, f := range v {
			class := ""
			if f.Wide {
				class = " class=\"wide\""
			}
			picture := label(f.SVG, f.Alt)
			if len(f.Panels) > 0 {
				picture = fmt.Sprintf("<div class=\"panels\" role=\"img\" aria-label=\"%s\">%s</div>", esc(f.Alt), strings.Join(f.Panels, ""))
			}
			fmt.Fprintf(b, "<figure%s id=\"%s\">%s<figcaption>%s</figcaption></figure>\n", class, esc(f.Name), picture, esc(f.Caption))
		}
		b.WriteString("</div>\n")
	}
}

// label tells those who do not see the picture what it shows.
func label(svg, alt string) string {
	return strings.Replace(svg, "<svg ", `<svg role="img" aria-label="`+html.EscapeString(alt)+`" `, 1)
}

func (t *Table) numeric(c int) bool {
	for _, r := range t.Rows {
		if c < len(r) && r[c].Number {
			return true
		}
	}
	return false
}
