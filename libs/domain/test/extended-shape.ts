import type { EventField } from '../src/events/event-field.js';
import { EVENT_FIELDS } from '../src/events/event-shape.js';

/** The declared fields and two that a later release could add: an object and a text. */
export const EXTENDED_FIELDS: Readonly<Record<string, EventField>> = {
  ...EVENT_FIELDS,
  labels: {
    type: 'object',
    description: 'Labels of the step.',
    example: { team: 'search' },
    updatable: true,
    merge: 'byKey',
    redactable: true,
    indexRank: 8,
    addedIn: 9,
  },
  region: {
    type: 'textOrNull',
    description: 'Region in which the step ran.',
    example: 'eu-1',
    updatable: true,
    merge: 'nonDefault',
    addedIn: 9,
  },
};
