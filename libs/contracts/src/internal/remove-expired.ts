import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../route.js';
import { flag, text } from '../schema/fields.js';
import { BODY_BYTES, MAX_ITEMS, projectId, readonlyList, textItems } from './fields.js';

const EVENT = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';

const expiredEvent = Type.Object(
  {
    eventId: text('Id of the event.', EVENT),
    sessionId: text('Id of its session.', EVENT),
    runId: text('Run that it or its session names; empty: none.', EVENT),
  },
  { description: 'An event whose retention is over.' },
);
export type ExpiredEvent = Readonly<Static<typeof expiredEvent>>;

/** Events of a project whose retention is over, at most 1,000. */
export interface ExpiredEvents {
  readonly projectId: string;
  readonly expired: readonly ExpiredEvent[];
  /** Whether they go although the project keeps them. */
  readonly removesKept?: boolean | undefined;
}

export const removeExpired = defineRoute({
  operation: 'removeExpired',
  method: 'POST',
  path: '/internal/v1/events/expired',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Remove expired events from the queues, except those that the project keeps',
  limits: { maxBodyBytes: BODY_BYTES.idList },
  body: Type.Object({
    projectId: projectId(),
    expired: readonlyList(expiredEvent, 'The events.', [], { maxItems: MAX_ITEMS }),
    removesKept: Type.Optional(flag('Whether they go although the project keeps them.', false)),
  }),
  response: Type.Object({
    kept: textItems('Ids of those that an existing run or dataset names, which the project keeps.', [EVENT]),
  }),
});
