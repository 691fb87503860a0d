export {
  agreementOf,
  fleissKappa,
  MAX_LABELS,
  type Agreement,
  type AgreementOptions,
  type KappaWeights,
  type LabelPair,
} from './agreement.js';
export {
  appliesTo,
  hasGroundTruth,
  onRequest,
  readsScore,
  sessionRules,
  storedExclusion,
  type AppliesTo,
  type Exclusion,
  type SessionRules,
  type StoredSubject,
} from './applies-to.js';
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
  awaitsQuiet,
  childlessEvaluation,
  EVALUATION_DECISIONS,
  evaluationAfter,
  hasScore,
  isFirstEvaluation,
  isRequested,
  isUnmatched,
  keepsScore,
  keptEvaluation,
  pendingEvaluation,
  requestedEvaluation,
  sessionEvaluation,
  undecidedEvaluation,
  unmatchedEvaluation,
  type DeployedMetric,
  type Evaluation,
  type EvaluationDecision,
} from './evaluation.js';
export { scoreLabel } from './score-label.js';
export { fingerprintOf, inputFingerprint } from './input-fingerprint.js';
export { isAlwaysEvaluated, isSampled } from './sampling.js';
export { runEvaluations, type DecidedEvents } from './decided-events.js';
