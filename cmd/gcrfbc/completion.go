package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/gcrfbc/gcrfbc/internal/counties"
	"github.com/gcrfbc/gcrfbc/internal/dataio"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// fileKinds are the endings of the files that flags name.
var fileKinds = map[string][]string{
	"nodes":    {"csv", "csv.gz", "gz"},
	"graph":    {"mtx", "csv", "npz", "gz"},
	"npz":      {"npz"},
	"model":    {"json"},
	"geojson":  {"geojson", "json", "gz"},
	"html":     {"html"},
	"markdown": {"md"},
}

// words are values of flags that take others, too.
var words = map[string][]string{
	"mean":     {"auto", "calibrated", "paper", "gain,bias,direct", "gain,bias", "gain"},
	"prior":    {"default", "none"},
	"interval": {"0.5", "0.8", "0.9", "0.95", "0.99"},
	"memory":   {"2GB", "8GB", "32GB", "0"},
}

// columnFlags take columns of the node table: a name, a list of names, or
// COLUMN=VALUE.
var columnFlags = map[string]func(t *dataio.Table, typed string) []string{
	"scores":   columnList,
	"label":    func(t *dataio.Table, typed string) []string { return append(t.Columns(), columnValues(t, typed)...) },
	"train":    columnValues,
	"observed": columnValues,
	"on":       columnValues,
	"id":       func(t *dataio.Table, _ string) []string { return t.Columns() },
}

// addCompletion tells shells what may follow each flag.
func addCompletion(cmd *cobra.Command) {
	for name, kinds := range fileKinds {
		if cmd.Flags().Lookup(name) != nil {
			_ = cmd.MarkFlagFilename(name, kinds...) // fails only for flags that do not exist
		}
	}
	register := func(name string, complete cobra.CompletionFunc) {
		if cmd.Flags().Lookup(name) != nil {
			_ = cmd.RegisterFlagCompletionFunc(name, complete)
		}
	}
	for name, list := range words {
		register(name, cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp))
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if c, ok := f.Value.(*choice); ok {
			register(f.Name, cobra.FixedCompletions(c.of, cobra.ShellCompDirectiveNoFileComp))
		}
	})
	for name, list := range columnFlags {
		register(name, func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			nodes, err := cmd.Flags().GetString("nodes")
			t := counties.Nodes()
			if err == nil && nodes != "" {
				t = tableStart(nodes)
			}
			if t == nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return list(t, typed), cobra.ShellCompDirectiveNoFileComp
		})
	}
	cmd.ValidArgsFunction = cobra.NoFileCompletions
}

// tableStart reads the first rows of a node table, nil if it cannot.
func tableStart(path string) *dataio.Table {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	var r io.Reader = bufio.NewReader(f)
	if head, _ := r.(*bufio.Reader).Peek(2); bytes.Equal(head, []byte{0x1f, 0x8b}) {
		if r, err = gzip.NewReader(r); err != nil {
			return nil
		}
	}
	const enough = 256 << 10
	text, err := io.ReadAll(io.LimitReader(r, enough))
	if err != nil {
		return nil
	}
	if len(text) == enough { // the last line may be cut
		text = text[:bytes.LastIndexByte(text, '\n')+1]
	}
	t, err := dataio.ReadTableFrom(bytes.NewReader(text), path)
	if err != nil {
		return nil
	}
	return t
}

// columnList completes the last name of a list that commas separate.
func columnList(t *dataio.Table, typed string) []string {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	given := strings.Split(before, ",")
	var out []string
	for _, c := range t.Columns() {
		if !slices.Contains(given, c) {
			out = append(out, before+c)
		}
	}
	return out
}

// columnValues completes COLUMN=VALUE for columns of a few different values.
func columnValues(t *dataio.Table, typed string) []string {
	const few = 40
	only, _, chosen := strings.Cut(typed, "=")
	var out []string
	for _, c := range t.Columns() {
		if chosen && c != only {
			continue
		}
		column, err := t.Column(c)
		if err != nil {
			continue
		}
		var values []string
		for _, v := range column {
			if v = strings.TrimSpace(v); v != "" && !slices.Contains(values, v) {
				if values = append(values, v); len(values) > few {
					break
				}
			}
		}
		if len(values) > few {
			continue
		}
		slices.Sort(values)
		for _, v := range values {
			out = append(out, c+"="+v)
		}
	}
	return out
}
