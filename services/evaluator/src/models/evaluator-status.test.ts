import { makeEvaluatorStatus } from './evaluator-status.js';

const SETTINGS = {
  ...{ llmProxyUrl: 'http://127.0.0.1:1/v1', llmProxyApiKey: undefined, llmProxyCaFile: undefined },
  ...{ llmProxyTimeoutMs: 1_000, llmAllowedHosts: [], llmProvidersFile: undefined },
};
const UNTIL = '2026-11-01T00:00:00.000Z';

it.each([
  [[], 'available', null],
  [[{ provider: 'a', pausedUntil: 0 }], 'failing', null],
  [
    [
      { provider: 'a', pausedUntil: 0 },
      { provider: 'b', pausedUntil: Date.parse(UNTIL) },
    ],
    'paused',
    UNTIL,
  ],
])('reports the providers of the proxy together, %j as %s until %s', (failing, state, paused_until) => {
  const python = { state: { available: true as const, libraries: [] } };
  const status = makeEvaluatorStatus(SETTINGS, { python, failing: () => failing });
  expect(status().provider_states).toEqual([{ name: 'proxy', state, paused_until }]);
});
