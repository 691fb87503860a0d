import { getSessionTree, pageEvents } from '@assay/contracts';
import type { JsonObject } from '@assay/domain';
import { MAX_RESULT_BYTES } from '../fit/fit-response.js';
import { fieldsOf, objectSchema } from '../input-schema.js';
import type { CallRoute, Tool, ToolArguments, ToolResult } from '../tool.js';

const DEFAULT_EVENTS = 50;
/** Share of the bytes that a page of fewer events aims at, because events differ. */
const AIM = 0.8;
const COLUMNS = [
  'event_id',
  'parent_id',
  'event_type',
  'event_name',
  'start_time',
  'duration',
  'error',
  'metrics',
  'metadata.total_tokens',
  'metadata.cost',
];

/** The events of a session in the order of their start, with parents and previews: its tree and its conversation. */
export const readSession: Tool = {
  name: 'read_session',
  title: 'Read a session',
  description:
    'Read a session (a trace or conversation): its totals, then its events in the order of their start with parent_id, scores, errors and previews of inputs and outputs. Pass next_cursor as cursor to read on.',
  input: objectSchema(
    {
      ...fieldsOf(getSessionTree.params, 'session_id'),
      ...fieldsOf(pageEvents.body, 'limit', 'cursor', 'columns', 'preview_chars'),
    },
    ['session_id'],
  ),
  routes: [getSessionTree, pageEvents],
  rest: 'Ask for less with limit, columns or preview_chars; read_event returns the values of one event in parts.',
  async run(args, call): Promise<ToolResult> {
    const session = args['cursor'] === undefined ? await sessionOf(args, call) : {};
    const first = await pageOf(args, call);
    const length = first.body.length > MAX_RESULT_BYTES ? (first.page.events as unknown[]).length : 0;
    const limit = Math.max(1, Math.floor((length * AIM * MAX_RESULT_BYTES) / first.body.length));
    const { page } = length < 2 ? first : await pageOf({ ...args, limit }, call);
    const note = `Only ${limit} of the ${length} events of the page, to stay below ${MAX_RESULT_BYTES} bytes; next_cursor continues after them.`;
    const { events, next_cursor } = page;
    return { text: JSON.stringify({ ...session, events, next_cursor }), notes: length < 2 ? [] : [note] };
  },
};

/** The session itself with its totals. It is not found when the project has no such session. */
async function sessionOf({ session_id }: ToolArguments, call: CallRoute): Promise<JsonObject> {
  const params = { session_id: String(session_id) };
  const tree = await call(getSessionTree, { params, query: { limit: 1, preview_chars: 0 } });
  const { session, total } = (await tree.parse()) as JsonObject;
  return { session: session ?? null, total: total ?? null };
}

async function pageOf(
  { session_id, limit = DEFAULT_EVENTS, ...rest }: ToolArguments,
  call: CallRoute,
): Promise<{ body: Buffer; page: JsonObject }> {
  const response = await call(pageEvents, {
    body: {
      columns: COLUMNS,
      ...rest,
      limit,
      filters: [{ field: 'session_id', operator: 'is', value: session_id, type: 'string' }],
      sort: { field: 'start_time', order: 'asc' },
      count: 'none',
    },
  });
  return { body: response.body, page: (await response.parse()) as JsonObject };
}
