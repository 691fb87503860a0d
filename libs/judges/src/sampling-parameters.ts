import type { ModelParameters } from '@assay/domain';

/** Parameters of a request, checked: what a metric stores may come from older versions. */
export type SamplingParameters = Omit<ModelParameters, 'temperature'> & { readonly temperature?: number };

const NUMBERS = [
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'frequency_penalty',
  'presence_penalty',
  'seed',
] as const;

/** Returns the known parameters with the types that providers expect. Nothing else of a metric can reach a request. */
export function samplingParameters(parameters: ModelParameters | null | undefined): SamplingParameters {
  const given: ModelParameters = { temperature: 0, ...parameters };
  const numbers = NUMBERS.filter((name) => Number.isFinite(given[name])).map((name) => [name, given[name]]);
  const { stop } = given;
  const isStop =
    typeof stop === 'string' || (Array.isArray(stop) && stop.every((one) => typeof one === 'string'));
  return { ...(Object.fromEntries(numbers) as SamplingParameters), ...(isStop ? { stop } : {}) };
}

/** Returns the limit of the tokens of a reply for APIs that have one name for it. */
export function maxTokens({ max_tokens, max_completion_tokens }: SamplingParameters): number | undefined {
  return max_tokens ?? max_completion_tokens;
}
