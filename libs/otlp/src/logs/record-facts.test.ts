import { mergeCreates, type Event, type JsonObject } from '@assay/domain';
import { runSync } from '@assay/runtime';
import { mapOne, mapSpans, PROJECT } from '../../test/map-one.js';
import { attributeList, jsonBody, SPAN_ID, TRACE_ID } from '../../test/otlp-request.js';
import { encodeMessage } from '../codec/protobuf/descriptor.js';
import { decodeLogs } from './decode-logs.js';
import { mapLogsSteps } from './map-logs.js';

interface Source {
  readonly resource?: Record<string, unknown>;
  readonly scope?: object;
}

const SHOP: Source = {
  resource: { 'service.name': 'shop', ports: [80, 443] },
  scope: { name: 'openai-v2', version: '2.4', attributes: attributeList({ 'build.id': 7 }) },
};
const SHOP_FACTS = {
  resource: { 'service.name': 'shop', ports: [80, 443] },
  scope: { name: 'openai-v2', version: '2.4', attributes: { 'build.id': 7 } },
};
const message = (content: string, fields: JsonObject = {}) => ({
  timeUnixNano: '1700000000000000000',
  eventName: 'gen_ai.user.message',
  body: { stringValue: content },
  ...fields,
});

function requestOf(records: readonly object[], { resource = {}, scope = {} }: Source = SHOP) {
  return {
    resourceLogs: [
      { resource: { attributes: attributeList(resource) }, scopeLogs: [{ scope, logRecords: records }] },
    ],
  };
}

function bodyOf(records: readonly object[], encoding: 'json' | 'protobuf', source?: Source): Buffer {
  const withIds = (ids: object) =>
    requestOf(
      records.map((record) => ({ ...ids, ...record })),
      source,
    );
  if (encoding === 'json') return jsonBody(withIds({ traceId: TRACE_ID, spanId: SPAN_ID }));
  const ids = { traceId: Buffer.from(TRACE_ID, 'hex'), spanId: Buffer.from(SPAN_ID, 'hex') };
  return encodeMessage('ExportLogsServiceRequest', withIds(ids));
}

function mapBody(body: Buffer, encoding: 'json' | 'protobuf' = 'json') {
  return runSync(mapLogsSteps(decodeLogs(body, encoding), { projectId: PROJECT, receivedAt: 1 }));
}

function eventOf(records: readonly object[], source?: Source): Event {
  return mapBody(bodyOf(records, 'json', source)).events[0] as Event;
}

const ERROR = { severityNumber: 17, severityText: 'ERROR' };
const INFO = { severityNumber: 9, severityText: 'INFO' };

describe.each(['json', 'protobuf'] as const)('a log record in %s', (encoding) => {
  it('gives its event its severity, its resource and its scope', () => {
    expect(mapBody(bodyOf([message('hi', INFO)], encoding), encoding).events).toMatchObject([
      { metadata: { severity_number: 9, severity_text: 'INFO', otel: SHOP_FACTS } },
    ]);
  });

  it('without them gives none', () => {
    const { events } = mapBody(bodyOf([message('hi')], encoding, {}), encoding);
    expect(Object.keys(events[0]?.metadata ?? {}).sort()).toEqual(['log_content', 'span_id', 'trace_id']);
  });

  it('that is no message has its severity and its number of dropped attributes beside it', () => {
    const other = { ...message('a'), eventName: 'gen_ai.other', droppedAttributesCount: 2, ...ERROR };
    const { events } = mapBody(bodyOf([other, message('b', INFO)], encoding), encoding);
    expect(events).toMatchObject([
      {
        metadata: {
          severity_text: 'ERROR',
          log_events: [
            {
              name: 'gen_ai.other',
              severity_number: 17,
              severity_text: 'ERROR',
              dropped_attributes_count: 2,
            },
          ],
        },
      },
    ]);
  });
});

