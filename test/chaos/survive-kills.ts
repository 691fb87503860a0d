import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@assay/testing';
import { seeded } from '../bench/prose.js';
import { Client } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';
import { History } from './history.js';
import { judgeHistory, type Violation } from './judge-history.js';
import { startLoad } from './load.js';
import { SERVER_FIELDS, readBack } from './read-back.js';

/** Counted in work done and not in time, so that it means the same on a slow machine. */
export interface KillPlan {
  /** Decides which victims get which fault, in which order; their moments depend on the load. */
  readonly seed: number;
  readonly kills: number;
  /** Acknowledged requests between two kills, at least and at most. */
  readonly requestsBetweenKills: readonly [number, number];
  /** Acknowledged requests before the load stops. */
  readonly acknowledged: number;
  /** Processes that may be killed or stopped. */
  readonly victims: readonly Victim[];
}

export type Fault = 'kill' | 'stop' | 'freeze';

export interface Victim {
  readonly name: string;
  readonly fault: Fault;
  /** Resolves when the process has ended, or runs again after it was frozen. */
  kill(random: () => number): Promise<void>;
  restart(): Promise<void>;
}

export interface KillReport {
  readonly operations: number;
  readonly acknowledged: number;
  readonly visible: number;
  readonly faults: Readonly<Record<Fault, number>>;
  readonly violations: readonly Violation[];
}

const CLIENTS = 8;
/** Shorter than the session of a Kafka consumer. */
const MAX_FROZEN_MS = 2_000;
const READ_BACK_WITHIN_MS = 180_000;
/** The requests in progress decide how many numbers the load takes from its own. */
const FAULTS_SEED = 1_000_003;
/** Only a stack that has stopped acknowledging takes so long. */
const ACKNOWLEDGE_WITHIN_MS = 180_000;

/** The services of a stack as victims, each once killed, once stopped, which must end cleanly under load, and once frozen. */
export function servicesOf(stack: Stack): Victim[] {
  const stop = async (name: string) => {
    const code = await stack.terminate(name);
    if (code !== 0) throw new Error(`${name} was stopped and exited with ${code}`);
  };
  const freeze = async (name: string, random: () => number) => {
    const pid = stack.pid(name);
    process.kill(pid, 'SIGSTOP');
    await delay(random() * MAX_FROZEN_MS);
    process.kill(pid, 'SIGCONT');
  };
  return stack.services.flatMap((name): Victim[] => {
    const restart = () => stack.start(name);
    return [
      { name, fault: 'kill', kill: () => stack.kill(name), restart },
      { name, fault: 'stop', kill: () => stop(name), restart },
      { name, fault: 'freeze', kill: (random) => freeze(name, random), restart: () => Promise.resolve() },
    ];
  });
}

/** Kills random parts of a stack under load, restarts them, and compares what is left with what was acknowledged. */
export async function surviveKills(stack: Stack, plan: KillPlan): Promise<KillReport> {
  const [random, randomFaults] = [seeded(plan.seed), seeded(plan.seed + FAULTS_SEED)];
  const victims = inRandomOrder(plan.victims, randomFaults);
  const faults = { kill: 0, stop: 0, freeze: 0 };
  const client = new Client(stack);
  const [project] = (await client.call('GET', '/v1/projects')).json<{ id: string }[]>();
  const run = `run-${plan.seed}-${Date.now()}`;
  const history = new History(() => performance.now());
  const load = startLoad({ client, history, run, projectId: project!.id, random, clients: CLIENTS });
  const acknowledged = (count: number) =>
    waitFor(`${count} requests are acknowledged`, () => load.acknowledged >= count, {
      withinMs: ACKNOWLEDGE_WITHIN_MS,
    });
  const [fewest, most] = plan.requestsBetweenKills;
  try {
    for (let kill = 0; kill < plan.kills; kill++) {
      await acknowledged(load.acknowledged + Math.floor(fewest + randomFaults() * (most - fewest)));
      const victim = victims.next().value;
      faults[victim.fault]++;
      await victim.kill(randomFaults);
      await victim.restart();
    }
    await acknowledged(Math.max(plan.acknowledged, load.acknowledged + most));
  } finally {
    // Also when a victim does not restart: a load without an end keeps the test process alive.
    await load.stop();
  }
  const observed = await readBack(client, run, READ_BACK_WITHIN_MS);
  const violations = judgeHistory(history.operations, observed, SERVER_FIELDS);
  return {
    operations: history.operations.length,
    acknowledged: load.acknowledged,
    visible: observed.length,
    faults,
    violations,
  };
}

/** Returns victims without an end, each once before one is repeated. */
function* inRandomOrder(victims: readonly Victim[], random: () => number): Generator<Victim, never> {
  for (;;) {
    const left = [...victims];
    while (left.length > 0) yield* left.splice(Math.floor(random() * left.length), 1);
  }
}
