import { parseArgs } from 'node:util';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { rowsWithoutPayloadOfStandalone } from './rows-without-payload.js';
import type { Violation } from './judge-history.js';
import { servicesOf, surviveKills, type KillReport } from './survive-kills.js';

const KILLS = 5;
const USAGE =
  'test:chaos [--seconds N] [--seed S]: kills, stops and freezes the single process under load, in rounds, for N seconds';

interface Arguments {
  /** A round that has begun ends; at least one begins. */
  readonly seconds: number;
  /** Of the first round; each has the next one. */
  readonly seed: number;
}

/** @throws TypeError for an unknown option, or one that is no whole number above 0 */
function readArguments(args: readonly string[]): Arguments {
  const options = { seconds: { type: 'string' }, seed: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const numberOf = (name: 'seconds' | 'seed', otherwise: number) => {
    const text = values[name] ?? String(otherwise);
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new TypeError(`--${name} has to be a whole number above 0`);
    return Number(text);
  };
  return { seconds: numberOf('seconds', 60), seed: numberOf('seed', 1 + (Date.now() % 100_000)) };
}

/** Sums of the rounds so far. */
class Totals {
  private readonly sums = { requests: 0, events: 0, kill: 0, stop: 0, freeze: 0 };
  private readonly violations: Violation[] = [];

  add(report: KillReport): void {
    this.sums.requests += report.acknowledged;
    this.sums.events += report.visible;
    for (const fault of ['kill', 'stop', 'freeze'] as const) this.sums[fault] += report.faults[fault];
    this.violations.push(...report.violations);
  }

  /** The last line of the run. */
  get line(): string {
    const { requests, events, kill, stop, freeze } = this.sums;
    const [lost, duplicated, restored] = (['lost', 'duplicate', 'resurrected'] as const).map(
      (word) => this.violations.filter(({ kind }) => kind.startsWith(word)).length,
    );
    const done = `${requests} requests, ${events} events, ${kill} kills, ${stop} stops, ${freeze} freezes`;
    const found = `lost ${lost}, duplicated ${duplicated}, restored ${restored}`;
    return `${done}: ${found}, violations ${this.violations.length}`;
  }
}

/** Kills one stack in rounds. Returns whether nothing was lost, doubled or restored; its folder stays when something was. */
async function runRounds({ seconds, seed }: Arguments): Promise<boolean> {
  const stack = await startStandalone();
  const end = performance.now() + seconds * 1_000;
  const totals = new Totals();
  let rounds = 0;
  do {
    const plan = {
      seed: seed + rounds,
      kills: KILLS,
      requestsBetweenKills: [5, 65],
      acknowledged: 0,
    } as const;
    const report = await surviveKills(stack, { ...plan, victims: servicesOf(stack) });
    const { acknowledged, visible, violations } = report;
    totals.add(report);
    rounds++;
    const found = `${acknowledged} requests acknowledged, ${visible} events found`;
    print(`round ${rounds}, seed ${plan.seed}: ${found}, ${violations.length} violations`);
    if (violations.length > 0) {
      print(`${JSON.stringify(violations.slice(0, 10), null, 2)}\nfolder: ${stack.dir}\n${totals.line}`);
      return false;
    }
  } while (performance.now() < end);
  const { length: incomplete } = await rowsWithoutPayloadOfStandalone(stack);
  print(`${totals.line}, incomplete rows ${incomplete}`);
  await stack.start('standalone');
  return (await stack.stop()) && incomplete === 0;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
  let args;
  try {
    args = readArguments(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}\n`);
    process.exit(2);
  }
  process.exit((await runRounds(args)) ? 0 : 1);
}

void main();
