import { randomUUID } from 'node:crypto';
import type { Route } from '@assay/contracts';
import { valueAttributes } from '@assay/otlp';
import { sampleRequest } from '../conformance/sample-request.js';
import { otlpRequest, type TaintedContent } from './tainted-otlp.js';

/** A request of a random form, with text in it that occurs nowhere else. */
export interface TaintedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes?: string | Buffer;
}

/** Attribute of every span that is sent over gRPC, by which a test finds it. */
export const GRPC_ATTRIBUTE = ['sent.over', 'grpc'] as const;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Names under which applications and instrumentations store content, and which are near to allowed ones. */
const NAMES = [
  ...[
    'request.body',
    'db.query.text',
    'gen_ai.retrieval.query',
    'prompt_template',
    'llm.prompt_template.template',
  ],
  ...[
    'inputs',
    'Outputs',
    'explanation',
    'tone_explanation',
    'Error_Stack',
    'error.message',
    'exception.message',
  ],
  ...[
    'http.url',
    'user_id',
    'customer',
    'note',
    'ground_truth',
    'Models',
    'environments',
    'run',
    'tags',
    '__proto__',
  ],
  ...[
    'constructor',
    'attributes.input.value',
    'otel',
    'events',
    'evaluations',
    'token',
    'costs',
    'id',
    'name',
  ],
  ...valueAttributes().map((key) => key.replace('*', '0.content')),
];
/** Names within objects whose text leaves in another shape than prose, or not at all. */
const ALLOWED = [
  'model',
  'MODEL',
  'provider',
  'environment',
  'run_id',
  'datapointId',
  'trace_id',
  'error.type',
  'cost',
  'session_name',
];
const BUCKETS = ['inputs', 'outputs', 'config', 'metadata', 'metrics', 'feedback', 'user_properties'];

/** Makes requests from a seed. */
export class TaintedRequests {
  private count = 0;

  /** @param word begins every text that is looked for later */
  constructor(
    private readonly word: string,
    private readonly random: () => number,
  ) {}

  /** A request for one of the paths of the route: valid with content anywhere, of wrong types, or no JSON at all. */
  request(route: Route): TaintedRequest {
    const path = this.oneOf([route.path, ...(route.aliases ?? [])]);
    const odd = this.random() < 0.15;
    const ids = Object.fromEntries(['queue_id', 'event_id', 'session_id'].map((name) => [name, this.text()]));
    const sample = sampleRequest(route, path, odd ? ids : {});
    const query = odd ? `?${this.name()}=${this.text()}&filters=${this.text()}&limit=${this.text()}` : '';
    const headers = { ...this.headers(), 'content-type': 'application/json' };
    if (route.encoding === 'otlp') return { path, ...this.otlp(route) };
    if (sample.body === undefined) return { path: sample.path + query, headers };
    const bytes = this.broken(JSON.stringify(this.tainted(sample.body as Json)));
    return { path: sample.path + query, headers, bytes };
  }

  /** A text that occurs nowhere else. */
  text(): string {
    const text = `${this.word}${this.count++}x${Math.floor(this.random() * 2 ** 32).toString(16)}`;
    return this.random() < 0.5 ? text : `it says "${text}" here`;
  }

  /** A text that is longer than any name. */
  private long(): string {
    return `${this.text()}${', and so on'.repeat(20)}`;
  }

  /** Headers that instrumentations and browsers add. */
  private headers(): Record<string, string> {
    const names = ['baggage', 'cookie', 'referer', 'user-agent', 'x-note', 'traceparent', 'idempotency-key'];
    return { [this.oneOf(names)]: `${this.word}${this.count++}` };
  }

  private tainted(body: Json): Json {
    if (Array.isArray(body)) return body.map((item) => this.tainted(item));
    if (typeof body !== 'object' || body === null) return this.random() < 0.05 ? this.long() : body;
    const { event_id: _event, session_id: _session, ...fields } = body;
    const entries = Object.entries(fields).map(([key, item]) => [key, this.tainted(item)]);
    const added = BUCKETS.filter(() => this.random() < 0.7).map((bucket) => [bucket, this.object()]);
    const ids = { parent_id: this.text(), children_ids: [this.text(), randomUUID()], error: this.text() };
    const further = this.random() < 0.5 ? { ...ids, [this.name()]: this.text() } : {};
    return Object.fromEntries([...entries, ...added, ...Object.entries(further)]) as Json;
  }

  /** An object of random names and depth. Keys that are set twice, such as `__proto__`, stay own properties. */
  private object(depth = 0): Json {
    const size = 1 + Math.floor(this.random() * 5);
    const entries = Array.from({ length: size }, () => [this.name(), this.value(depth)]);
    const allowed = this.oneOf(ALLOWED);
    return Object.fromEntries([...entries, [allowed, `it says "${this.word}${this.count++}"`]]) as Json;
  }

  private value(depth: number): Json {
    const kind = this.random();
    if (depth > 3 || kind < 0.5) return this.text();
    if (kind < 0.6) return JSON.stringify({ quoted: this.text() });
    if (kind < 0.7) return this.oneOf([null, true, 0.5]);
    if (kind < 0.85) return [this.value(depth + 1), this.object(depth + 1)];
    return this.object(depth + 1);
  }

  private name(): string {
    const kind = this.random();
    const letters = Math.floor(this.random() * 2 ** 40).toString(36);
    if (kind < 0.3) return `q${letters}`;
    const known = this.oneOf(NAMES);
    if (kind < 0.7) return known;
    return kind < 0.85 ? known.toUpperCase() : `${known}.q${letters}`;
  }

  /** The text, sometimes cut, so that it is no JSON. */
  private broken(text: string): string {
    return this.random() < 0.1 ? text.slice(0, Math.floor(text.length * this.random())) : text;
  }

  /** The records of the signal that the route accepts, in JSON or protobuf. */
  private otlp({ operation }: Route): Omit<TaintedRequest, 'path'> {
    const isProtobuf = this.random() < 0.5;
    const { json, protobuf } = otlpRequest(operation, this.content());
    const type = isProtobuf ? 'application/x-protobuf' : 'application/json';
    const headers = { ...this.headers(), 'content-type': type };
    return { headers, bytes: isProtobuf ? protobuf() : this.broken(JSON.stringify(json())) };
  }

  /** A message of OTLP over gRPC for the route with this operation, sometimes cut, and metadata of its call. */
  grpc(operation: string): { readonly message: Buffer; readonly headers: Readonly<Record<string, string>> } {
    const message = otlpRequest(operation, this.content([GRPC_ATTRIBUTE])).protobuf();
    const length = this.random() < 0.1 ? Math.floor(message.length * this.random()) : message.length;
    return { message: message.subarray(0, length), headers: this.headers() };
  }

  private content(further: TaintedContent['attributes'] = []): TaintedContent {
    const tainted = Array.from({ length: 12 }, () => [this.name(), this.text()] as const);
    return { attributes: [...tainted, ...further], text: () => this.text() };
  }

  private oneOf<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)]!;
  }
}
