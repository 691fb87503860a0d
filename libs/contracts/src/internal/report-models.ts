import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../route.js';
import { flag } from '../schema/fields.js';
import { jobOwner } from './evaluation-job.js';
import { BODY_BYTES, orNull, projectId, readonlyList, textItems } from './fields.js';

/** Names of providers and projects in one report, and the longest one. */
export const MODEL_REPORT_LIMITS = { names: 500, nameChars: 200 };

const provider = () => Type.String({ maxLength: MODEL_REPORT_LIMITS.nameChars });
const modelOfProject = Type.Object({
  projectId: projectId(),
  providers: textItems('Providers with an endpoint for this project alone.', ['openai']),
  failing: textItems('Providers whose last call by the project has failed.', []),
});

export const modelReport = Type.Object({
  owner: jobOwner(),
  projectIds: textItems('Projects whose events the process evaluates; empty: all.', []),
  hasProxy: flag('Whether one endpoint serves all providers.', true),
  isComplete: flag('False when the process has more endpoints than a report names.', true),
  providers: textItems('Providers with an endpoint for all projects.', ['openai']),
  projects: readonlyList(modelOfProject, 'What differs for single projects.', [], {
    maxItems: MODEL_REPORT_LIMITS.names,
  }),
  defaultModel: orNull(
    Type.Object(
      { provider: provider(), name: Type.String() },
      {
        description: 'Model of metrics that name none.',
        examples: [{ provider: 'openai', name: 'gpt-4o' }],
      },
    ),
  ),
});
/** The models that a process can call. */
export type ModelReport = Readonly<Static<typeof modelReport>>;

export const reportModels = defineRoute({
  operation: 'reportModels',
  method: 'POST',
  path: '/internal/v1/models/report',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Report which models an evaluator can call',
  limits: { maxBodyBytes: BODY_BYTES.modelReport },
  body: modelReport,
  response: Type.Object({ reported: flag('Always true.', true) }),
});
