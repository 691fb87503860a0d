import { randomBytes } from 'node:crypto';
import { attribute, encodeSpan, text } from '../bench/attributes.js';
import { bytesField, fixed64Field, textField } from '../bench/protobuf-writer.js';

/** A request of at most 10 MB to a route of OTLP. */
export interface WorstOtlp {
  readonly name: string;
  readonly contentType: 'application/json' | 'application/x-protobuf';
  readonly make: () => string | Buffer;
}

/** The attributes of one span, log record or data point, in both encodings. */
interface Attributes {
  readonly json: string;
  readonly protobuf: readonly Buffer[];
}

/** How a signal holds records with attributes. */
interface Signal {
  readonly json: (attributes: readonly string[]) => string;
  readonly protobuf: (attributes: readonly (readonly Buffer[])[]) => Buffer;
}

const MANY = 90_000;
const RECORDS = 20_000;
const DEPTH = 30;
const START = 1_795_000_000_000_000_000n;
const TRACE = randomBytes(16);

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, n) => make(n));
const jsonOf = (key: string, value: object) => JSON.stringify({ key, value });
const concat = (count: number, make: (index: number) => Buffer) => Buffer.concat(times(count, make));
const one = (key: string, json: object, protobuf: Buffer): Attributes => ({
  json: jsonOf(key, json),
  protobuf: [attribute(key, protobuf)],
});
const texted = (key: string, value: string) => one(key, { stringValue: value }, text(value));
const deep = <T>(depth: number, leaf: T, wrap: (inner: T) => T): T =>
  depth === 0 ? leaf : wrap(deep(depth - 1, leaf, wrap));
const MESSAGE = { role: 'user', parts: [{ type: 'text', content: 'Where is my parcel?' }] };

/** Attributes that are as much work as those of one record can be. */
const ATTRIBUTES: Readonly<Record<string, () => Attributes>> = {
  'many attributes': () => ({
    json: times(MANY, (n) => jsonOf(`key${n}`, { stringValue: 'x' })).join(),
    protobuf: times(MANY, (n) => attribute(`key${n}`, text('x'))),
  }),
  'a map with many keys': () =>
    one(
      'map',
      { kvlistValue: { values: times(MANY, (n) => ({ key: `key${n}`, value: { intValue: '1' } })) } },
      bytesField(
        6,
        concat(MANY, (n) => bytesField(1, attribute(`key${n}`, text('x')))),
      ),
    ),
  'a long list': () =>
    one(
      'list',
      { arrayValue: { values: Array(200_000).fill({ stringValue: 'x' }) } },
      bytesField(
        5,
        concat(200_000, () => bytesField(1, text('x'))),
      ),
    ),
  'a deep value': () =>
    one(
      'deep',
      deep<object>(DEPTH, { arrayValue: { values: Array(MANY).fill({ intValue: '1' }) } }, (inner) => ({
        arrayValue: { values: [inner] },
      })),
      deep(
        DEPTH,
        bytesField(
          5,
          concat(MANY, () => bytesField(1, text('x'))),
        ),
        (inner) => bytesField(5, bytesField(1, inner)),
      ),
    ),
  'a long text': () => texted('text', 'é"'.repeat(2_000_000)),
  'many messages': () => texted('gen_ai.input.messages', JSON.stringify(Array(60_000).fill(MESSAGE))),
  'a wide object as JSON text': () =>
    texted('input.value', JSON.stringify(Object.fromEntries(times(MANY, (n) => [`key${n}`, 'x'])))),
};
const SMALL: Attributes = texted('gen_ai.request.model', 'gpt-4o');

const ids = () => ({ traceId: TRACE.toString('hex'), spanId: randomBytes(8).toString('hex') });
const listed = (records: readonly object[], attributes: readonly string[]) =>
  records
    .map((record, n) => `{${JSON.stringify(record).slice(1, -1)},"attributes":[${attributes[n]}]}`)
    .join();

/** Signals by the last part of the path of their route. */
const SIGNALS: Readonly<Record<string, Signal>> = {
  traces: {
    json: (attributes) => {
      const span = {
        name: 'chat',
        kind: 3,
        startTimeUnixNano: String(START),
        endTimeUnixNano: String(START),
      };
      const spans = attributes.map(() => ({ ...span, ...ids() }));
      return `{"resourceSpans":[{"scopeSpans":[{"spans":[${listed(spans, attributes)}]}]}]}`;
    },
    protobuf: (attributes) => {
      const head = { trace: TRACE, name: 'chat', kind: 3, startNs: START, endNs: START };
      const spans = attributes.map((own) => bytesField(2, encodeSpan({ ...head, id: randomBytes(8) }, own)));
      return bytesField(1, bytesField(2, Buffer.concat(spans)));
    },
  },
  logs: {
    json: (attributes) => {
      const record = {
        timeUnixNano: String(START),
        eventName: 'gen_ai.user.message',
        body: { stringValue: 'x' },
      };
      const records = attributes.map(() => ({ ...record, ...ids() }));
      return `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${listed(records, attributes)}]}]}]}`;
    },
    protobuf: (attributes) => {
      const records = attributes.map((own) => {
        const head = [fixed64Field(1, START), bytesField(5, text('x')), bytesField(9, TRACE)];
        const named = [bytesField(10, randomBytes(8)), textField(12, 'gen_ai.user.message')];
        return bytesField(2, Buffer.concat([...head, ...own.map((each) => bytesField(6, each)), ...named]));
      });
      return bytesField(1, bytesField(2, Buffer.concat(records)));
    },
  },
  metrics: {
    json: (attributes) => {
      const points = attributes.map(() => ({ timeUnixNano: String(START), asInt: '1' }));
      const metric = `{"name":"m","gauge":{"dataPoints":[${listed(points, attributes)}]}}`;
      return `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[${metric}]}]}]}`;
    },
    protobuf: (attributes) => {
      const points = attributes.map((own) =>
        bytesField(1, Buffer.concat([fixed64Field(3, START), ...own.map((each) => bytesField(7, each))])),
      );
      const metric = Buffer.concat([textField(1, 'm'), bytesField(5, Buffer.concat(points))]);
      return bytesField(1, bytesField(2, bytesField(2, metric)));
    },
  },
};

/** Enough that the routes have each kind in one of the encodings, few enough that the walk over all routes takes about a minute. */
const REQUESTS_OF_ROUTE = 5;

/**
 * Returns requests to the route of a signal, `traces`, `logs` or `metrics`, each other one in protobuf. Routes have other ones: `turn` is
 * the number of the route.
 */
export function worstOtlp(signal: string, turn: number): WorstOtlp[] {
  const { json, protobuf } = SIGNALS[signal]!;
  const records = Object.entries(ATTRIBUTES).map(([name, make]) => ({ name, all: () => [make()] }));
  const many = { name: 'many records', all: () => Array<Attributes>(RECORDS).fill(SMALL) };
  const kinds = [...records, many];
  const first = turn * REQUESTS_OF_ROUTE;
  const chosen = Array.from({ length: REQUESTS_OF_ROUTE }, (_, n) => kinds[(first + n) % kinds.length]!);
  return chosen.map(({ name, all }, index) =>
    (index + turn) % 2 === 0
      ? {
          ...{ name: `${name} in JSON`, contentType: 'application/json' },
          make: () => json(all().map((each) => each.json)),
        }
      : {
          ...{ name: `${name} in protobuf`, contentType: 'application/x-protobuf' },
          make: () => protobuf(all().map((each) => each.protobuf)),
        },
  );
}