it('rejects the records of a scope alone when an attribute of it nests too deeply', () => {
  let deep: object = { stringValue: 'x' };
  for (let depth = 0; depth < 70; depth++) deep = { arrayValue: { values: [deep] } };
  const record = (content: string) => message(content, { traceId: TRACE_ID, spanId: SPAN_ID });
  const scopeLogs = [
    { scope: { name: 'bad', attributes: [{ key: 'deep', value: deep }] }, logRecords: [record('a')] },
    { scope: { name: 'good' }, logRecords: [record('b')] },
  ];
  const former = [{ instrumentationLibrary: { name: 'former' }, logRecords: [record('c')] }];
  const resourceLogs = [{ scopeLogs, instrumentationLibraryLogs: former }];
  const mapped = mapBody(jsonBody({ resourceLogs }));
  expect(mapped.rejected.count).toBe(1);
  expect(mapped.events).toMatchObject([
    {
      inputs: { chat_history: [{ content: 'b' }, { content: 'c' }] },
      metadata: {
        otel: { scope: { name: 'former' } },
        log_content: { hidden: { values: { 'otel.scope': [{ name: 'good' }] } } },
      },
    },
  ]);
});

describe('the severity of several log records of one span', () => {
  const records = [message('a', INFO), message('b', ERROR), message('c', { severityText: 'verbose' })];

  it('is the highest, in every order of arrival, and the others are kept', () => {
    const apart = records.map((record) => eventOf([record]));
    const merged = (events: readonly Event[]) => events.reduce((one, other) => mergeCreates(one, other));
    for (const event of [
      eventOf(records),
      merged(apart),
      merged(apart.reverse()),
      merged([...apart, ...apart]),
    ])
      expect(event.metadata).toMatchObject({
        severity_number: 17,
        severity_text: 'ERROR',
        log_content: { hidden: { severities: [INFO_FACTS, { severity_text: 'verbose' }] } },
      });
  });

  it('does not replace a severity that the span states', () => {
    const span = mapOne({ attributes: { severity_text: 'fine' } });
    for (const event of [mergeCreates(span, eventOf(records)), mergeCreates(eventOf(records), span)]) {
      expect(event.metadata['severity_text']).toBe('fine');
      expect(event.metadata).not.toHaveProperty('severity_number');
      expect(JSON.stringify(event.metadata)).toContain('"ERROR"');
    }
  });

  const INFO_FACTS = { severity_number: 9, severity_text: 'INFO' };
});

describe('resource and scope of a log record whose span arrives', () => {
  const log = eventOf([message('a', INFO)]);
  const spanOf = (resource: Record<string, unknown>) => mapSpans([{}], resource).events[0] as Event;
  const inBothOrders = (span: Event) => [mergeCreates(log, span), mergeCreates(span, log)];

  it('are those of the span, and the others are kept', () => {
    const span = spanOf({ 'service.name': 'other' });
    for (const event of inBothOrders(span)) {
      expect(event.metadata['otel']).toEqual(span.metadata['otel']);
      expect(event.metadata).toMatchObject({
        severity_text: 'INFO',
        log_content: {
          hidden: { values: { 'otel.resource': [SHOP_FACTS.resource], 'otel.scope': [SHOP_FACTS.scope] } },
        },
      });
    }
  });

  it('are not kept twice when they are equal', () => {
    const span = spanOf(SHOP_FACTS.resource);
    for (const event of inBothOrders(span)) {
      expect(event.metadata['otel']).toEqual(span.metadata['otel']);
      expect(JSON.stringify(event.metadata['log_content'])).not.toContain('otel.resource');
    }
  });

  it('fill what the span does not name', () => {
    const span = mapSpans([{}]).events[0] as Event;
    for (const event of inBothOrders(span))
      expect(event.metadata['otel']).toEqual({
        ...(span.metadata['otel'] as JsonObject),
        resource: SHOP_FACTS.resource,
      });
  });

  it('leave what an update has put into their place', () => {
    const updated = { ...log, metadata: { ...log.metadata, otel: 'mine' } };
    expect(mergeCreates(updated, eventOf([message('b')])).metadata['otel']).toBe('mine');
  });

  it('are bounded by what the request repeats', () => {
    const scope = { name: 'large', attributes: attributeList({ text: 'x'.repeat(1024 * 1024) }) };
    const records = Array.from({ length: 300 }, () => message('a'));
    expect(() => decodeLogs(bodyOf(records, 'json', { scope }), 'json')).toThrow('exceed 256 MiB');
  });
});

it.each([
  ['SEVERITY_NUMBER_ERROR2', 18],
  ['SEVERITY_NUMBER_TRACE', 1],
  ['FATAL4', 24],
  ['17', 17],
  [17.9, 17],
  [-1, undefined],
  ['loud', undefined],
  [null, undefined],
  [{}, undefined],
])('reads the severity number %j as %j', (severityNumber, number) => {
  const { metadata } = eventOf([message('a', { severityNumber })]);
  expect(metadata['severity_number']).toBe(number);
});
