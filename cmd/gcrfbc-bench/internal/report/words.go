package report

// What the paper's figures can and cannot mean.
const (
	studyWords = "Two predictors uniform on [−1, 1], two graphs with weights uniform on [0, 1] between all nodes of an instance and drawn anew for each, 120 instances of 10 nodes, 96 for training and 24 for testing (the sizes of the authors' public script; its weight matrices are not symmetric, these are). Both variants are fitted as published: GCRFBCb by the bound of Jaakkola and Jordan, GCRFBCnb by its likelihood, no gain or bias."

	publishedWords = "What is published beside it. The printed AUC and log-likelihoods (arXiv:1902.00045) could not be checked against a copy of the paper, and are left out. Of the printed results only the norms of variances of rows 5 and 6 could be checked, and stand here; of the settings, rows 1 and 6 and the sum of α in row 5."

	likelihoodWords = "The log-likelihood column. The authors' public script sums, over the test nodes, the logarithm of the probability of the class that the model itself decides for, whatever the true label is. That number says how sure the model is, not how right: it lies between n log ½ (−166.4 here) and 0 for any labels, and two models that decide alike get it alike. It is the column “of own decisions”; “log-likelihood” is the usual one, of the true labels."

	normWords = "The norm of the variances. Σ_ii is at most 1/(2 Σα), and about N times less on dense graphs. At the parameters that made the labels the norm over the 240 test nodes cannot exceed √240/(2 Σα): 0.9, 0.4, 0.2, 0.2, 6.0 and 12.9 in rows 1 to 6; it is 0.06 to 1.4 (see the row “the parameters that made the labels”). Printed norms of 34.8 and 35.8 are therefore not variances at those parameters. They are possible at fitted ones: from thresholded labels the bound is often highest at α near 0 and β at its limit, where the common level of an instance is all but free, and norms of tens and hundreds result. Such a norm measures how far the fit ran, not how uncertain the data are."

	thresholdWords = "Labels by the threshold. They are a function of predictors and graphs, without noise: at the parameters that made them AUC is 1. A likelihood asks for more, sure probabilities, and the published mean, an average of the predictors, cannot sharpen: it can only smooth less. So fitted parameters leave the generating ones and AUC falls below 1, for either variant. With a gain and a bias (the calibrated mean) the fit separates the labels and AUC is near 1; log-likelihood per label then says little, since the few errors of a model without doubt cost everything."

	sampledWords = "Labels drawn from the model. On dense graphs these parameters smooth the mean to within about ±0.1, so labels are nearly coin flips: the parameters that made them reach an AUC of only .5 to .6, and no fit can do better. What the paper's table compares is thus how fits react to labels that its model would almost never produce."

	timeWords = "One thread. “Evaluation” is one value and gradient of the learning problem in α and β; for GCRFBCb the engine brings all ξ to their optimum in it (several sweeps). “Given ξ” is one value and gradient in α, β and ξ, the step of the published algorithm. “Fit” is a whole fit: the engine's to convergence from two starts, the published one's to at most 500 evaluations of the joint problem by truncated Newton. The published algorithm holds every instance's matrices densely, inverts them, and computes value and gradient in two passes; here it is written in Go, and in NumPy where that is installed. Lines end where the next point would take too long."

	exponentWords = "Fitted by least squares in log–log, with 95 % intervals by Student's t. The paper states O(TMN³) for GCRFBCb and O(TMN²) for GCRFBCnb, T iterations: against M the exponent is 1; against N with M·N constant it is 2 and 1. An implementation that inverts an N×N matrix an instance needs N³ for both variants; small N is dominated by what every instance costs whatever its size, so exponents over the published range of N lie below the asymptotic ones; “at the end” is the exponent between the two largest sizes."

	solverWords = "Sparse Cholesky factorization, selected inverse and solves of Laplacians + 0.1 I, one line a family of graphs."

	scaleWords = "One value and gradient (evaluate), a whole fit, predictions, and predictions given half of the labels (posterior), for GCRFBCb and GCRFBCnb on generated graphs. Operations are counted; peak is the rate of multiply-adds that the machine was measured to reach on as many threads."

	countiesWords = "3 108 counties of the contiguous United States, joined where they border. Label 1: the Democratic share of the two-party vote rose from 2016 to 2020. Two predictors know earlier results but not the place; half of the counties' labels are used for learning. Each county is predicted from the scores and graph of all counties and the labels of the other training counties, never from its own label."

	figure2Words = "Figure 2: the integrand σ(z) N(z; μ, s²) of the probability of a label, on the published window μ ± 10 s. What lies outside is below 10⁻¹⁵; the rule's own error is in the table."

	figure3Words = "Figure 3: the lower bound of σ(x) that GCRFBCb is learned with. It touches at x = ξ and at x = −ξ. With the printed sign of λ(ξ) it would not be a bound (dashed)."
)
