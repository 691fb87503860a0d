const SQRT_TWO_PI = Math.sqrt(2 * Math.PI);

/** A term of the series that no longer changes the sum. */
const NEGLIGIBLE = 1e-20;
/** Beyond this distance from 0 a double cannot tell the distribution from 0 or 1. */
const MAX_DEVIATION = 8;

/**
 * Distribution function of the standard normal distribution, with an absolute error below 1e-15: the Taylor series
 * in G. Marsaglia, "Evaluating the Normal Distribution", Journal of Statistical Software 11 (2004).
 */
export function normalCdf(x: number): number {
  if (x < -MAX_DEVIATION) return 0;
  if (x > MAX_DEVIATION) return 1;
  let [total, term] = [x, x];
  for (let power = 3; Math.abs(term) > NEGLIGIBLE; power += 2) {
    term *= (x * x) / power;
    total += term;
  }
  return 0.5 + total * density(x);
}

/**
 * Quantile of the standard normal distribution. Starts with the rational approximation 26.2.23 of Abramowitz and
 * Stegun, "Handbook of Mathematical Functions" (1964), and improves it with Newton's method.
 * @param share above 0 and below 1
 */
export function normalQuantile(share: number): number {
  if (share === 0.5) return 0;
  if (share > 0.5) return -normalQuantile(1 - share);
  const t = Math.sqrt(-2 * Math.log(share));
  let x =
    (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (let round = 0; round < 5; round++) x -= (normalCdf(x) - share) / density(x);
  return x;
}

function density(x: number): number {
  return Math.exp((-x * x) / 2) / SQRT_TWO_PI;
}
