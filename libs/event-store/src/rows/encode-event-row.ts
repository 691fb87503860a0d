import type { Event } from '@assay/domain';
import { indexLeaves } from './index-leaves.js';
import { repairEscapes, writeHugeIntegersAsFloats } from './repair-json.js';

/**
 * The row of an event: one JSON object on one line, UTF-8, without a line break. It holds the fields of the event, the open
 * objects nested, and what is derived from them for the index: `attrs`, `nums`, `complete`, `run_id`, `datapoint_id`.
 * The store keeps the text of the open objects as it stands here, so what a client sent comes back unchanged, but for NUL and
 * unpaired surrogates in strings, which no text column holds: they become U+FFFD.
 */
export function encodeEventRow(event: Event): Buffer {
  const leaves = indexLeaves(event);
  const text = repairEscapes(
    JSON.stringify({
      project_id: event.project_id,
      event_id: event.event_id,
      session_id: event.session_id,
      parent_id: event.parent_id,
      children_ids: event.children_ids,
      event_type: event.event_type,
      event_name: event.event_name,
      source: event.source,
      start_time: event.start_time,
      end_time: event.end_time,
      duration: event.duration,
      error: event.error,
      inputs: event.inputs,
      outputs: event.outputs,
      config: event.config,
      metadata: event.metadata,
      metrics: event.metrics,
      feedback: event.feedback,
      user_properties: event.user_properties,
      origin: event.origin,
      attrs: leaves.attrs,
      nums: leaves.nums,
      complete: leaves.complete,
      run_id: textOf(event.metadata['run_id']),
      datapoint_id: textOf(event.metadata['datapoint_id']),
    }),
  );
  return Buffer.from(leaves.hasHugeInteger ? writeHugeIntegersAsFloats(text) : text);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
