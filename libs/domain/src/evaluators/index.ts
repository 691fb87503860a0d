export {
  agreementOf,
  fleissKappa,
  MAX_LABELS,
  type Agreement,
  type AgreementOptions,
  type KappaWeights,
  type LabelPair,
} from './agreement.js';
export { appliesOnRequest, appliesTo, hasGroundTruth, type AppliesTo, type Exclusion } from './applies-to.js';
export {
  JOB_KINDS,
  JOB_STATES,
  NO_COUNTS,
  type BackfillJob,
  type EvaluationJob,
  type EvaluationRequest,
  type JobCounts,
  type JobKind,
  type JobState,
  type StoredEventsJob,
} from './evaluation-job.js';
export {
  EVALUATION_DECISIONS,
  evaluationAfter,
  hasScore,
  isFirstEvaluation,
  isRequested,
  keepsScore,
  keptEvaluation,
  pendingEvaluation,
  requestedEvaluation,
  undecidedEvaluation,
  type DeployedMetric,
  type Evaluation,
  type EvaluationDecision,
} from './evaluation.js';
export { scoreLabel } from './score-label.js';
export { fingerprintOf, inputFingerprint } from './input-fingerprint.js';
export { isAlwaysEvaluated, isSampled } from './sampling.js';
export { runEvaluations, type DecidedEvents } from './decided-events.js';
