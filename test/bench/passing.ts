import { startEngines } from '../harness/engines/start-engines.js';
import { Client } from '../harness/stack/client.js';
import { CONTROL_PLANE_TOKEN, enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import type { Stack } from '../harness/stack/stack.js';
import { callAll, type Call, type Latency, type Target } from './call-all.js';
import { type CreateAnswer, RESOURCE_KINDS } from './resource-kinds.js';

export interface PassingFigures {
  readonly operation: string;
  /** Straight to the control plane, with the headers that the data plane sends. */
  readonly direct: Latency;
  /** Through the data plane. */
  readonly through: Latency;
}

const DOCUMENTS = 1_000;
/** Direct and through take turns in rounds, so that both see the same neighbours. */
const ROUNDS = 20;
const CALLS_PER_ROUND = 25;

/** The same requests to the control plane straight and through the data plane, one after the other, on separate services. */
export async function* measurePassing(): AsyncGenerator<PassingFigures> {
  const stopEngines = await startEngines();
  try {
    const stack = await startSplit(enginesFromEnvironment());
    try {
      yield* measureStack(stack);
    } finally {
      await stack.stop();
    }
  } finally {
    await stopEngines();
  }
}

async function* measureStack(stack: Stack): AsyncGenerator<PassingFigures> {
  const datapoints = RESOURCE_KINDS[0]!;
  const create = (index: number): Call => ({
    method: 'POST',
    path: datapoints.path,
    body: datapoints.body(index),
  });
  const { responses } = await callAll<CreateAnswer>(
    stack,
    Array.from({ length: DOCUMENTS }, (_, index) => create(index)),
    8,
  );
  const ids = responses.map(datapoints.idIn);
  const idAt = (index: number) => ids[(index * 7_919) % ids.length]!;
  const direct = await asDataPlane(stack);
  const calls: Readonly<Record<string, (index: number) => Call>> = {
    get: (index) => ({ method: 'GET', path: `/v1/datapoints/${idAt(index)}` }),
    'list of 100': (index) => ({ method: 'GET', path: `/v1/datapoints?limit=100&page=${1 + (index % 10)}` }),
    create,
    update: (index) => ({
      method: 'PUT',
      path: `/v1/datapoints/${idAt(index)}`,
      body: datapoints.update(index),
    }),
  };
  for (const [operation, call] of Object.entries(calls)) {
    const rounds: { direct: Latency[]; through: Latency[] } = { direct: [], through: [] };
    for (let round = -1; round < ROUNDS; round++) {
      const ofRound = Array.from({ length: CALLS_PER_ROUND }, (_, index) => call(index));
      const [first, second] = [await callAll(direct, ofRound, 1), await callAll(stack, ofRound, 1)];
      if (round < 0) continue;
      rounds.direct.push(first.latency);
      rounds.through.push(second.latency);
    }
    yield { operation, direct: middle(rounds.direct), through: middle(rounds.through) };
  }
}

/** Middle of the rounds: a round in which a neighbour was busy does not count. */
function middle(rounds: readonly Latency[]): Latency {
  const half = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
  return { p50: half(rounds.map(({ p50 }) => p50)), p99: half(rounds.map(({ p99 }) => p99)) };
}

/** The control plane, asked as the data plane asks it on behalf of the first key. */
async function asDataPlane(stack: Stack): Promise<Target> {
  const response = await new Client(stack).call('GET', '/v1/projects');
  const [project] = response.json<{ id: string; name: string }[]>();
  const principal = { projectId: project!.id, projectName: project!.name, keyId: 'bench', scope: 'project' };
  return {
    baseUrl: stack.urlOf('control-plane'),
    headers: {
      'assay-internal-token': CONTROL_PLANE_TOKEN,
      'assay-principal': encodeURIComponent(JSON.stringify(principal)),
    },
  };
}
