import { Type, type Static } from '@sinclair/typebox';
import { flag, success, text } from '../../schema/fields.js';
import { resourceId } from '../../schema/resource-fields.js';
import { definitionProperties, metricId } from './metric.js';

const MAX_MESSAGE_LENGTH = 1_000;

export const versionName = () => resourceId('Name of the version.', 'v1');
export const versionMessage = () =>
  text('Description of the change.', 'Count half answers', { maxLength: MAX_MESSAGE_LENGTH });
export const versionPath = Type.Object({ metric_id: metricId(), version_name: versionName() });

/** What a request that changes a metric may state. */
export const expectedVersion = Type.Object({
  expected_version: Type.Optional(
    resourceId(
      'The version that the client knows as deployed; 409, and nothing is written, when it is another.',
      'v1',
    ),
  ),
});
export type ExpectedVersion = Static<typeof expectedVersion>;

export const metricVersion = Type.Object(
  {
    name: versionName(),
    full_sha: text(
      'Hash of the content of the version.',
      '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    ),
    message: versionMessage(),
    date: text('Time of creation, ISO 8601.', '2026-11-01T00:00:00.000Z'),
    deployed: flag('Whether this version is deployed.', true),
    content: Type.Object(definitionProperties, { description: 'Definition of the metric in this version.' }),
  },
  { $id: 'MetricVersion', description: 'A snapshot of a metric. One version of each metric is deployed.' },
);
export type VersionResponse = Static<typeof metricVersion>;

export const versionEnvelope = Type.Object({ success: success(), data: metricVersion });
