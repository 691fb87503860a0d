import { Type } from '@sinclair/typebox';
import * as field from './event-fields.js';

/** Path parameters of the routes of one event. */
export const eventPath = Type.Object({ event_id: field.eventId() });
