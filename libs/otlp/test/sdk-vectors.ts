import { spanEventId } from '@assay/domain';
import { PROJECT } from './map-one.js';
import { SPAN_ID as A, TRACE_ID } from './otlp-request.js';
import { below, type Vector } from './vectors.js';

const B = 'aaaaaaaaaaaaaaaa';
const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const json = JSON.stringify;
const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const llmKind = { 'openinference.span.kind': 'LLM' };

export const sdkVectors: Vector[] = [
  [
    'V24 a decorated function',
    [
      {
        attributes: {
          'honeyhive_inputs.q': 'why',
          'honeyhive_outputs.result': 'so',
          'honeyhive_metrics.score': 0.9,
          honeyhive_source: 'prod',
        },
      },
    ],
    [{ inputs: { q: 'why' }, outputs: { result: 'so' }, metrics: { score: 0.9 }, source: 'prod' }],
  ],
  [
    'V25 a default type set by the SDK ranks below other evidence',
    [{ attributes: { honeyhive_event_type: 'tool', ...llmKind, 'llm.model_name': 'm' } }],
    [{ event_type: 'model' }],
  ],
  [
    'V27 dotted inputs are an attribute like any other',
    [{ attributes: { 'honeyhive.inputs.prompt': 'p' } }],
    [{ inputs: {}, metadata: { 'honeyhive.inputs.prompt': 'p' } }],
  ],
  [
    'V28 a generation with its cost',
    [
      {
        attributes: {
          'langfuse.observation.type': 'generation',
          'langfuse.observation.usage_details': '{"input":10,"output":4,"total":14}',
          'langfuse.observation.cost_details': '{"total":0.002}',
        },
      },
    ],
    [
      {
        event_type: 'model',
        metadata: { cost: 0.002, prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 },
      },
    ],
  ],
  [
    'V29 a plain observation with a model is a model',
    [{ attributes: { 'langfuse.observation.type': 'span', 'langfuse.observation.model.name': 'm' } }],
    [{ event_type: 'model', config: { model: 'm' } }],
  ],
  [
    'V30 tags separated by commas',
    [{ attributes: { 'langsmith.span.kind': 'LLM', 'langsmith.span.tags': 'a, b,,c' } }],
    [{ event_type: 'model', metadata: { tags: ['a', 'b', 'c'] } }],
  ],
  [
    'V31 events as one attribute',
    [
      {
        attributes: {
          'gen_ai.operation.name': 'chat',
          'logfire.msg': 'chat m',
          events: json([
            { 'event.name': 'gen_ai.system.message', content: 'be brief', role: 'system' },
            { 'event.name': 'gen_ai.user.message', content: 'hi', role: 'user' },
            { 'event.name': 'gen_ai.choice', index: 0, message: { role: 'assistant', content: 'hello' } },
          ]),
        },
      },
    ],
    [
      {
        inputs: { chat_history: [{ role: 'system', content: 'be brief' }, user('hi')] },
        outputs: assistant('hello'),
      },
    ],
    'pydantic-ai',
  ],
  [
    'V32 a span and its twin that is still running are one event',
    [
      {
        spanId: B,
        parentSpanId: A,
        attributes: { 'logfire.span_type': 'pending_span', 'logfire.pending_parent_id': '0000000000000000' },
      },
      { attributes: { 'logfire.span_type': 'span' } },
    ],
    [{ event_id: spanEventId(PROJECT, TRACE_ID, A) }],
  ],
  [
    'V33 blocks with tool uses and results',
    [
      {
        attributes: { 'gen_ai.system': 'strands-agents', 'gen_ai.operation.name': 'chat' },
        events: [
          { name: 'gen_ai.user.message', timeUnixNano: '1', attributes: { content: json([{ text: 'hi' }]) } },
          {
            name: 'gen_ai.assistant.message',
            timeUnixNano: '2',
            attributes: { content: json([{ toolUse: { toolUseId: 'c1', name: 'f', input: { a: 1 } } }]) },
          },
          {
            name: 'gen_ai.tool.message',
            timeUnixNano: '3',
            attributes: {
              content: json([
                { toolResult: { toolUseId: 'c1', status: 'success', content: [{ text: '12C' }] } },
              ]),
            },
          },
        ],
      },
    ],
    [
      {
        inputs: {
          chat_history: [
            user('hi'),
            { role: 'assistant', content: null, tool_calls: [{ id: 'c1', name: 'f', arguments: { a: 1 } }] },
            { role: 'tool', content: '12C', tool_call_id: 'c1' },
          ],
        },
      },
    ],
    'strands.telemetry.tracer',
  ],
  [
    'V34 a model call as one request and one response',
    [
      {
        name: 'call_llm',
        attributes: {
          'gcp.vertex.agent.llm_request': json({
            model: 'gemini',
            contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
          }),
          'gcp.vertex.agent.llm_response': json({
            content: { role: 'model', parts: [{ text: 'hello' }] },
            usage_metadata: { prompt_token_count: 10, candidates_token_count: 3, total_token_count: 13 },
          }),
        },
      },
    ],
    [
      {
        event_type: 'model',
        inputs: { chat_history: [user('hi')] },
        outputs: assistant('hello'),
        metadata: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 },
      },
    ],
    'gcp.vertex.agent',
  ],
  [
    'V35 counts without the cache get the cache added',
    [
      {
        name: 'claude_code.llm_request',
        attributes: {
          'span.type': 'llm_request',
          'session.id': UUID,
          model: 'claude-sonnet-4-5',
          input_tokens: 3,
          output_tokens: 40,
          cache_read_tokens: 12_000,
          cache_creation_tokens: 500,
        },
      },
    ],
    [{ event_type: 'model', metadata: { prompt_tokens: 12_503, total_tokens: 12_543 } }],
    'com.anthropic.claude_code',
  ],
  [
    'V36 a raw request below the model repeats its usage as a sum',
    [
      {
        name: 'litellm_request',
        attributes: { 'gen_ai.request.model': 'm', 'gen_ai.usage.input_tokens': 10 },
      },
      below(A, B, 'raw_gen_ai_request', { 'gen_ai.usage.input_tokens': 10 }),
    ],
    [
      { event_type: 'model', metadata: { prompt_tokens: 10 } },
      { event_type: 'chain', metadata: { aggregate_usage: { prompt_tokens: 10 } } },
    ],
    'litellm',
  ],
  [
    'V37 finish reasons as JSON text',
    [
      {
        attributes: { 'mastra.span.type': 'model_generation', 'gen_ai.response.finish_reasons': '["stop"]' },
      },
    ],
    [{ metadata: { finish_reasons: ['stop'] } }],
  ],
];
