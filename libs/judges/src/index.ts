export { createJudge } from './create-judge.js';
export { openPrices } from '@assay/otlp';
export {
  JUDGE_ERROR_CODES,
  MAX_ATTEMPTS,
  type Judge,
  type JudgeError,
  type JudgeErrorCode,
  type JudgeFailure,
  type JudgeOutcome,
  type JudgeRequest,
  type JudgeScore,
  type JudgeTokens,
  type JudgeValue,
  type Repetition,
} from './judge.js';
export {
  MOCK_PROVIDER,
  PROVIDER_APIS,
  type EndpointOwner,
  type JudgeOptions,
  type ProviderApi,
  type ProviderEndpoint,
} from './judge-options.js';
export type { ResolveHost } from './outbound/resolve-host.js';
export { parseRating, type Rating } from './rating/parse-rating.js';
