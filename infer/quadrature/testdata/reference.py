"""Writes reference.json: log Z, p1, p0, the derivatives and tilted moments of
int sigmoid(z) N(z; mu, v) dz by a trapezoid sum in 60-digit decimal arithmetic
(Python standard library only). The sum is checked against p1 + p0 = 1.

    python3 reference.py > reference.json
"""
import json, random
from decimal import Decimal as D, getcontext

c = getcontext()
c.prec, c.Emax, c.Emin = 60, 10**15, -10**15
random.seed(11)
PI = D('3.14159265358979323846264338327950288419716939937510582097494459230781640628620899')
COARSE = D('0.17')  # steps from here on share the table of sigma
table = {}


def sigma(j, delta):
    if (j, delta) in table:
        return table[j, delta]
    e = (D(j) * delta).exp()
    r = (e / (1 + e), 1 / (1 + e))
    if delta >= COARSE:
        table[j, delta] = r
    return r


def reference(mu, v):
    m, V = D(mu), D(v)
    if V == 0:
        e = m.exp()
        p1, p0 = e / (1 + e), 1 / (1 + e)
        logz = p1.ln() if mu < 30 else -(1 + 1 / e).ln() if mu <= 40 else -(1/e - 1/e**2/2 + 1/e**3/3)
        return logz, p1, p0, p0, -p1 * p0, D(0), m
    s = V.sqrt()
    # The step is small against pi and s; the window holds sigma^k N for k up to 3.
    delta = min(D('0.18'), (D('0.3') * s).quantize(D(1).scaleb((D('0.03') * s).adjusted() - 1)))
    left = (max(m - 3 * V, D(0)) if m > 0 else m) - 15 * s
    right = (m if m > 0 else min(m + 3 * V, D(0))) + 15 * s
    first, last = int(left / delta) - 2, int(right / delta) + 2
    limit = int(D(140) / delta)  # beyond, sigma is 1 - e^-z to all digits
    z = D(first) * delta
    w = (-(z - m)**2 / (2 * V)).exp()
    r = ((2 * (m - z) * delta - delta * delta) / (2 * V)).exp()
    q = (-delta * delta / V).exp()
    a = [D(0)] * 3  # sigma (1-sigma)^k
    b = [D(0)] * 3  # 1-sigma, sigma^2, sigma^3
    for j in range(first, last + 1):
        if abs(j) > limit and V >= 10000:  # e^-140 counts for nothing here
            u, t = (D(1), D(0)) if j > 0 else (D(0), D(1))
        elif j > limit:
            u, t = D(1), (-D(j) * delta).exp()
        elif j < -limit:
            u, t = (D(j) * delta).exp(), D(1)
        else:
            u, t = sigma(j, delta)
        x = w * u
        a[0] += x
        a[1] += x * t
        a[2] += x * t * t
        b[0] += w * t
        b[1] += x * u
        b[2] += x * u * u
        w *= r
        r *= q
    norm = delta / (s * (2 * PI).sqrt())
    p1, p0 = a[0] * norm, b[0] * norm
    assert abs(p1 + p0 - 1) < D('1e-30'), (mu, v)
    d1 = a[1] / a[0]
    if m < 0:
        d2 = (2 * b[2] - b[1]) / a[0] - (b[1] / a[0])**2
    else:
        d2 = (2 * a[2] - a[1]) / a[0] - d1**2
    logz = p1.ln() if p0 > D('1e-5') else -sum((p0**k / k for k in range(1, 12)), D(0))
    return logz, p1, p0, d1, d2, V + V * V * d2, m + V * d1


points = []
for s in [0.0, 1e-8, 1e-3, 0.03, 0.1, 0.3, 0.499, 0.5, 0.501, 0.7, 0.9, 0.999, 1.0, 1.2, 1.41, 1.4143, 1.7,
          2.0, 2.5, 3.0, 4.5, 6.0, 8.0, 9.99, 10.01, 13.0, 20.0, 37.0, 60.0, 100.0]:
    v = s * s
    mus = [0.0, 1e-9, -0.3, 0.7, -2.0, 3.0, -7.0, 11.0, -20.0, 33.0, -36.0, -45.0, 60.0, -100.0, 300.0, -700.0,
           700.0, -v / 2, -v, -0.75 * v, -1.5 * v, -0.25 * v, -2.6 * v, 0.5 * v, -4 * v - 1]
    mus = [x for x in mus if abs(x) <= 700]
    points += [(mu, v) for mu in sorted(set(random.sample(mus, 9 if s < 10 else 7)) | {0.0})]
points += [(mu, v) for v in (1e5, 1e6) for mu in (0.0, -700.0, 13.0, -0.5, 250.0)]
points += [(mu, 1e8) for mu in (-700.0, 0.0, 90.0)]
points += [(random.uniform(-30, 30), 10**random.uniform(-3, 2.5)) for _ in range(60)]

columns = ["mu", "variance", "log_z", "p1", "p0", "d1", "d2", "tilted_variance", "tilted_mean"]
rows = [json.dumps([mu, v] + [float(x) for x in reference(mu, v)]) for mu, v in points]
print('{"columns": %s,\n"rows": [\n%s\n]}' % (json.dumps(columns), ',\n'.join(rows)))
