import type { JudgeParameters } from './judge.js';

/** Parameters of a request, checked: what a metric stores may come from older versions. */
export interface SamplingParameters {
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly frequency_penalty?: number;
  readonly presence_penalty?: number;
  readonly seed?: number;
  readonly stop?: string | readonly string[];
}

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
export function samplingParameters(parameters: JudgeParameters | null | undefined): SamplingParameters {
  const given: JudgeParameters = { temperature: 0, ...parameters };
  const numbers = NUMBERS.filter((name) => Number.isFinite(given[name])).map((name) => [name, given[name]]);
  const { stop } = given;
  const isStop =
    typeof stop === 'string' || (Array.isArray(stop) && stop.every((one) => typeof one === 'string'));
  return { ...(Object.fromEntries(numbers) as SamplingParameters), ...(isStop ? { stop } : {}) };
}
