package paper

// Setting is a row of the synthetic study: the parameters that label the data.
type Setting struct {
	Row         int
	Alpha, Beta []float64
	// Published is what the paper prints for GCRFBCb, as far as it could be
	// checked; 0 where it could not.
	Published Published
}

// Published holds printed results.
type Published struct {
	VarianceNorm float64
}

// Settings are the six rows. Rows 1 and 6 and Σα of row 5 were checked against a
// second source, the other parameters were not. The paper's AUC and
// log-likelihood columns, which could not be checked, are not here.
var Settings = []Setting{
	{Row: 1, Alpha: []float64{5, 4}, Beta: []float64{5, 22}},
	{Row: 2, Alpha: []float64{1, 18}, Beta: []float64{1, 18}},
	{Row: 3, Alpha: []float64{22, 21}, Beta: []float64{5, 22}},
	{Row: 4, Alpha: []float64{22, 21}, Beta: []float64{.1, .67}},
	{Row: 5, Alpha: []float64{.8, .5}, Beta: []float64{5, 22}, Published: Published{VarianceNorm: 34.8}},
	{Row: 6, Alpha: []float64{.2, .4}, Beta: []float64{1, 18}, Published: Published{VarianceNorm: 35.8}},
}

// The sizes of the study, those of the authors' public script: 1 200 nodes in
// instances of 10, the first 80 % for training.
const (
	StudyInstances = 120
	StudyNodes     = 10
	StudyTrain     = 96
)

// How labels are made.
const (
	Threshold = "threshold" // 1 where the model's probability exceeds .5, as published
	Sampled   = "sampled"   // drawn from the model
)

// Models that the study fits.
const (
	ModelB       = "b"       // GCRFBCb with the published bound and mean
	ModelNB      = "nb"      // GCRFBCnb with the published mean
	ModelEP      = "ep"      // expectation propagation, calibrated mean
	ModelAuthors = "authors" // GCRFBCb by the published algorithm, from a random start
	ModelTruth   = "truth"   // the parameters that labelled the data
	ModelScore   = "score"   // the better of the two predictors alone
)

// Emit takes one result.
type Emit func(kind string, fields map[string]any) error
