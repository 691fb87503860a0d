import { getEventPayload, pageEvents } from '@assay/contracts';
import { parseExactJson, type JsonObject, type JsonValue } from '@assay/domain';
import { fieldsOf, objectSchema, type Properties } from '../input-schema.js';
import {
  ToolError,
  type CallRoute,
  type RouteResponse,
  type Tool,
  type ToolArguments,
  type ToolResult,
} from '../tool.js';
import { wholeCharacters } from './whole-characters.js';

const DEFAULT_FIELDS = ['inputs', 'outputs', 'metadata', 'metrics', 'feedback'];
const DEFAULT_BYTES = 20_000;
/** A text in JSON is at most twice as long when it is in JSON again, and the result has room for both. */
const MAX_BYTES = 45_000;
const MAX_ERROR_CHARS = 2_000;
const COLUMNS = [
  'event_id',
  'session_id',
  'parent_id',
  'event_type',
  'event_name',
  'source',
  'start_time',
  'end_time',
  'duration',
];

const OWN_ARGUMENTS: Properties = {
  fields: {
    type: 'array',
    description: `Objects of the event to read; ${DEFAULT_FIELDS.join(', ')} when absent.`,
    items: fieldsOf(getEventPayload.params, 'field')['field'],
    minItems: 1,
    maxItems: 7,
    uniqueItems: true,
  },
  offset: {
    type: 'integer',
    description: 'First byte to return of a single field: the next_offset of the part before.',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  },
  max_bytes: {
    type: 'integer',
    description: `Bytes of all fields together; ${DEFAULT_BYTES} when absent. A longer field is returned in parts.`,
    minimum: 100,
    maximum: MAX_BYTES,
  },
};

/** One event with its objects, of which long ones come in parts. */
export const readEvent: Tool = {
  name: 'read_event',
  title: 'Read an event',
  description:
    'Read one event with its inputs, outputs, config, metadata, metrics, feedback or user_properties. A long field comes as text in parts: pass its name as the only one of fields, and next_offset as offset.',
  input: objectSchema({ ...fieldsOf(getEventPayload.params, 'event_id'), ...OWN_ARGUMENTS }, ['event_id']),
  routes: [getEventPayload, pageEvents],
  rest: 'Read one field at a time.',
  async run(args, call): Promise<ToolResult> {
    const { fields = DEFAULT_FIELDS, offset = 0, max_bytes = DEFAULT_BYTES } = args as Parts;
    if (offset > 0 && fields.length !== 1) throw new ToolError('offset needs fields with exactly one name');
    const length = Math.floor(max_bytes / fields.length);
    const event_id = String(args['event_id']);
    const parts: [string, JsonValue][] = [];
    for (const field of fields) {
      const range = `bytes=${offset}-${offset + length - 1}`;
      const params = { event_id, field };
      parts.push([field, partOf(await call(getEventPayload, { params, range }), offset)]);
    }
    return { text: JSON.stringify({ event: await rowOf(args, call), ...Object.fromEntries(parts) }) };
  },
};

interface Parts {
  readonly fields?: readonly string[];
  readonly offset?: number;
  readonly max_bytes?: number;
}

/** The value of a field, or a part of its text. */
function partOf({ body, headers, status }: RouteResponse, offset: number): JsonValue {
  const total = status === 206 ? Number(headers['content-range']?.split('/')[1]) : body.length;
  if (offset === 0 && body.length === total) return parseExactJson(body.toString());
  const isLast = offset + body.length === total;
  const bytes = isLast ? body : wholeCharacters(body);
  const next = isLast ? null : offset + bytes.length;
  return { text: bytes.toString(), offset, bytes: bytes.length, total_bytes: total, next_offset: next };
}

/** The event without its objects. */
async function rowOf({ event_id }: ToolArguments, call: CallRoute): Promise<JsonObject> {
  const page = await call(pageEvents, {
    body: {
      filters: [{ field: 'event_id', operator: 'is', value: event_id, type: 'string' }],
      columns: [...COLUMNS, 'error'],
      preview_chars: 0,
      limit: 1,
      count: 'none',
    },
  });
  const { events } = (await page.parse()) as object as { readonly events: readonly JsonObject[] };
  const [{ error, ...row } = {}] = events;
  return { ...row, error: typeof error === 'string' ? error.slice(0, MAX_ERROR_CHARS) : (error ?? null) };
}
