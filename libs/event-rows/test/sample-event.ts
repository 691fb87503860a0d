import { randomUUID } from 'node:crypto';
import type { Event } from '@assay/domain';

/** 2026-01-01T00:00:00Z. */
export const NEW_YEAR = 1_767_225_600_000;

/** Returns an event with defaults and the given fields. */
export function sampleEvent(fields: Partial<Event> = {}): Event {
  return {
    project_id: 'project',
    event_id: randomUUID(),
    session_id: '0f6b6a52-7a0e-4f0e-9d29-1d1f0f8f7f10',
    parent_id: null,
    children_ids: [],
    event_type: 'model',
    event_name: 'answer',
    source: 'test',
    start_time: NEW_YEAR,
    end_time: NEW_YEAR + 250,
    duration: 250,
    error: null,
    inputs: { question: 'why' },
    outputs: { answer: 'because' },
    config: { model: 'm' },
    metadata: {},
    metrics: {},
    feedback: {},
    user_properties: {},
    origin: 'sent',
    ...fields,
  };
}
