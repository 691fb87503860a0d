import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { onFakeModel } from '../e2e/judge-journey.js';
import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import type { Stack } from '../harness/stack/stack.js';
import type { QuietRequest } from './quiet-load.js';
import { expectUndisturbed, usualRequests } from './quiet-project.js';
import { newProject } from './sources.js';

/** Templates that are expensive to render. */
const RENDERED = {
  'a word that is wrapped into 500,000 lines': '{{ ("😀" * 500000)|wordwrap(1)|length }}',
  'formats without an end': '{{ "%(" * 500000 % {} }}{{ ("{[" * 500000).format(1) }}',
  'a search from the end': '{{ ("a" * 500000).rfind("b" + "a" * 250000) }}',
  'a search in an event': '{{ inputs.text.rindex("b" + "a" * 9000) }}',
  'all steps of a rendering':
    '{% for a in range(9999) %}{% for b in range(9999) %}{{ a }}{% endfor %}{% endfor %}',
};
/** Templates that are expensive to parse. */
const PARSED = {
  'a chain of additions': `{{ ${'a+'.repeat(120_000)}a }}`,
  'named arguments': `{{ dict(${Array.from({ length: 22_000 }, (_, n) => `a${n}=1`).join()}) }}`,
  'lines without an end': `{{ ${'a\n+'.repeat(60_000)}a }}`,
  'as many tokens as there may be': '{{ a }}'.repeat(4_900),
};
/** Pause before a request is sent again: few of them stop a process that renders on its event loop. */
const PAUSE_MS = 500;
/** What an attack may get: success, a refusal of the template, a rejection of its project. */
const EXPECTED = [200, 400, 422, 503];

interface AttackRequest {
  readonly path: string;
  readonly body: object;
}

/** Asserts that templates of one project, which are as expensive as they can be, do not delay another one. */
export function describeExpensiveTemplates(
  title: string,
  start: (settings: Readonly<Record<string, string>>) => Promise<Stack>,
): void {
  describe(`a project beside one with expensive templates ${title}`, () => {
    const model = onFakeModel();
    const { stack } = onStack(() => start(model.environment()));

    it.each([
      ['that are rendered', () => Object.values(RENDERED).map(runRequest)],
      [
        'that are parsed',
        () => Object.values(PARSED).flatMap((criteria) => [runRequest(criteria), createRequest(criteria)]),
      ],
    ])(
      'is not delayed by templates %s',
      async (_what, requests) => {
        const statuses: Record<number, number> = {};
        const attacker = new Client(stack, await newProject(stack, `attacker ${randomUUID()}`));
        await expectUndisturbed(stack, () => attack(attacker, requests(), statuses), {
          requests: withPrompts,
        });
        process.stdout.write(`responses to the attack: ${JSON.stringify(statuses)}\n`);
        expect(Object.keys(statuses).filter((status) => !EXPECTED.includes(Number(status)))).toEqual([]);
        expect(statuses[422] ?? statuses[400]).toBeGreaterThan(0);
      },
      600_000,
    );
  });
}

/** Sends each of the requests up to twice a second. Resolves with what ends them. */
function attack(client: Client, requests: readonly AttackRequest[], statuses: Record<number, number>) {
  let isStopped = false;
  const send = async ({ path, body }: AttackRequest) => {
    while (!isStopped) {
      const { status } = await client.post(path, body);
      statuses[status] = (statuses[status] ?? 0) + 1;
      await pause(PAUSE_MS);
    }
  };
  const running = requests.map((request) => send(request));
  return Promise.resolve(async () => {
    isStopped = true;
    await Promise.all(running);
  });
}

const metricOf = (criteria: string) => ({
  ...{ name: `m ${randomUUID()}`, type: 'LLM', criteria },
  ...{ model_provider: 'openai', model_name: 'gpt-4o' },
});

function runRequest(criteria: string): AttackRequest {
  const event = { inputs: { text: 'a'.repeat(100_000) } };
  return { path: '/v1/metrics/run', body: { metric: metricOf(criteria), event } };
}

function createRequest(criteria: string): AttackRequest {
  return { path: '/v1/metrics', body: metricOf(criteria) };
}

/** The usual requests, and evaluations whose prompts are rendered. */
async function withPrompts(client: Client): Promise<QuietRequest[]> {
  const metric = metricOf('Rate {{ outputs.text|upper }}');
  const event = { outputs: { text: 'a short text' } };
  return [
    ...(await usualRequests(client)),
    { method: 'POST', path: '/v1/metrics/run', body: { metric, event } },
  ];
}
