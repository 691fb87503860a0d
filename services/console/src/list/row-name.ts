import type { EventRow } from '../api/events.js';
import { printName } from '../format/name.js';

/** Returns the name of a row as it is drawn. */
export const rowName = (row: EventRow): string => printName(row.root_name ?? row.event_name ?? row.event_id);
