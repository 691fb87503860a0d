import type { JsonObject } from '@assay/domain';
import { estimateCost } from '../prices/estimate-cost.js';
import type { PriceTable } from '../prices/price-table.js';

/**
 * Adds the estimated cost of a model call from the price table, flagged as estimated, if no cost was sent and
 * the tokens are known.
 */
export function addEstimatedCost(metadata: JsonObject, config: JsonObject, prices: PriceTable): void {
  const prompt = metadata['prompt_tokens'];
  if (
    typeof prompt !== 'number' ||
    Object.hasOwn(metadata, 'cost') ||
    Object.hasOwn(metadata, 'cost_details')
  )
    return;
  const called = {
    responseModel: textOf(metadata, 'response_model'),
    model: textOf(config, 'model'),
    provider: textOf(config, 'provider'),
  };
  const cost = estimateCost(prices, called, {
    prompt,
    completion: countOf(metadata, 'completion_tokens'),
    cacheRead: countOf(metadata, 'cache_read_input_tokens'),
    cacheWrite: countOf(metadata, 'cache_creation_input_tokens'),
  });
  if (cost === undefined) return;
  metadata['cost'] = cost;
  metadata['cost_source'] = 'estimated';
}

function textOf(bucket: JsonObject, key: string): string | undefined {
  const value = bucket[key];
  return typeof value === 'string' ? value : undefined;
}

function countOf(bucket: JsonObject, key: string): number {
  const value = bucket[key];
  return typeof value === 'number' ? value : 0;
}
