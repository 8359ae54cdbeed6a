package gcrfbc

import "github.com/gcrfbc/gcrfbc/sparse"

// Precision is the linear family P(α, β) = 2[(Σα) I + Σ β_l Lap(S^l)] of one
// set of graphs on the union of their edges. Its pattern does not depend on
// the parameters, so one symbolic analysis serves all of them. It is immutable
// and may be shared by goroutines.
type Precision struct {
	family *sparse.Family
}

// NewPrecision joins the graphs, each of n nodes, into one family. It costs
// O(n + edges) time and memory.
func NewPrecision(n int, graphs []*sparse.Graph) (*Precision, error) {
	terms := make([]sparse.Term, 0, len(graphs)+1)
	terms = append(terms, sparse.Identity(n))
	for _, g := range graphs {
		terms = append(terms, sparse.Laplacian(g))
	}
	f, err := sparse.NewFamily(n, terms...)
	if err != nil {
		return nil, err
	}
	return &Precision{family: f}, nil
}

// N returns the number of nodes.
func (p *Precision) N() int { return p.family.N() }

// NumGraphs returns L.
func (p *Precision) NumGraphs() int { return p.family.NumTerms() - 1 }

// Family returns the underlying linear family: term 0 is the identity, term
// 1+l the Laplacian of graph l.
func (p *Precision) Family() *sparse.Family { return p.family }

// Pattern returns the lower triangle on which values are assembled; the
// diagonal is the last entry of its row.
func (p *Precision) Pattern() *sparse.Pattern { return p.family.Pattern() }

// CoefficientsTo writes the coefficients of the family's terms, 2Σα and 2β_l,
// into dst of length 1+L.
func (p *Precision) CoefficientsTo(dst []float64, params Params) {
	dst[0] = 2 * params.SumAlpha()
	for l, b := range params.Beta {
		dst[1+l] = 2 * b
	}
}

// AssembleTo writes the values of P, aligned with Pattern, given the family's
// coefficients.
func (p *Precision) AssembleTo(values, coefficients []float64) {
	p.family.AssembleTo(values, coefficients)
}
