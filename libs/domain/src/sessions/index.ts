export {
  comparedModelName,
  MAX_MODEL_NAME,
  MODEL_NAME_AFFIXES,
  modelNameForms,
  plainModelName,
} from './model-name.js';
export { countUsage, type Usage } from './count-usage.js';
export { type UsageReport } from './usage-report.js';
export {
  addCosts,
  type KnownCost,
  listUnpriced,
  MAX_UNPRICED_MODELS,
  unpricedName,
} from './unpriced-models.js';
export { MAX_TREE_LEVELS, sessionTree, type TreeEvent, type TreeNode } from './session-tree.js';
export { withChildren, type TreePlace } from './with-children.js';
export { withTotals, type SessionTotals } from './with-totals.js';
export { type SessionNode } from './session-node.js';
export {
  type DayCount,
  type EventNameCount,
  type MetricTotals,
  type SessionSummary,
} from './session-summary.js';
export {
  addUsage,
  dayOf,
  noUsage,
  USAGE_COUNTS,
  usageDays,
  usageOfSession,
  usageReport,
  type DayRange,
  type UsageDay,
} from './usage.js';
export { acceptSessionRange } from './session-range.js';
export { readSessionCursor, type SessionCursor, writeSessionCursor } from './session-cursor.js';
export { redactSessionSummary, type RedactedSessionSummary } from './redact-session-summary.js';
