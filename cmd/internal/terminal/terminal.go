// Package terminal lays out what commands print for people, within 80 columns
// where the content allows it.
package terminal

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Width is the width that tables and paragraphs are meant for, in characters.
const Width = 80

// NewTable returns a table without frames, columns two spaces apart, a line below
// the header.
func NewTable() table.Writer {
	t := table.NewWriter()
	style := table.StyleLight
	style.Name = "plain"
	style.Options = table.OptionsNoBordersAndSeparators
	style.Options.SeparateHeader, style.Options.SeparateColumns = true, true
	style.Box.PaddingLeft, style.Box.PaddingRight = "", ""
	style.Box.MiddleVertical, style.Box.MiddleSeparator = "  ", "──"
	style.Box.TopSeparator, style.Box.BottomSeparator = "──", "──"
	style.Format.Header = text.FormatDefault
	t.SetStyle(style)
	t.SuppressTrailingSpaces()
	return t
}

// WrapHelp makes the help of a command and those below it keep within Width:
// flags, and paragraphs without indented lines.
func WrapHelp(root *cobra.Command) {
	wrapped := fmt.Sprintf(".FlagUsagesWrapped %d ", Width)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages ", wrapped))
	for _, c := range append(root.Commands(), root) {
		paragraphs := strings.Split(c.Long, "\n\n")
		for i, p := range paragraphs {
			if !strings.HasPrefix(p, " ") && !strings.Contains(p, "\n ") {
				paragraphs[i] = Wrap(p, "")
			}
		}
		c.Long = strings.Join(paragraphs, "\n\n")
		c.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "\n", " ") })
	}
}

// Wrap breaks a paragraph into lines of at most Width characters; lines after the
// first begin with the indent.
func Wrap(s, indent string) string {
	var b strings.Builder
	at := 0
	for i, word := range strings.Fields(s) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case at+1+n > Width:
			b.WriteString("\n" + indent)
			at = len([]rune(indent))
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}
