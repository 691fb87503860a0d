const OBJECTS = [
  'inputs',
  'outputs',
  'feedback',
  'metadata',
  'metrics',
  'config',
  'user_properties',
] as const;
const SCALARS = [
  'event_type',
  'event_name',
  'error',
  'event_id',
  'session_id',
  'parent_id',
  'project_id',
  'source',
  'start_time',
  'end_time',
  'duration',
] as const;

/**
 * Variables of a template: the fields of the event, and `event` for all of them. Objects that the event lacks are empty, and scalars are None.
 */
export function templateVariables(event: object): Readonly<Record<string, unknown>> {
  const fields = new Map<string, unknown>(Object.entries(event));
  for (const name of OBJECTS) if (!isObject(fields.get(name))) fields.set(name, {});
  for (const name of SCALARS) if (fields.get(name) === undefined) fields.set(name, null);
  const complete = Object.fromEntries(fields);
  return { ...complete, event: complete };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
