import { Type } from '@sinclair/typebox';
import { success, textList } from '../../schema/fields.js';
import * as field from './event-fields.js';

/** Response of a route that stores one event. */
export const storedEvent = () =>
  Type.Object({ success: success(), event_id: field.eventId(), session_id: field.sessionId() });

/** Response of a route that stores several events. */
export const storedEvents = () =>
  Type.Object({
    success: success(),
    event_ids: textList('Ids of the events, in request order.', ['0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e']),
    session_id: field.sessionId(),
  });
