import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { flag, integer, listOf, textOrNull } from '../../schema/fields.js';
import { dateRange } from '../events/date-range.js';
import { strictFilter } from '../events/filter.js';

export const createDeletionRequest = Type.Object(
  {
    filters: Type.Optional(
      listOf(strictFilter, 'Conditions; all must hold.', [
        { field: 'session_id', operator: 'is', value: 's1' },
      ]),
    ),
    dateRange: Type.Optional(dateRange),
    dry_run: Type.Optional(flag('Whether to count only.', false)),
    confirm: Type.Optional(
      integer('Required when every event matches: the count of a dry run.', 240, { minimum: 0 }),
    ),
  },
  {
    $id: 'CreateDeletionRequest',
    description: 'Events to delete; without the end of a range, those that start before the request.',
    additionalProperties: false,
  },
);
export type CreateDeletionRequest = Static<typeof createDeletionRequest>;

export const createDeletion = defineRoute({
  operation: 'createDeletion',
  method: 'POST',
  path: '/v1/deletions',
  owner: 'data-plane',
  access: 'project',
  tag: 'Deletions',
  summary:
    'Delete the events that match, with their sessions where these match, also those that arrive within 30 days',
  // Filters are kept, and read in every round.
  limits: { maxBodyBytes: 16_384 },
  body: createDeletionRequest,
  response: Type.Object({
    id: textOrNull('Id of the deletion; null for a dry run.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
    count: integer('Events that match now.', 240),
    sessions: integer('Sessions among them, of which every event is deleted.', 3),
    matches_all: flag('Whether every event of the project matches, so that `confirm` is required.', false),
  }),
});
