import type { Library } from './library.js';

/** Libraries of Node whose programs are in `node`. */
export const NODE_LIBRARIES: readonly Library[] = [
  {
    packages: ['@arizeai/openinference-instrumentation-langchain'],
    program: ['langchain-agent.cjs'],
    model: 'gpt-4o',
    provider: 'openai',
    tokens: { prompt_tokens: 1234, completion_tokens: 57, total_tokens: 1291, cache_read_input_tokens: 1024 },
    finish: { ofCall: 'tool_calls', ofFinal: 'stop' },
    instructions: 'Be brief.',
    finalText: 'It is 12 degrees in Oslo.',
    tool: { inputs: { value: 'Oslo' }, outputs: expect.anything() as object },
  },
];
