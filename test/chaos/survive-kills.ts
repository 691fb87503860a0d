import { Client } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';
import { seeded } from '../bench/prose.js';
import { History } from './history.js';
import { judgeHistory, type Violation } from './judge-history.js';
import { startLoad } from './load.js';
import { SERVER_FIELDS, readBack } from './read-back.js';

export interface KillPlan {
  readonly seed: number;
  readonly kills: number;
  /** Milliseconds of load between two kills, at the least and at the most. */
  readonly pauseMs: readonly [number, number];
  /** What may be killed, by name; each one knows how it comes back. */
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
const READ_BACK_WITHIN_MS = 60_000;

/** Services of a stack as victims. */
export function servicesOf(stack: Stack): Victim[] {
  return stack.services.map((name) => ({
    name,
    kill: () => stack.kill(name),
    restart: () => stack.start(name),
  }));
}

/** Puts load on a stack, kills its parts at random moments, starts them again, and judges what is left against what was acknowledged. */
export async function surviveKills(stack: Stack, plan: KillPlan): Promise<KillReport> {
  const random = seeded(plan.seed);
  const client = new Client(stack);
  const [project] = (await client.call('GET', '/v1/projects')).json<{ id: string }[]>();
  const run = `run-${plan.seed}-${Date.now()}`;
  const history = new History(() => performance.now());
  const load = startLoad({ client, history, run, projectId: project!.id, random, clients: CLIENTS });
  for (let kill = 0; kill < plan.kills; kill++) {
    await pause(plan.pauseMs[0] + random() * (plan.pauseMs[1] - plan.pauseMs[0]));
    const victim = plan.victims[Math.floor(random() * plan.victims.length)]!;
    await victim.kill();
    await victim.restart();
  }
  await pause(plan.pauseMs[1]);
  await load.stop();
  const observed = await readBack(client, run, READ_BACK_WITHIN_MS);
  const violations = judgeHistory(history.operations, observed, SERVER_FIELDS);
  return {
    operations: history.operations.length,
    acknowledged: load.acknowledged,
    visible: observed.length,
    violations,
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms));
}
