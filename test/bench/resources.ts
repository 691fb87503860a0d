import { startEngines } from '../harness/engines/start-engines.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';
import { callAll, type Call, type Latency } from './call-all.js';
import { cpuSeconds } from './cpu-time.js';
import { type CreateAnswer, RESOURCE_KINDS, type ResourceKind } from './resource-kinds.js';

export interface ResourceFigures {
  readonly kind: string;
  readonly operation: string;
  /** One call after the other. */
  readonly alone: Latency;
  /** Eight calls under way. */
  readonly eight: Latency;
  /** Milliseconds of CPU of all services per call. */
  readonly cpu: number;
}

/** Documents of each kind when reading and changing begin: as many as a project may have of most. */
const DOCUMENTS = 10_000;
const CREATES = 300;
const READS = 500;
const LISTS = 100;
const CONCURRENCY = 8;
const FILLING = 64;

/** Each kind of documents in the single process. */
export async function* measureResources(): AsyncGenerator<ResourceFigures> {
  const stack = await startStandalone({ LOG_LEVEL: 'warn', FORWARD_EVENTS: 'false' });
  try {
    for (const kind of RESOURCE_KINDS) yield* measureKind(stack, kind);
  } finally {
    await stack.stop();
  }
}

/** The same over separate services, on MongoDB's protocol. */
export async function* measureResourcesOnEngines(): AsyncGenerator<ResourceFigures> {
  const stopEngines = await startEngines();
  try {
    const stack = await startSplit(enginesFromEnvironment());
    try {
      for (const kind of RESOURCE_KINDS) yield* measureKind(stack, kind);
    } finally {
      await stack.stop();
    }
  } finally {
    await stopEngines();
  }
}

async function* measureKind(stack: Stack, kind: ResourceKind): AsyncGenerator<ResourceFigures> {
  const creates = (from: number, count: number) =>
    Array.from({ length: count }, (_, index): Call => ({
      method: 'POST',
      path: kind.path,
      body: kind.body(from + index),
    }));
  const { responses } = await callAll<CreateAnswer>(stack, creates(0, DOCUMENTS - 2 * CREATES), FILLING);
  const ids = responses.map(kind.idIn);
  const some = (count: number, call: (id: string, index: number) => Call) =>
    Array.from({ length: count }, (_, n) => (n * 7_919) % ids.length).map((index) =>
      call(ids[index]!, index),
    );
  const measure = (operation: string, alone: Call[], eight = alone) =>
    measureCalls(stack, { kind: kind.name, operation, alone, eight });
  const { one, hundred } = kind;
  yield await measure(
    'create',
    creates(DOCUMENTS - 2 * CREATES, CREATES),
    creates(DOCUMENTS - CREATES, CREATES),
  );
  if (one)
    yield await measure(
      'get',
      some(READS, (id) => ({ method: 'GET', path: one(id) })),
    );
  if (hundred)
    yield await measure(
      'list of 100',
      Array.from({ length: LISTS }, () => ({ method: 'GET', path: hundred })),
    );
  yield await measure(
    'update',
    some(CREATES, (id, index) => ({ method: 'PUT', path: `${kind.path}/${id}`, body: kind.update(index) })),
  );
}

/** The same work one after the other, then eight at a time. */
async function measureCalls(
  stack: Stack,
  { kind, operation, alone, eight }: { kind: string; operation: string; alone: Call[]; eight: Call[] },
): Promise<ResourceFigures> {
  const used = () => stack.services.reduce((sum, name) => sum + cpuSeconds(stack.pid(name)), 0);
  const before = used();
  const [{ latency: first }, { latency: second }] = [
    await callAll(stack, alone, 1),
    await callAll(stack, eight, CONCURRENCY),
  ];
  return {
    kind,
    operation,
    alone: first,
    eight: second,
    cpu: ((used() - before) * 1_000) / (alone.length + eight.length),
  };
}
