import { Type, type Static } from '@sinclair/typebox';
import { modelProvider, pythonSandbox } from '../api/status/get-status.js';
import { defineRoute } from '../route.js';
import { listOf, textList } from '../schema/fields.js';

const evaluatorStatus = Type.Object({
  python: pythonSandbox,
  providers: textList('Names of the configured model providers.', ['openai']),
  /** Absent in responses of earlier releases. */
  provider_states: Type.Optional(listOf(modelProvider, 'Their states.')),
});
export type EvaluatorStatus = Static<typeof evaluatorStatus>;

/** Served by a separate evaluator, for `GET /v1/status` of the data plane. */
export const getEvaluatorStatus = defineRoute({
  operation: 'getEvaluatorStatus',
  method: 'GET',
  path: '/internal/v1/evaluator/status',
  owner: 'evaluator',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Read the state of the Python sandbox and the names of the model providers',
  response: evaluatorStatus,
});
