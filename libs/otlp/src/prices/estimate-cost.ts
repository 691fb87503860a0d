import type { Price, PriceTable } from './price-table.js';

/** Tokens of one call. */
export interface CallTokens {
  /** All input tokens, including cached ones. */
  readonly prompt: number;
  /** All output tokens, including reasoning. */
  readonly completion: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface CalledModel {
  /** Response model, which is more specific than the request model. */
  readonly responseModel?: string | undefined;
  readonly model?: string | undefined;
  /** Name in the GenAI conventions. */
  readonly provider?: string | undefined;
}

/** Cost of a call in US dollars; undefined for an unknown model or input length. */
export function estimateCost(
  prices: PriceTable,
  called: CalledModel,
  tokens: CallTokens,
): number | undefined {
  const names = [called.responseModel, called.model].filter((name) => name !== undefined);
  const price = names.map((name) => prices.find(name, called.provider)).find((found) => found !== undefined);
  if (price === undefined || tokens.prompt > (price.maxInputTokens ?? Infinity)) return undefined;
  return dollars(price, tokens);
}

function dollars(price: Price, { prompt, completion, cacheRead, cacheWrite }: CallTokens): number {
  const uncached = Math.max(0, prompt - cacheRead - cacheWrite);
  const input =
    uncached * price.input +
    cacheRead * (price.cachedInput ?? price.input) +
    cacheWrite * (price.cacheWrite ?? price.input);
  // Rounds to twelve digits, because sums of prices per million tokens have floating-point noise beyond them.
  return Number(((input + completion * price.output) / 1_000_000).toPrecision(12));
}
