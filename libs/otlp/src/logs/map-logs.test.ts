import { mergeCreates } from '@assay/domain';
import { runSync } from '@assay/runtime';
import { JsonLogsSerializer, ProtobufLogsSerializer } from '@opentelemetry/otlp-transformer';
import { CONVERSATION, encodedLogs, logRecord } from '../../test/log-records.js';
import { mapOne, PROJECT } from '../../test/map-one.js';
import { encodeSignalResponse } from '../codec/encode-response.js';
import { decodeLogs } from './decode-logs.js';
import { mapLogsSteps } from './map-logs.js';

function mapLogs(body: Buffer, encoding: 'json' | 'protobuf') {
  return runSync(mapLogsSteps(decodeLogs(body, encoding), { projectId: PROJECT, receivedAt: 1 }));
}

const history = [
  { role: 'system', content: 'be brief' },
  { role: 'user', content: 'why?' },
];

describe.each(['json', 'protobuf'] as const)('logs in %s', (encoding) => {
  const mapped = mapLogs(encodedLogs(CONVERSATION)[encoding], encoding);

  it('of GenAI become inputs and outputs of the event of their span', () => {
    expect(mapped.events).toMatchObject([
      {
        event_id: mapOne({}).event_id,
        event_type: 'model',
        inputs: { chat_history: history },
        outputs: { role: 'assistant', content: 'so', finish_reason: 'stop' },
        config: { provider: 'openai' },
        origin: 'synthesised',
      },
    ]);
    expect(mapped.sessions).toEqual([]);
  });

  it('of anything else, and of no span, are counted in the response', () => {
    const serializer = encoding === 'json' ? JsonLogsSerializer : ProtobufLogsSerializer;
    const { body, contentType } = encodeSignalResponse('logs', mapped.rejected, encoding);
    expect(contentType).toBe(encoding === 'json' ? 'application/json' : 'application/x-protobuf');
    const { partialSuccess } = serializer.deserializeResponse(body);
    expect(Number(partialSuccess?.rejectedLogRecords)).toBe(2);
    expect(partialSuccess?.errorMessage).toBe(
      'only gen_ai.* log events with a trace id and a span id are stored',
    );
  });

  it('fill what the span does not have, in either order of arrival', () => {
    const [log] = mapped.events;
    if (log === undefined) throw new Error('the logs gave no event');
    const span = mapOne({
      name: 'chat gpt-4o',
      attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o', 'user.id': 'u' },
    });
    for (const event of [mergeCreates(log, span), mergeCreates(span, log)])
      expect(event).toMatchObject({
        event_name: 'chat gpt-4o',
        start_time: span.start_time,
        end_time: span.end_time,
        inputs: { chat_history: history },
        outputs: { content: 'so' },
        config: { model: 'gpt-4o', provider: 'openai' },
        user_properties: { user_id: 'u' },
        origin: 'sent',
      });
  });

  it('with the details of an operation are read like its span event', () => {
    const details = logRecord({
      eventName: 'gen_ai.client.inference.operation.details',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'hi' }] }],
        'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'text', content: 'yo' }] }],
      },
    });
    expect(mapLogs(encodedLogs([details])[encoding], encoding).events).toMatchObject([
      { inputs: { chat_history: [{ role: 'user', content: 'hi' }] }, outputs: { content: 'yo' } },
    ]);
  });

  it('that are empty give no events', () => {
    expect(mapLogs(Buffer.alloc(0), encoding)).toMatchObject({ events: [], rejected: { count: 0 } });
  });
});

describe('a body that is not logs', () => {
  it.each([
    ['[]', 'the body must be a JSON object'],
    ['{', 'the body is not valid JSON'],
    ['{"resourceSpans":[]}', 'this address accepts logs, not resourceSpans'],
    ['{"resourceLogs":{}}', 'resourceLogs must be an array'],
  ])('%s is rejected', (body, message) => {
    expect(() => decodeLogs(Buffer.from(body), 'json')).toThrow(message);
  });

  it('is rejected when protobuf is truncated', () => {
    expect(() => decodeLogs(Buffer.from([10, 200]), 'protobuf')).toThrow('truncated or malformed protobuf');
  });
});
