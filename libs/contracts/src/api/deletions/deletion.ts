import { Type, type Static } from '@sinclair/typebox';
import { choice, flag, integer, listOf, text, textOrNull } from '../../schema/fields.js';
import { createdAt, resourceId } from '../../schema/resource-fields.js';

export const DELETION_STATES = ['running', 'deleted', 'erased', 'verified'] as const;
export type DeletionState = (typeof DELETION_STATES)[number];

export const deletionPath = Type.Object({ deletion_id: resourceId('Id of the deletion.') });

const count = (description: string, example: number) => integer(description, example, { minimum: 0 });

export const deletedRows = Type.Object(
  {
    events: count('Events: their fields except the payload.', 240),
    event_payloads: count('Inputs, outputs and configuration.', 240),
    event_changes: count('Updates that were kept until they are applied.', 12),
    evaluations: count('Evaluations.', 480),
  },
  { description: 'Deleted rows, by table of the event store, members of deleted sessions included.' },
);

const logPosition = Type.Object({
  partition: count('Partition of the log.', 0),
  position: count('Every deleted event is before it.', 18_204),
});

const KEPT_EXAMPLE = 'datapoints that were made from events: until they are deleted';

export const deletionReceipt = Type.Object(
  {
    id: resourceId('Id of the deletion.'),
    state: choice<DeletionState>(
      DELETION_STATES,
      'Whether events are being deleted, are gone from every read, are in no part of the store, or were looked for again after the files of ' +
        'former parts were removed.',
      'verified',
    ),
    from: textOrNull('First start of the events, ISO 8601; null: no bound.', null),
    to: text('Last start of the events, ISO 8601.', '2026-11-01T00:00:00.000Z'),
    matched: count(
      'Events found and deleted, late ones included; a kill can have one page counted twice.',
      240,
    ),
    rows: deletedRows,
    log: Type.Object(
      {
        positions: listOf(logPosition, 'Where the log ended when the events were gone from every read.'),
        gone_after: textOrNull(
          'When the log has no record before them, unless nothing follows in their segment. ISO 8601; null while running.',
          null,
        ),
        gone: flag('Whether the log has none now.', false),
      },
      { description: 'The records of the events on the log.' },
    ),
    control_plane: flag(
      'Whether the control plane has taken over the deletes; false where events are not forwarded.',
      true,
    ),
    kept: listOf(text('A place and what it keeps.', KEPT_EXAMPLE), 'What stays, and until when.', [
      KEPT_EXAMPLE,
    ]),
    created_at: createdAt(),
    late_until: text('Events that arrive until then are deleted, too. ISO 8601.', '2026-12-01T00:00:00.000Z'),
    deleted_at: textOrNull('When the events were gone from every read, ISO 8601.', null),
    erased_at: textOrNull('When no part of the store had a row of them, ISO 8601.', null),
    verified_at: textOrNull('When that was read again, ISO 8601.', null),
  },
  { $id: 'Deletion', description: 'The receipt of a deletion. It has no value of an event or a filter.' },
);
export type DeletionReceipt = Static<typeof deletionReceipt>;
