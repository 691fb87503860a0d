import { env as environment } from 'node:process';
import { mergeCreates, type Event, type JsonValue } from '@assay/domain';
import { runSync } from '@assay/runtime';
import { resourceFromAttributes } from '@opentelemetry/resources';
import fc from 'fast-check';
import { leavesOfRecord, lostLeaves, type SentRecord } from '../../test/conservation.js';
import { encodedLogs, logRecord } from '../../test/log-records.js';
import { mapSpans, PROJECT } from '../../test/map-one.js';
import { SPAN_ID, TRACE_ID, type SpanInput } from '../../test/otlp-request.js';
import { randomSpan } from '../../test/random-span.js';
import { decodeLogs } from './decode-logs.js';
import { mapLogsSteps } from './map-logs.js';

const seed = Number(environment.SEED ?? Date.now() % 1_000_000_007);
const NAMES = [
  'gen_ai.user.message',
  'gen_ai.assistant.message',
  'gen_ai.tool.message',
  'gen_ai.choice',
  'gen_ai.client.inference.operation.details',
  'gen_ai.client.operation.exception',
  'gen_ai.evaluation.result',
  'gen_ai.other',
  'gen_ai.execute_tool.exception',
  'exception',
];

interface RandomRecord extends SentRecord {
  readonly eventName: string;
}

/** Resources, scopes and severities that records of one span may share. */
const SOURCES = [0, 1, 2].map((index) => ({
  resource: { 'service.name': `shop${index}`, 'host.name': 'host', tier: { rank: 800_001 + index } },
  scope: { name: `scope${index}`, version: `v${index}` },
}));
const SEVERITIES = [
  {},
  { severityNumber: 9, severityText: 'INFO' },
  { severityNumber: 17, severityText: 'ERROR' },
  { severityNumber: 17, severityText: 'SEVERE' },
  { severityText: 'notice' },
];

/** Records of log events whose bodies and attributes are those of random spans and of their events. */
const randomRecord: fc.Arbitrary<RandomRecord> = fc
  .record({
    span: randomSpan,
    name: fc.constantFrom(...NAMES),
    body: fc.constantFrom('none', 'text', 'object'),
    source: fc.constantFrom(...SOURCES),
    severity: fc.constantFrom(...SEVERITIES),
  })
  .map(({ span, name, body, source, severity }) => {
    const [event] = span.events ?? [];
    const attributes = { ...span.attributes };
    const bodies = { none: null, text: 'canary of the body', object: (event?.attributes ?? {}) as JsonValue };
    return { eventName: name, body: bodies[body], attributes, ...source, ...severity };
  });

function eventsOf(records: readonly RandomRecord[], encoding: 'json' | 'protobuf'): Event[] {
  const sent = records.map(({ scope, resource, ...record }, index) =>
    logRecord({
      ...record,
      resource: resourceFromAttributes(resource as Parameters<typeof resourceFromAttributes>[0]),
      instrumentationScope: scope,
      hrTime: [1_700_000_000, index],
    } as Parameters<typeof logRecord>[0]),
  );
  const decoded = decodeLogs(encodedLogs(sent)[encoding], encoding);
  return runSync(mapLogsSteps(decoded, { projectId: PROJECT, receivedAt: 1 })).events;
}

const merged = ([first, ...others]: readonly Event[]): Event =>
  others.reduce((event, other) => mergeCreates(event, other), first as Event);

describe(`nothing that log events carry is lost (SEED=${seed})`, () => {
  const record = fc.array(randomRecord, { minLength: 1, maxLength: 3 });

  it.each(['json', 'protobuf'] as const)('without their span, in %s', (encoding) => {
    fc.assert(
      fc.property(record, (records) => {
        const events = eventsOf(records, encoding);
        expect(lostLeaves(records.flatMap(leavesOfRecord), { ...mapSpans([{}]), events })).toEqual([]);
      }),
      { seed, numRuns: 200 },
    );
  });

  it('before and after their span, in one request and in several', () => {
    fc.assert(
      fc.property(record, randomSpan, (records, span: SpanInput) => {
        const own = mapSpans([{ ...span, spanId: SPAN_ID, traceId: TRACE_ID }]);
        const together = eventsOf(records, 'protobuf');
        const apart = records.flatMap((one) => eventsOf([one], 'json'));
        for (const logs of [together, apart])
          for (const all of [
            [...logs, ...own.events],
            [...own.events, ...logs],
          ])
            expect(lostLeaves(records.flatMap(leavesOfRecord), { ...own, events: [merged(all)] })).toEqual(
              [],
            );
      }),
      { seed, numRuns: 100 },
    );
  });
});
