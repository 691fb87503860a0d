import type { Price, PriceTable } from './price-table.js';

/** Tokens of one call. */
export interface CallTokens {
  /** All input tokens, cached ones included. */
  readonly prompt: number;
  /** All output tokens, reasoning included. */
  readonly completion: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface CalledModel {
  /** The model that answered, which is more exact than the one that was asked for. */
  readonly responseModel?: string | undefined;
  readonly model?: string | undefined;
  /** In the spelling of the GenAI conventions. */
  readonly provider?: string | undefined;
}

/** What a call costs in US dollars by the table; undefined for a model or a length of input that it does not know. */
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
  // Twelve digits: sums of dollars per million tokens carry noise beyond them.
  return Number(((input + completion * price.output) / 1_000_000).toPrecision(12));
}
