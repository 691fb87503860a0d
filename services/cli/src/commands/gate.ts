import { writeFileSync } from 'node:fs';
import { InvalidArgumentError, type Command } from 'commander';
import { CliError } from '../cli-error.js';
import type { GateResponse } from '../gate-response.js';
import { gateToJunit } from '../junit.js';
import { table } from '../output.js';
import type { CommandContext } from './command-context.js';

interface GateOptions {
  readonly against: string;
  readonly metric: readonly string[];
  readonly wait: number;
  readonly maxRegression?: number;
  readonly maxMissing?: number;
  readonly maxErrors?: number;
  readonly minPairs?: number;
  readonly junit?: string;
}

/** Undecided, and every error: a pipeline must not take either for a pass. */
const EXIT_UNDECIDED = 2;
const EXIT_CODES = { pass: 0, fail: 1, undecided: EXIT_UNDECIDED } as const;
/** A server accepts no longer preference; a longer wait is several requests. */
const MAX_WAIT_SECONDS = 30;
const MAX_TOTAL_WAIT_SECONDS = 86_400;

export function addGate(program: Command, context: CommandContext): void {
  program
    .command('gate <new-run>')
    .description(
      'decides whether a run may replace an older one: exit code 0 pass, 1 fail, 2 undecided or error (needs ASSAY_API_KEY)',
    )
    .requiredOption('--against <run>', 'id of the older run')
    .option('--metric <name>', 'only this metric; repeatable', collect, [])
    .option('--wait <seconds>', 'how long to wait for evaluators', toNumber(0, MAX_TOTAL_WAIT_SECONDS), 0)
    .option('--max-regression <loss>', 'largest accepted loss, in the unit of the metric', toNumber(0))
    .option('--max-missing <n>', 'datapoints that may lack scores, 0 by default', toCount)
    .option('--max-errors <n>', 'datapoints that may end with an error, 0 by default', toCount)
    .option('--min-pairs <n>', 'datapoints below which a metric is undecided, 10 by default', toCount)
    .option('--junit <file>', 'writes the outcome as JUnit XML, too')
    .action(async (newRun: string, options: GateOptions) => {
      try {
        await runGate(context, newRun, options);
      } catch (error) {
        const message =
          error instanceof CliError ? error.message : 'the gate failed for an unexpected reason';
        throw new CliError(message, EXIT_UNDECIDED);
      }
    });
}

async function runGate({ api, output, exitWith }: CommandContext, newRun: string, options: GateOptions) {
  const started = Date.now();
  const leftSeconds = () => Math.max(0, options.wait - Math.floor((Date.now() - started) / 1_000));
  const client = api();
  const ask = () =>
    client.call<GateResponse>({
      method: 'POST',
      path: `/v1/runs/${encodeURIComponent(newRun)}/gate`,
      body: requestOf(options),
      waitSeconds: options.wait === 0 ? undefined : Math.min(MAX_WAIT_SECONDS, Math.max(1, leftSeconds())),
      as: 'project',
    });
  let gate = await ask();
  while (gate.freshness !== 'current' && leftSeconds() > 0) {
    output.progress(`${gate.freshness}: ${gate.pending} evaluations are pending, ${leftSeconds()} s left`);
    gate = await ask();
  }
  if (!(gate.outcome in EXIT_CODES))
    throw new CliError('the server did not respond as Assay does, check the address');
  if (options.junit !== undefined) writeReport(options.junit, gateToJunit(gate, { newRun, ...options }));
  output.result(gate, () => linesOf(gate));
  exitWith(EXIT_CODES[gate.outcome]);
}

function requestOf({ against, metric, maxRegression, maxMissing, maxErrors, minPairs }: GateOptions) {
  return {
    against,
    ...(metric.length > 0 && { metrics: [...metric] }),
    ...(maxRegression !== undefined && { max_regression: maxRegression }),
    ...(maxMissing !== undefined && { max_missing: maxMissing }),
    ...(maxErrors !== undefined && { max_errors: maxErrors }),
    ...(minPairs !== undefined && { min_pairs: minPairs }),
  };
}

function linesOf({ outcome, reasons, pending, freshness, warnings }: GateResponse): string[] {
  const rows = reasons.map((reason) => [
    reason.outcome,
    reason.metric_name ?? '(run)',
    reason.event_name,
    reason.paired,
    reason.missing,
    reason.errors,
    reason.loss === undefined ? undefined : rounded(reason.loss),
    reason.reason,
  ]);
  const waiting =
    freshness === 'current' ? [] : [`not complete: ${freshness}, ${pending} evaluations are pending`];
  const head = ['OUTCOME', 'METRIC', 'EVENTS', 'PAIRED', 'MISSING', 'ERRORS', 'LOSS', 'REASON'];
  // A product of an earlier release has none.
  const warned = (warnings ?? []).map((warning) => `warning: ${warning}`);
  return [`gate: ${outcome}`, ...waiting, ...warned, '', ...table(head, rows)];
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function writeReport(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch {
    throw new CliError('the file of --junit cannot be written');
  }
}

function collect(name: string, names: readonly string[]): string[] {
  return [...names, name];
}

function toNumber(minimum: number, maximum = Infinity) {
  return (text: string): number => {
    const value = text.trim() === '' ? NaN : Number(text);
    if (!Number.isFinite(value) || value < minimum || value > maximum)
      throw new InvalidArgumentError(
        `must be a number from ${minimum}${maximum === Infinity ? '' : ` to ${maximum}`}.`,
      );
    return value;
  };
}

function toCount(text: string): number {
  const value = toNumber(0, 1_000_000)(text);
  if (!Number.isInteger(value)) throw new InvalidArgumentError('must be a whole number.');
  return value;
}
