import { Type, type Static } from '@sinclair/typebox';
import { text, textOrNull } from '../../schema/fields.js';
import { createdAt, resourceId, resourceName, updatedAt } from '../../schema/resource-fields.js';

const DATA_PLANE_ID = '8Jx2m0aQ4bYv7LkT1sWn5cRe';
const MAX_PROJECTS = 1_000;

export const dataPlaneName = () => resourceName('Name of the data plane, for people.', 'eu-production');
export const dataPlaneDescription = () =>
  text('Description of the data plane.', 'Cluster in Frankfurt', { maxLength: 1000 });

/** Ids of projects, or null for all projects. */
export const boundProjects = () =>
  Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string', minLength: 1, maxLength: 200 },
    maxItems: MAX_PROJECTS,
    description:
      'Ids of the projects for which the data plane may act; null: all projects, including future ones.',
    examples: [['65c13dbbd65fb876b7886cdb']],
  });

export const dataPlanePath = Type.Object({
  data_plane_id: resourceId('Id of the data plane.', DATA_PLANE_ID),
});

export const dataPlaneToken = () => text('Token of the data plane. Returned only once.', 'assay_dp_...');

/** Data plane without its token. */
export const dataPlaneResponse = Type.Object(
  {
    id: resourceId('Id of the data plane.', DATA_PLANE_ID),
    name: dataPlaneName(),
    description: dataPlaneDescription(),
    project_ids: boundProjects(),
    created_at: createdAt(),
    updated_at: updatedAt(),
    rotated_at: textOrNull('Time of the last token rotation, ISO 8601; null: never rotated.', null),
    previous_token_until: textOrNull(
      'Expiry of the previous token, ISO 8601; null: no previous token is valid.',
      null,
    ),
    ended_at: textOrNull('Time of revocation, ISO 8601; null: active.', null),
    last_seen_at: textOrNull(
      'Time of the last use of its token, ISO 8601, accurate to the minute; null: never.',
      '2026-11-01T00:00:00.000Z',
    ),
  },
  { $id: 'DataPlane', description: 'A data plane, without its token.' },
);
export type DataPlaneResponse = Static<typeof dataPlaneResponse>;
