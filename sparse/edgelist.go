package sparse

import "strings"

// readEdgeList reads the lines after header.
func readEdgeList(l *lineReader, header []byte, opts ReadOptions) (*Graph, error) {
	weighted, err := edgeListHeader(l, header)
	if err != nil {
		return nil, err
	}
	var e entries
	n := opts.N
	bound := maxDim // indices must stay below
	if n > 0 {
		bound = n
	}
	for {
		line, ok, err := l.nextContent('#')
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		i, p, err := edgeListIndex(l, line, 0, bound)
		if err != nil {
			return nil, err
		}
		if p == len(line) {
			return nil, l.fail(0, FaultSyntax, "one field; an edge needs two nodes, separated by a comma")
		}
		at := skipBlank(line, p+1)
		j, p, err := edgeListIndex(l, line, at, bound)
		if err != nil {
			return nil, err
		}
		w := 1.0
		if weighted {
			if p == len(line) {
				return nil, l.fail(p+1, FaultSyntax, "no weight; the header names one for every edge")
			}
			at = skipBlank(line, p+1)
			if w, p, err = l.float(line, at); err != nil {
				return nil, err
			}
			p = skipBlank(line, p)
		}
		if p < len(line) {
			return nil, l.fail(p+1, FaultSyntax, "more fields than the header names; use i,j or i,j,w")
		}
		if err := l.checkEdge(i, j, w, at, 0); err != nil {
			return nil, err
		}
		if n <= max(i, j) {
			n = max(i, j) + 1
		}
		e.add(l.line, int32(i), int32(j), w)
	}
	if lim := opts.limit(e.t.n); n > lim {
		big := n - 1
		e.t.each(func(_ int, i, j int32, _ float64) bool {
			if int(max(i, j)) != big {
				return true
			}
			l.line, _ = e.linesOf(int(i), int(j), false)
			return false
		})
		return nil, l.fail(0, FaultSize, "node %d makes a graph of %d nodes from %d edges, beyond the limit of %d; if it is right, give the number of nodes or raise MaxNodes", big, n, e.t.n, lim)
	}
	p, w, dup := e.t.compress(n, n, folded, false)
	if dup != nil {
		return nil, e.duplicate(l, dup, true, 0)
	}
	return l.graph(p, w)
}

// edgeListHeader accepts the names that tools write, in either case and with
// or without quotes.
func edgeListHeader(l *lineReader, header []byte) (weighted bool, err error) {
	const want = "use i,j or i,j,w (or u,v; source,target; from,to; with weight)"
	fields := strings.Split(strings.ToLower(string(header)), ",")
	for k, f := range fields {
		fields[k] = strings.Trim(f, " \t\"")
	}
	if f := fields[0]; f == "" || f[0] >= '0' && f[0] <= '9' {
		return false, l.fail(1, FaultBanner, "the first line must be a header, not an edge; %s", want)
	}
	switch strings.Join(fields[:min(2, len(fields))], ",") {
	case "i,j", "u,v", "source,target", "from,to":
	default:
		return false, l.fail(1, FaultBanner, "unknown edge-list header %q; %s", word(header, 0), want)
	}
	switch {
	case len(fields) == 2:
		return false, nil
	case len(fields) == 3 && (fields[2] == "w" || fields[2] == "weight"):
		return true, nil
	}
	return false, l.fail(1, FaultBanner, "unknown columns in the edge-list header; %s", want)
}

// edgeListIndex reads a node and the blanks after it; next is at the comma or
// at the end of the line.
func edgeListIndex(l *lineReader, line []byte, p, bound int) (v, next int, err error) {
	p = skipBlank(line, p)
	v, next = scanIndex(line, p)
	if next == p || next < len(line) && !isDelimiter(line[next]) {
		if p < len(line) && line[p] == '-' {
			return 0, 0, l.fail(p+1, FaultRange, "node %s; nodes count from 0", word(line, p))
		}
		return 0, 0, l.fail(p+1, FaultNumber, "%q is not a node index; use whole numbers from 0", word(line, p))
	}
	if v >= bound {
		if bound == maxDim {
			return 0, 0, l.fail(p+1, FaultRange, "node %s is beyond the limit of %d (32-bit indices)", word(line, p), bound-1)
		}
		return 0, 0, l.fail(p+1, FaultRange, "node %s is outside 0…%d; nodes count from 0", word(line, p), bound-1)
	}
	next = skipBlank(line, next)
	if next < len(line) && line[next] != ',' {
		return 0, 0, l.fail(next+1, FaultSyntax, "fields must be separated by commas")
	}
	return v, next, nil
}

// float reads a finite number; what follows it is the caller's concern.
func (l *lineReader) float(line []byte, p int) (v float64, next int, err error) {
	v, next, ok := scanFloat(line, p)
	if !ok {
		return 0, 0, l.fail(p+1, FaultNumber, "%q is not a number", word(line, p))
	}
	if v-v != 0 {
		return 0, 0, l.fail(p+1, FaultNotFinite, "%s is not a finite number; remove the entry or give it a value", word(line, p))
	}
	return v, next, nil
}

// checkEdge refuses what no graph holds.
func (l *lineReader) checkEdge(i, j int, w float64, at, base int) error {
	if i == j {
		return l.fail(0, FaultSelfLoop, "self loop (%d, %d); remove the line, a graph has no diagonal", i+base, j+base)
	}
	if w < 0 {
		return l.fail(at+1, FaultNegative, "weight %v of (%d, %d) is negative; weights must be ≥ 0", w, i+base, j+base)
	}
	return nil
}

// graph wraps checked entries; only the sum of a node's weights can still fail.
func (l *lineReader) graph(p *Pattern, w []float64) (*Graph, error) {
	g, err := NewGraphFromPattern(p, w)
	if err != nil {
		l.line = 0
		f := l.fail(0, FaultNotFinite, "%v", err)
		f.Err = err
		return nil, f
	}
	return g, nil
}
