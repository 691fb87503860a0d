import type { Event } from '@assay/domain';

/**
 * The event of a row made by `encodeEventRow`.
 * @throws SyntaxError when the line is no JSON
 */
export function decodeEventRow(line: Buffer): Event {
  const row = JSON.parse(line.toString('utf8')) as Event;
  return {
    project_id: row.project_id,
    event_id: row.event_id,
    session_id: row.session_id,
    parent_id: row.parent_id,
    children_ids: row.children_ids,
    event_type: row.event_type,
    event_name: row.event_name,
    source: row.source,
    start_time: row.start_time,
    end_time: row.end_time,
    duration: row.duration,
    error: row.error,
    inputs: row.inputs,
    outputs: row.outputs,
    config: row.config,
    metadata: row.metadata,
    metrics: row.metrics,
    feedback: row.feedback,
    user_properties: row.user_properties,
    origin: row.origin,
  };
}
