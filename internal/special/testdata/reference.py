"""Writes reference.json: the functions of package special in 80-digit decimal
arithmetic (Python standard library only), rounded to the nearest double.

    python3 reference.py > reference.json
"""
import json, random
from decimal import Decimal as D, getcontext

c = getcontext()
c.prec, c.Emax, c.Emin = 80, 10**12, -10**12
random.seed(7)


def log1p(e):
    return e - e*e/2 + e*e*e/3 - e**4/4 if e < D('1e-20') else (1 + e).ln()


# tanh(x/2)/(4x) in powers of x^2
SERIES = [D(1)/8, -D(1)/96, D(1)/960, -D(17)/161280, D(31)/2903040, -D(691)/638668800,
          D(5461)/49816166400, -D(929569)/83691159552000]


def row(x):
    X = D(x)
    a = abs(X)
    if a > 5000:
        values = [D(X > 0), min(X, D(0)), max(X, D(0)), a, 1/(4*a)]
        prime = 1/(4*a*a)
    else:
        values = [1/(1 + (-X).exp()), -log1p((-X).exp()), log1p(X.exp()), a + log1p((-2*a).exp())]
        if a < D('1e-3'):
            values.append(sum(s * (a**(2*k) if k else 1) for k, s in enumerate(SERIES)))
            prime = -sum(2*k*s*a**(2*k - 1) for k, s in enumerate(SERIES) if k) if a else D(0)
        else:
            e = (-a).exp()
            values.append((1 - e)/(1 + e)/(4*a))
            prime = (1 - e*e - 2*a*e)/((1 + e)**2*4*a*a)
    values.append(-prime if X > 0 else prime)
    return json.dumps([x] + [float(v) for v in values])


points = [0.0, 5e-324, 1e-300, 1e-160, 1e-20, 1e-9, 1e-8, 1e-5, 1e-3, 0.01, 0.1, 0.25, 0.4999999, 0.5, 0.5000001,
          0.75, 1.0, 1.5, 1.9999999, 2.0, 2.0000001, 2.5, 3.0, 5.0, 8.0, 12.0, 17.0, 18.5, 20.0, 30.0, 36.0, 36.7,
          37.0, 37.5, 40.0, 50.0, 100.0, 300.0, 700.0, 708.0, 709.5, 710.5, 740.0, 745.0, 746.0, 1000.0, 1e5, 1e10,
          1e100, 1e154, 1e160]
points += [random.uniform(0, 3) for _ in range(40)] + [10**random.uniform(-6, 3) for _ in range(60)]
rows = [row(x) for p in points for x in ([p, -p] if p else [p])]
columns = ["x", "Logistic", "LogLogistic", "Log1pExp", "Log2Cosh", "Lambda", "LambdaPrime"]
print('{"columns": %s,\n"rows": [\n%s\n]}' % (json.dumps(columns), ',\n'.join(rows)))
