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
  readonly seed: number;
  readonly kills: number;
  /** Acknowledged requests between two kills, at least and at most. */
  readonly requestsBetweenKills: readonly [number, number];
  /** Acknowledged requests before the load stops. */
  readonly acknowledged: number;
  /** Processes that may be killed or stopped. */
  readonly victims: readonly Victim[];
}

export interface Victim {
  readonly name: string;
  kill(): Promise<void>;
  restart(): Promise<void>;
}

export interface KillReport {
  readonly operations: number;
  readonly acknowledged: number;
  readonly visible: number;
  readonly violations: readonly Violation[];
}

const CLIENTS = 8;
const READ_BACK_WITHIN_MS = 180_000;
/** Only a stack that has stopped acknowledging takes so long. */
const ACKNOWLEDGE_WITHIN_MS = 180_000;

/** The services of a stack as victims, each once killed and once stopped, which must end cleanly under load. */
export function servicesOf(stack: Stack): Victim[] {
  const stop = async (name: string) => {
    const code = await stack.terminate(name);
    if (code !== 0) throw new Error(`${name} was stopped and exited with ${code}`);
  };
  return stack.services.flatMap((name) => {
    const restart = () => stack.start(name);
    return [
      { name, kill: () => stack.kill(name), restart },
      { name: `${name}, stopped`, kill: () => stop(name), restart },
    ];
  });
}

/** Kills random parts of a stack under load, restarts them, and compares what is left with what was acknowledged. */
export async function surviveKills(stack: Stack, plan: KillPlan): Promise<KillReport> {
  const random = seeded(plan.seed);
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
      await acknowledged(load.acknowledged + Math.floor(fewest + random() * (most - fewest)));
      const victim = plan.victims[Math.floor(random() * plan.victims.length)]!;
      await victim.kill();
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
    violations,
  };
}
