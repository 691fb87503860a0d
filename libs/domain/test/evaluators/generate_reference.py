"""Writes agreement.json: results of numpy and statsmodels that the tests of agreement compare with.

Run by hand after a change of the cases: python generate_reference.py
Made with Python 3.11, numpy and statsmodels in the versions that agreement.json names.
"""

import itertools
import json
import math
import platform
from pathlib import Path

import numpy
import statsmodels
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa

random = numpy.random.default_rng(20_240_601)


def noisy(labels, n, share):
    """Pairs that agree in at least this share of cases."""
    reference = random.choice(labels, n)
    rated = numpy.where(random.random(n) < share, reference, random.choice(labels, n))
    return [[str(a), str(b)] for a, b in zip(reference, rated)]


def pair_cases():
    return {
        "booleans that mostly agree": noisy(["false", "true"], 200, 0.8),
        "booleans by chance": noisy(["false", "true"], 500, 0.0),
        "a rare class": [["no", "no"]] * 95 + [["yes", "yes"]] * 2 + [["yes", "no"]] * 2 + [["no", "yes"]],
        "five grades": noisy(["1", "2", "3", "4", "5"], 300, 0.5),
        "ten grades in numeric order": noisy([str(n) for n in range(1, 11)], 400, 0.6),
        "categories": noisy(["bad", "good", "unclear"], 120, 0.7),
        "total disagreement": [["a", "b"], ["b", "a"]] * 10,
        "total agreement": [["a", "a"], ["b", "b"], ["c", "c"]] * 5,
        "a label that one rater never gives": [["a", "a"], ["b", "a"], ["b", "b"], ["c", "a"], ["c", "b"]],
        "one label only": [["a", "a"]] * 7,
        "one pair": [["a", "b"]],
    }


def kappa(table, weights):
    value = cohens_kappa(table, wt=weights, return_results=False) if len(table) > 1 else math.nan
    return None if math.isnan(value) else float(value)


def pair_case(name, pairs):
    labels = {label for pair in pairs for label in pair}
    ordered = sorted(labels, key=int) if all(label.isdigit() for label in labels) else sorted(labels)
    table = numpy.zeros((len(ordered), len(ordered)), dtype=int)
    for reference, rated in pairs:
        table[ordered.index(reference), ordered.index(rated)] += 1
    return {
        "name": name,
        "pairs": pairs,
        "labels": ordered,
        "matrix": table.tolist(),
        "accuracy": float(numpy.trace(table) / table.sum()),
        "kappa": {"none": kappa(table, None), "linear": kappa(table, "linear"), "quadratic": kappa(table, "quadratic")},
    }


def rated_items(labels, items, raters, share):
    truth = random.choice(labels, items)
    return [[str(one if random.random() < share else random.choice(labels)) for _ in range(raters)] for one in truth]


def item_cases():
    uneven = rated_items(["1", "2", "3"], 60, 5, 0.6)
    return {
        "three raters, two labels": rated_items(["no", "yes"], 100, 3, 0.7),
        "five raters, five grades": rated_items(["1", "2", "3", "4", "5"], 80, 5, 0.5),
        "two raters": rated_items(["a", "b", "c"], 50, 2, 0.8),
        "by chance": rated_items(["a", "b"], 300, 4, 0.0),
        "total agreement": [["a"] * 3, ["b"] * 3, ["a"] * 3],
        "one label only": [["a"] * 3] * 4,
        "different numbers of raters": [item[: 1 + index % 5] for index, item in enumerate(uneven)],
        "no item with two raters": [["a"], ["b"], []],
    }


def by_pairs(items):
    """Fleiss' kappa by enumerating pairs of raters, for items with different numbers of raters."""
    counted = [item for item in items if len(item) > 1]
    if not counted:
        return None
    equal = [numpy.mean([a == b for a, b in itertools.permutations(item, 2)]) for item in counted]
    given = [label for item in counted for label in item]
    chance = sum((given.count(label) / len(given)) ** 2 for label in set(given))
    return None if chance == 1 else float((numpy.mean(equal) - chance) / (1 - chance))


def item_case(name, items):
    value = by_pairs(items)
    if value is not None and len({len(item) for item in items}) == 1:
        counts, _ = aggregate_raters(numpy.array(items))
        assert abs(fleiss_kappa(counts) - value) < 1e-12, name
        value = float(fleiss_kappa(counts))
    return {"name": name, "items": items, "kappa": value}


def main():
    document = {
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "statsmodels": statsmodels.__version__,
        "pairs": [pair_case(name, pairs) for name, pairs in pair_cases().items()],
        "items": [item_case(name, items) for name, items in item_cases().items()],
    }
    Path(__file__).with_name("agreement.json").write_text(json.dumps(document, allow_nan=False) + "\n")


main()
