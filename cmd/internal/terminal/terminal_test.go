package terminal

import (
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"
)

func TestTable(t *testing.T) {
	w := NewTable()
	w.AppendHeader(table.Row{"name", "µs"})
	w.AppendRow(table.Row{"a", "1"})
	w.AppendRow(table.Row{"longer", "100"})
	w.SetColumnConfigs([]table.ColumnConfig{{Number: 2, Align: text.AlignRight, AlignHeader: text.AlignRight}})
	want := "name     µs\n───────────\na         1\nlonger  100"
	if got := w.Render(); got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
}

func TestWrap(t *testing.T) {
	words := strings.Repeat("wörd ", 40)
	got := Wrap("Note: "+words, "  ")
	lines := strings.Split(got, "\n")
	for i, l := range lines {
		if n := len([]rune(l)); n > Width || i > 0 && !strings.HasPrefix(l, "  w") || i < len(lines)-1 && n < Width-5 {
			t.Errorf("line %d has %d characters: %q", i, n, l)
		}
	}
	if strings.Join(strings.Fields(got), " ") != strings.TrimSpace("Note: "+words) {
		t.Error("other words")
	}
	if got := Wrap(strings.Repeat("x", 100), ""); len(got) != 100 {
		t.Errorf("a long word becomes %q", got)
	}
	if got := Wrap("", ""); got != "" {
		t.Errorf("nothing becomes %q", got)
	}
}

func TestWrapHelp(t *testing.T) {
	long := strings.Repeat("words ", 30)
	root := &cobra.Command{Use: "root", Long: long + "\n\n  a list\n  stays\n\n" + long, RunE: func(*cobra.Command, []string) error { return nil }}
	root.Flags().Int("flag", 0, "it says\n"+long)
	WrapHelp(root)
	var out strings.Builder
	root.SetOut(&out)
	if err := root.Help(); err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(out.String()) {
		if len(strings.TrimRight(l, "\n")) > Width {
			t.Errorf("%d characters: %s", len(l), l)
		}
	}
	if !strings.Contains(out.String(), "\n\n  a list\n  stays\n\n") || !strings.Contains(out.String(), "it says words") {
		t.Error(out.String())
	}
}
