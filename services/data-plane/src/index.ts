export { composeDataPlane, type DataPlane } from './compose.js';
export type { DataPlaneOptions } from './options.js';
export type { EvaluatorView, ProcessStatus } from './status/get-status.js';
export { statusFromConfig } from './status/status-from-config.js';
export { redactionFromConfig } from './forwarding/redaction-from-config.js';
export { repairStore } from './shared/repair-store.js';
export { purgeRules } from './purge/purge-rules.js';
export { queryOptions } from './shared/query-options.js';
export { agentBindings } from './mcp/agent-bindings.js';
