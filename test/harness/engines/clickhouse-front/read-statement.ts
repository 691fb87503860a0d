import { gunzipSync } from 'node:zlib';
import type { IncomingMessage } from 'node:http';

/** One request in the form that the engine needs. */
export interface Statement {
  /** The statement, followed by the data of an insert when it is text. */
  readonly sql: string;
  /** The data of an insert in a binary format. */
  readonly data?: Buffer;
  /** Name of the client's user; the password is not checked. */
  readonly user: string | undefined;
  readonly database: string | undefined;
  readonly defaultFormat: string;
  readonly settings: ReadonlyMap<string, string>;
  readonly parameters: ReadonlyMap<string, string>;
}

/** URL arguments that are not settings of the engine. */
const INTERFACE_ARGUMENTS = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'user',
  'password',
  'session_id',
  'role',
  'compress',
  'decompress',
  'wait_end_of_query',
  'buffer_size',
  'enable_http_compression',
  'http_zlib_compression_level',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
]);
const BINARY_INSERT = /^INSERT .* FORMAT RowBinary$/s;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** @throws Error on a request that the official client does not send */
export async function readStatement(request: IncomingMessage): Promise<Statement> {
  const { searchParams } = new URL(request.url ?? '/', 'http://front');
  const body = await readBody(request);
  const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(request.headers['content-type'] ?? '')?.[1];
  const form = boundary === undefined ? new Map<string, string>() : readForm(body.toString(), boundary);
  const all = new Map([...searchParams, ...form]);
  const data = BINARY_INSERT.test(searchParams.get('query') ?? '') ? body : undefined;
  const text = boundary === undefined && data === undefined ? body.toString() : '';
  const settings = [...all].filter(([name]) => !name.startsWith('param_') && !INTERFACE_ARGUMENTS.has(name));
  for (const [name] of all) if (!NAME.test(name)) throw new Error('an argument has no valid name');
  return {
    sql: [all.get('query'), text].filter((part) => part !== undefined && part !== '').join('\n'),
    data,
    user: userOf(request),
    database: all.get('database'),
    defaultFormat: all.get('default_format') ?? 'TabSeparated',
    settings: new Map(settings),
    parameters: new Map(
      [...all].flatMap(([name, value]) =>
        name.startsWith('param_') ? [[name.slice('param_'.length), value]] : [],
      ),
    ),
  };
}

function userOf({ headers }: IncomingMessage): string | undefined {
  const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1];
  if (basic === undefined) return headers['x-clickhouse-user']?.toString();
  return Buffer.from(basic, 'base64').toString().split(':')[0];
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}

function readForm(body: string, boundary: string): Map<string, string> {
  const parts = body.split(`--${boundary}`).slice(1, -1);
  return new Map(parts.map(readPart));
}

function readPart(part: string): [string, string] {
  const end = part.indexOf('\r\n\r\n');
  const name = /name="([^"]+)"/.exec(part.slice(0, end))?.[1];
  if (end === -1 || name === undefined) throw new Error('a part of the form has no name');
  return [name, part.slice(end + 4, -2)];
}
