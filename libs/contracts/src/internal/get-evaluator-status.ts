import { Type, type Static } from '@sinclair/typebox';
import { pythonSandbox } from '../api/status/get-status.js';
import { defineRoute } from '../route.js';
import { flag, listOf, text, textList, textOrNull } from '../schema/fields.js';

const failingProvider = Type.Object(
  {
    project_id: text('The project whose call has failed.', '6f1f7a0e-0c1b-4d2e-8f3a-1b2c3d4e5f60'),
    name: text('Name of the provider in the metrics of the project.', 'openai'),
    is_own: flag('Whether the endpoint is configured for the project.', false),
    paused_until: textOrNull('When it is called again, ISO 8601; null while it is called.', null),
  },
  { description: 'A model provider whose last call by a project has failed.' },
);

const evaluatorStatus = Type.Object({
  python: pythonSandbox,
  providers: textList('Names of the configured model providers.', ['openai']),
  /** Absent in responses of earlier releases. */
  failing_providers: Type.Optional(listOf(failingProvider, 'Providers whose last call has failed.')),
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
