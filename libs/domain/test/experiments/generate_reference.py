"""Writes reference.json: results of numpy, scipy and statsmodels that the tests of experiments compare with.

Run by hand after a change of the cases: python generate_reference.py
Made with Python 3.11, numpy, scipy and statsmodels in the versions that reference.json names.
"""

import json
import platform
from pathlib import Path

import numpy
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

RESAMPLES = 10_000
SEED = 20_240_601


def indexes(length, count):
    """The first indexes of randomIndexes(SEED, length): mulberry32."""
    counter = numpy.arange(1, count + 1, dtype=numpy.uint64)
    mask = numpy.uint64(0xFFFFFFFF)
    state = (numpy.uint64(SEED) + counter * numpy.uint64(0x6D2B79F5)) & mask
    mixed = ((state ^ (state >> numpy.uint64(15))) * (state | numpy.uint64(1))) & mask
    other = ((mixed ^ (mixed >> numpy.uint64(7))) * (mixed | numpy.uint64(61))) & mask
    mixed = mixed ^ ((mixed + other) & mask)
    bits = mixed ^ (mixed >> numpy.uint64(14))
    return numpy.floor(bits.astype(float) / 4294967296.0 * length).astype(int)


def share_below(values, bound, tolerance):
    below = (values < bound - tolerance).sum()
    equal = ((values >= bound - tolerance) & (values <= bound + tolerance)).sum()
    return (below + equal / 2) / len(values)


def bca(differences):
    """BCa on the same resamples as the implementation, with the normal distribution of scipy."""
    sample = numpy.array(differences, dtype=float)
    n = len(sample)
    means = numpy.sort(sample[indexes(n, n * RESAMPLES)].reshape(RESAMPLES, n).mean(axis=1))
    estimate = sample.mean()
    tolerance = 1e-12 * numpy.abs(sample).max()
    clip = lambda share: min(max(share, 1 / (RESAMPLES + 1)), RESAMPLES / (RESAMPLES + 1))
    bias = stats.norm.ppf(clip(share_below(means, estimate, tolerance)))
    without = (sample.sum() - sample) / (n - 1)
    spread = without.mean() - without
    acceleration = (spread**3).sum() / (6 * (spread**2).sum() ** 1.5)

    def position(tail):
        shifted = bias + stats.norm.ppf(tail)
        return stats.norm.cdf(bias + shifted / (1 - acceleration * shifted))

    at_zero = stats.norm.ppf(clip(share_below(means, 0.0, tolerance))) - bias
    tail = stats.norm.cdf(at_zero / (1 + acceleration * at_zero) - bias)
    low, high = numpy.quantile(means, [position(0.025), position(0.975)])
    return {"low": low, "high": high, "p": min(1, max(2 * min(tail, 1 - tail), 2 / (RESAMPLES + 1)))}


def scipy_bca(differences):
    """BCa of scipy, on random resamples of its own and more of them."""
    result = stats.bootstrap(
        (numpy.array(differences, dtype=float),), numpy.mean, n_resamples=200_000, batch=10_000,
        method="BCa", random_state=numpy.random.default_rng(1),
    )
    return {"low": result.confidence_interval.low, "high": result.confidence_interval.high}


def difference_cases():
    random = numpy.random.default_rng(7)
    return {
        "normal": random.normal(0.05, 0.2, 40).round(6).tolist(),
        "skewed": (random.lognormal(0, 1, 60) - 1.2).round(6).tolist(),
        "pass and fail": random.choice([-1, 0, 1], 50, p=[0.1, 0.6, 0.3]).tolist(),
        "ratings": random.choice([-2, -1, 0, 1, 2], 25).tolist(),
        "two pairs": [0.25, 0.5],
        "one outlier": [0.01] * 11 + [-5.0],
        "all gains": random.uniform(0.5, 1.5, 15).round(6).tolist(),
        "no effect": [0.1, -0.1, 0.2, -0.2, 0.3, -0.3, 0.0, 0.0, 0.4, -0.4],
        "large values": (random.normal(3, 40, 30) * 1e6).round(0).tolist(),
    }


def bootstrap_case(name, differences):
    values = numpy.array(differences, dtype=float)
    return {
        "name": name,
        "differences": differences,
        "mean": values.mean(),
        "effect": values.mean() / values.std(ddof=1),
        "bca": bca(differences),
        "scipy": scipy_bca(differences),
    }


def aggregate_case(name, values):
    v = numpy.array(values, dtype=float)
    p90, p95, p99 = numpy.percentile(v, [90, 95, 99])
    return {
        "name": name,
        "values": values,
        "expected": {
            "average": v.mean(), "min": v.min(), "max": v.max(), "median": numpy.median(v),
            "p90": p90, "p95": p95, "p99": p99, "sum": v.sum(), "count": len(values),
        },
    }


def mcnemar_case(gained, lost):
    result = mcnemar([[5, lost], [gained, 5]], exact=True)
    return {"gained": gained, "lost": lost, "p": min(1.0, result.pvalue)}


random = numpy.random.default_rng(3)
p_values = [[0.01, 0.04, 0.03, 0.005], [0.5], [0.2, 0.2, 0.2], [1.0, 0.001, 1.0, 0.02], random.uniform(0, 0.1, 20).tolist()]
points = [-7.5, -5, -3, -1.959963984540054, -1, -0.1, 0, 0.3, 1, 2.5, 4, 6]
shares = [1 / 10_001, 1e-4, 0.001, 0.01, 0.025, 0.2, 0.4999, 0.5, 0.77, 0.975, 0.9999]
reference = {
    "versions": {
        "python": platform.python_version(), "numpy": numpy.__version__,
        "scipy": scipy.__version__, "statsmodels": statsmodels.__version__,
    },
    "seed": SEED,
    "resamples": RESAMPLES,
    "indexes": {"length": 1000, "first": indexes(1000, 20).tolist()},
    "aggregates": [
        aggregate_case("one value", [0.3]),
        aggregate_case("two values", [1, 2]),
        aggregate_case("all equal", [0.7] * 9),
        aggregate_case("booleans", [1, 0, 1, 1]),
        aggregate_case("negative", [-3.5, 2, -8, 0, 11]),
        aggregate_case("many", random.normal(10, 3, 101).tolist()),
    ],
    "bootstrap": [bootstrap_case(name, case) for name, case in difference_cases().items()],
    "mcnemar": [mcnemar_case(*case) for case in [(0, 0), (1, 0), (5, 5), (6, 0), (10, 2), (3, 17), (150, 110), (1, 400), (2000, 2100), (50000, 50900)]],
    "holm": [{"p": p, "adjusted": multipletests(p, method="holm")[1].tolist()} for p in p_values],
    "normal": {
        "cdf": [[x, stats.norm.cdf(x)] for x in points],
        "quantile": [[share, stats.norm.ppf(share)] for share in shares],
    },
}
Path(__file__).with_name("reference.json").write_text(json.dumps(reference, indent=1) + "\n")
