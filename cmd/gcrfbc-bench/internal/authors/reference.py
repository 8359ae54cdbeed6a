#!/usr/bin/env python3
"""GCRFBC as published, in NumPy: dense matrices, explicit inverses of every
instance, loops over instances and nodes in Python, value and gradient apart.
Misprints are corrected. Prints one JSON object.

    reference.py time VARIANT M N K L SEED SECONDS   seconds of one value and gradient
    reference.py check                               data on stdin; value and gradient
"""
import json
import sys
import time

import numpy as np


def precision(S, R, alpha, beta):
    """P = 2[(sum alpha) I + sum beta Lap(S)] and b = 2 R alpha of every instance."""
    M, L, N, _ = S.shape
    P = np.zeros((M, N, N))
    for m in range(M):
        Q = np.einsum("l,lij->ij", beta, S[m])
        P[m] = 2 * (np.diag(Q.sum(axis=1)) - Q + np.sum(alpha) * np.eye(N))
    return P, 2 * R @ alpha


def directions(S, R, m, Sigma, mu):
    """dP and dmu of instance m for every alpha and beta."""
    N = R.shape[1]
    for k in range(R.shape[2]):
        dP = 2 * np.eye(N)
        yield dP, Sigma @ (2 * R[m, :, k] - dP @ mu)
    for l in range(S.shape[1]):
        dP = 2 * (np.diag(S[m, l].sum(axis=1)) - S[m, l])
        yield dP, -Sigma @ (dP @ mu)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def curvature(xi):
    """lambda(xi) and its derivative; xi is not 0."""
    t = np.tanh(xi / 2)
    return t / (4 * xi), (xi * (1 - t * t) / 2 - t) / (4 * xi * xi)


def moments(R, S, Y, alpha, beta, xi):
    P, b = precision(S, R, alpha, beta)
    Sigma = np.linalg.inv(P)
    lam, dlam = curvature(xi)
    Sinv = P.copy()
    for m in range(len(P)):
        Sinv[m] += 2 * np.diag(lam[m])
    Spost = np.linalg.inv(Sinv)
    mu, c, mean = np.zeros_like(xi), np.zeros_like(xi), np.zeros_like(xi)
    for m in range(len(P)):
        mu[m] = Sigma[m] @ b[m]
        c[m] = Y[m] - 0.5 + P[m] @ mu[m]
        mean[m] = Spost[m] @ c[m]
    return P, Sigma, Sinv, Spost, mu, c, mean, lam, dlam


def bound(R, S, Y, alpha, beta, xi):
    P, Sigma, Sinv, Spost, mu, c, mean, lam, dlam = moments(R, S, Y, alpha, beta, xi)
    v = 0.0
    for m in range(len(P)):
        v += np.sum(np.log(sigmoid(xi[m])) - xi[m] / 2 + lam[m] * xi[m] ** 2)
        v += 0.5 * np.log(np.linalg.det(Spost[m])) - 0.5 * np.log(np.linalg.det(Sigma[m]))
        v += 0.5 * mean[m] @ Sinv[m] @ mean[m] - 0.5 * mu[m] @ P[m] @ mu[m]
    return v


def bound_gradient(R, S, Y, alpha, beta, xi):
    P, Sigma, Sinv, Spost, mu, c, mean, lam, dlam = moments(R, S, Y, alpha, beta, xi)
    M, N, K = R.shape
    g = np.zeros(K + S.shape[1])
    gxi = np.zeros_like(xi)
    for m in range(M):
        for k, (dP, dmu) in enumerate(directions(S, R, m, Sigma[m], mu[m])):
            g[k] += -0.5 * np.trace(Spost[m] @ dP) + 0.5 * np.trace(Sigma[m] @ dP)
            row = -c[m] @ Spost[m] @ dP @ Spost[m] + dmu @ P[m] @ Spost[m] + mu[m] @ dP @ Spost[m]
            g[k] += row @ Sinv[m] @ mean[m] + 0.5 * mean[m] @ dP @ mean[m]
            g[k] -= dmu @ P[m] @ mu[m] + 0.5 * mu[m] @ dP @ mu[m]
        for i in range(N):
            dLam = np.zeros((N, N))
            dLam[i, i] = dlam[m, i]
            gxi[m, i] = -np.trace(Spost[m] @ dLam) + mean[m] @ dLam @ mean[m]
            gxi[m, i] -= 2 * (c[m] @ Spost[m] @ dLam @ Spost[m]) @ Sinv[m] @ mean[m]
            x = xi[m, i]
            gxi[m, i] += 0.5 - sigmoid(x) + dlam[m, i] * x * x + 2 * lam[m, i] * x
    return np.concatenate([g, gxi.ravel()])


def loglik(R, S, Y, alpha, beta):
    P, b = precision(S, R, alpha, beta)
    Sigma = np.linalg.inv(P)
    v = 0.0
    for m in range(len(P)):
        mu = Sigma[m] @ b[m]
        v += np.sum(Y[m] * np.log(sigmoid(mu)) + (1 - Y[m]) * np.log(sigmoid(-mu)))
    return v


def loglik_gradient(R, S, Y, alpha, beta):
    P, b = precision(S, R, alpha, beta)
    Sigma = np.linalg.inv(P)
    g = np.zeros(R.shape[2] + S.shape[1])
    for m in range(len(P)):
        mu = Sigma[m] @ b[m]
        for k, (_, dmu) in enumerate(directions(S, R, m, Sigma[m], mu)):
            g[k] += (Y[m] - sigmoid(mu)) @ dmu
    return g


def check():
    d = json.load(sys.stdin)
    R, S, Y = (np.array(d[k], dtype=float) for k in ("R", "S", "Y"))
    alpha, beta, xi = (np.array(d[k], dtype=float) for k in ("alpha", "beta", "xi"))
    print(json.dumps({
        "b": bound(R, S, Y, alpha, beta, xi), "grad_b": list(bound_gradient(R, S, Y, alpha, beta, xi)),
        "nb": loglik(R, S, Y, alpha, beta), "grad_nb": list(loglik_gradient(R, S, Y, alpha, beta)),
    }))


def measure(variant, M, N, K, L, seed, seconds):
    rng = np.random.default_rng(seed)
    R = rng.uniform(-1, 1, (M, N, K))
    S = rng.uniform(0, 1, (M, L, N, N))
    S = np.tril(S, -1) + np.swapaxes(np.tril(S, -1), 2, 3)
    Y = (rng.uniform(size=(M, N)) < 0.5).astype(float)
    xi = np.abs(rng.normal(size=(M, N))) + 0.1
    alpha, beta = np.linspace(3, 4, K), np.linspace(4, 5, L)
    times, began = [], time.perf_counter()
    while not times or (time.perf_counter() - began < seconds and len(times) < 15):
        t = time.perf_counter()
        if variant == "b":
            bound(R, S, Y, alpha, beta, xi)
            bound_gradient(R, S, Y, alpha, beta, xi)
        else:
            loglik(R, S, Y, alpha, beta)
            loglik_gradient(R, S, Y, alpha, beta)
        times.append(time.perf_counter() - t)
    print(json.dumps({"time_s": float(np.median(times)), "all_s": sorted(times), "numpy": np.__version__, "python": sys.version.split()[0]}))


if __name__ == "__main__":
    if sys.argv[1:2] == ["check"]:
        check()
    elif sys.argv[1:2] == ["time"] and len(sys.argv) == 9:
        measure(sys.argv[2], *(int(a) for a in sys.argv[3:8]), float(sys.argv[8]))
    else:
        sys.exit(__doc__)
