package gcrfbc

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// Variant says how predictions use the latent field.
type Variant string

// The two variants of the model.
const (
	Bayesian    Variant = "b"  // GCRFBCb: z integrated out
	NonBayesian Variant = "nb" // GCRFBCnb: z at its mean
)

// Approx names the approximation of log p(y) that GCRFBCb uses.
type Approx string

// The approximations of log p(y).
const (
	JJ      Approx = "jj"      // Jaakkola–Jordan lower bound (the paper's)
	EP      Approx = "ep"      // expectation propagation
	Laplace Approx = "laplace" // Laplace approximation at the mode
)

const (
	modelFormat  = "gcrfbc-model"
	modelVersion = 1
)

// Model is a fitted model: all that prediction needs besides data.
type Model struct {
	Variant Variant `json:"variant"`
	Approx  Approx  `json:"approx,omitempty"` // empty for NonBayesian
	Mean    Mean    `json:"mean"`
	Params

	// Recalibration, or nil, corrects probabilities predicted from observed
	// labels.
	Recalibration *Recalibration `json:"recalibration,omitempty"`

	Scores []string    `json:"scores,omitempty"` // K names, or nil
	Graphs []GraphInfo `json:"graphs,omitempty"` // L descriptions, or nil
	Label  string      `json:"label,omitempty"`  // what label 1 means

	Fit *FitSummary `json:"fit,omitempty"` // how it was fitted, or nil
}

// FitSummary records how a model was fitted.
type FitSummary struct {
	Objective      float64  `json:"objective"` // maximised log-likelihood, bound or evidence, nats
	Status         string   `json:"status"`
	Evaluations    int      `json:"evaluations"`
	Factorizations int      `json:"factorizations"`
	Seconds        float64  `json:"seconds"`
	AtBound        []string `json:"at_bound,omitempty"` // components held by a bound
	Instances      int      `json:"instances"`
	Nodes          int      `json:"nodes"`
	Labelled       int      `json:"labelled"`

	// Solver of the largest graph, or nil where all are small and dense.
	// Predictions take the same one unless told otherwise.
	Solver *FitSolver `json:"solver,omitempty"`
}

// K returns the number of predictors.
func (m *Model) K() int { return len(m.Alpha) }

// L returns the number of graphs.
func (m *Model) L() int { return len(m.Beta) }

// Validate reports the first thing about the model itself that is wrong.
func (m *Model) Validate() error {
	switch m.Variant {
	case NonBayesian:
	case Bayesian:
		switch m.Approx {
		case JJ, EP, Laplace:
		default:
			return &ModelError{Msg: fmt.Sprintf("approximation %q is none of jj, ep, laplace", m.Approx)}
		}
	default:
		return &ModelError{Msg: fmt.Sprintf("variant %q is neither b nor nb", m.Variant)}
	}
	if _, err := m.Mean.Parts(); err != nil {
		return err
	}
	if m.Scores != nil && len(m.Scores) != m.K() {
		return &ModelError{Msg: fmt.Sprintf("%d score names for %d predictors", len(m.Scores), m.K())}
	}
	if m.Graphs != nil && len(m.Graphs) != m.L() {
		return &ModelError{Msg: fmt.Sprintf("%d graph descriptions for %d graphs", len(m.Graphs), m.L())}
	}
	if err := m.Recalibration.Validate(); err != nil {
		return err
	}
	return m.Params.Validate()
}

// Matches reports a *ModelError unless the dataset has the model's number of
// predictors and graphs, in the same form.
func (m *Model) Matches(d *Dataset) error {
	if d.K != m.K() {
		return &ModelError{Msg: fmt.Sprintf("the model has %d predictors%s, the data %d%s; give the scores it was fitted with",
			m.K(), list(m.Scores), d.K, list(d.ScoreNames))}
	}
	if L := d.NumGraphs(); L != m.L() {
		return &ModelError{Msg: fmt.Sprintf("the model has %d graphs%s, the data %d%s; give the graphs it was fitted with, in the same order",
			m.L(), list(graphNames(m.Graphs)), L, list(graphNames(d.GraphInfo)))}
	}
	for l := range m.Graphs {
		if l >= len(d.GraphInfo) {
			break
		}
		if d.GraphInfo[l].Normalized != m.Graphs[l].Normalized {
			form := map[bool]string{false: "with its weights as given", true: "degree-normalised"}
			return &ModelError{Msg: fmt.Sprintf("graph %d (%s) was %s when the model was fitted and is %s now; use the same form",
				l+1, m.Graphs[l].Name, form[m.Graphs[l].Normalized], form[d.GraphInfo[l].Normalized])}
		}
		was, is := m.Graphs[l], d.GraphInfo[l]
		if was.Contrast > 0 && is.Contrast > 0 && (was.Contrast != is.Contrast || was.Smooth != is.Smooth) {
			return &ModelError{Msg: fmt.Sprintf("graph %d (%s) was made with contrast %g and smoothing %d when the model was fitted, is with %g and %d now; use the same",
				l+1, was.Name, was.Contrast, was.Smooth, is.Contrast, is.Smooth)}
		}
	}
	return nil
}

// graphNames returns the names of graphs, nil if one has none.
func graphNames(info []GraphInfo) []string {
	var names []string
	for _, g := range info {
		if g.Name == "" {
			return nil
		}
		names = append(names, strconv.Quote(g.Name))
	}
	return names
}

func list(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(" %v", names)
}

// Write writes the model as versioned JSON; numbers survive the round trip to
// the bit.
func (m *Model) Write(w io.Writer) error {
	if err := m.Validate(); err != nil {
		return err
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
		*Model
	}{modelFormat, modelVersion, m})
}

// ReadModel reads what Write wrote. Another format or version, a truncated
// file, unknown names and parameters out of range are errors.
func ReadModel(r io.Reader) (*Model, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, &ModelError{Msg: "cannot be read: " + err.Error()}
	}
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return nil, &ModelError{Msg: "is not a complete JSON object (" + err.Error() + "); was it cut off?"}
	}
	if head.Format != modelFormat {
		return nil, &ModelError{Msg: fmt.Sprintf("has format %q, want %q; is it a model written by gcrfbc fit?", head.Format, modelFormat)}
	}
	if head.Version != modelVersion {
		return nil, &ModelError{Msg: fmt.Sprintf("has version %d, this program reads version %d; fit it again or use the matching program", head.Version, modelVersion)}
	}
	m := new(Model)
	if err := json.Unmarshal(b, m); err != nil {
		return nil, &ModelError{Msg: err.Error()}
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return m, nil
}

// ModelError says what is wrong with a model or its file.
type ModelError struct{ Msg string }

func (e *ModelError) Error() string { return "gcrfbc: model: " + e.Msg }
