export {
  JUDGE_ERROR_CODES,
  type Judge,
  type JudgeError,
  type JudgeErrorCode,
  type JudgeFailure,
  type JudgeOutcome,
  type JudgeParameters,
  type JudgeRequest,
  type JudgeScore,
  type JudgeTokens,
  type JudgeValue,
} from './judge.js';
export {
  PROVIDER_APIS,
  type JudgeOptions,
  type ProviderApi,
  type ProviderEndpoint,
} from './judge-options.js';
