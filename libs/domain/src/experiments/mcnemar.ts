/**
 * Two-sided p-value of the exact McNemar test: Q. McNemar, "Note on the sampling error of the difference between
 * correlated proportions or percentages", Psychometrika 12 (1947), with the binomial distribution in place of its
 * approximation. 1 without discordant pairs.
 * @param gained pairs that failed before and pass now
 * @param lost pairs that passed before and fail now
 */
export function exactMcNemar(gained: number, lost: number): number {
  const pairs = gained + lost;
  const fewer = Math.min(gained, lost);
  let term = Math.exp(logChoose(pairs, fewer) - pairs * Math.LN2);
  let total = 0;
  // Each term is smaller than the one before it, so that the sum ends where a term no longer changes it.
  for (let count = fewer; count >= 0 && total + term !== total; count--) {
    total += term;
    term *= count / (pairs - count + 1);
  }
  return Math.min(1, 2 * total);
}

function logChoose(items: number, chosen: number): number {
  return logFactorial(items) - logFactorial(chosen) - logFactorial(items - chosen);
}

/** Exact below 100; from there Stirling's series, whose error is then below 1e-15. */
function logFactorial(number: number): number {
  if (number >= 100) {
    const x = number + 1;
    const series = 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5);
    return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series;
  }
  let total = 0;
  for (let factor = 2; factor <= number; factor++) total += Math.log(factor);
  return total;
}
