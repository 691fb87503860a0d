import { conversationContract, type ConversationClient } from './expectations/conversation-contract.js';
import { clientProgram, pythonWith, type PythonPackages } from './packages/client-packages.js';

const DETAILS = { cache_read_input_tokens: 1024, reasoning_tokens: 16 };
const texts = { input: ['first text', 'second text'] };
const program =
  (instrumentation: string, packages: PythonPackages = 'instrumentations') =>
  async () => ({
    file: await pythonWith(packages),
    args: [clientProgram('python/send_conversation.py'), instrumentation],
  });

const clients: ConversationClient[] = [
  {
    name: 'OpenInference',
    program: program('openinference'),
    model: 'gpt-4o-2026-08-06',
    finishOfToolCall: 'tool_calls',
    moreTokens: DETAILS,
    countsStreams: true,
    tellsTools: true,
    embeddings: {
      inputs: texts,
      outputs: { embeddings: [[0.125, -0.25, 0.5], expect.anything()] },
      promptTokens: 8,
    },
    tellsFailures: true,
  },
  {
    name: 'OpenLLMetry',
    program: program('openllmetry'),
    model: 'gpt-4o',
    finishOfToolCall: 'tool_call',
    moreTokens: DETAILS,
    countsStreams: true,
    tellsTools: true,
    embeddings: { inputs: texts, outputs: {}, promptTokens: 8 },
    tellsFailures: true,
  },
  {
    name: "OpenTelemetry's own instrumentation of 2026",
    program: program('genai'),
    model: 'gpt-4o',
    finishOfToolCall: 'tool_call',
    moreTokens: DETAILS,
    countsStreams: true,
    tellsTools: true,
    embeddings: { inputs: {}, outputs: {}, promptTokens: 8 },
    tellsFailures: true,
  },
  {
    name: "OpenTelemetry's own instrumentation of 2025",
    program: program('openai-v2', 'agents'),
    model: 'gpt-4o',
    finishOfToolCall: 'tool_calls',
    moreTokens: {},
    countsStreams: true,
    tellsTools: false,
    embeddings: { inputs: {}, outputs: {}, promptTokens: 8 },
    tellsFailures: true,
  },
];

describe.each(clients)("OpenAI's Python client with $name", (client) => conversationContract(client));
