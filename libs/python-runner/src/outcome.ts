import { constants } from 'node:os';
import { cleanString, isJsonObject, type JsonValue } from '@assay/domain';
import { lastResortMs, type Frame } from './frames.js';
import type {
  PythonCall,
  PythonError,
  PythonErrorCode,
  PythonFailure,
  PythonOutcome,
  PythonValue,
} from './python-runner.js';

type Rules = Pick<PythonCall, 'returnType' | 'categories' | 'timeoutMs'>;

const COMPILED = 'C'.charCodeAt(0);
const MAX_MESSAGE = 2_000;
const MAX_EXPLANATION = 10_000;
const MAX_TEXT = 100_000;
/** What a metric may report about itself. Others would say something about the runner. */
const REPORTED: readonly PythonErrorCode[] = ['compilation_error', 'execution_error', 'unprocessable'];

/** Returns the outcome of a call. Trusts nothing in the frame that the metric could have written. */
export function outcomeOf(frame: Frame, rules: Rules): PythonOutcome {
  const details = { stdout: cleanString(frame.output.toString('utf8')), durationMs: frame.durationMs };
  const fail = (code: PythonErrorCode, message: string): PythonFailure => ({
    ok: false,
    error: { code, message },
    ...details,
  });
  if (frame.kind === 'timeout') return fail('timeout', `stopped after ${rules.timeoutMs} ms`);
  if (frame.kind === 'stalled')
    return fail('timeout', `stopped twice after ${lastResortMs(rules.timeoutMs)} ms`);
  if (frame.kind === 'busy')
    return fail('machine_busy', `no core was free for the metric within ${lastResortMs(rules.timeoutMs)} ms`);
  if (frame.kind === 'output') return fail('execution_error', 'the metric printed more than 1 MiB');
  if (frame.kind !== 'ended') return fail('unavailable', 'the process of the metric could not be started');
  const hasCompiled = frame.outcome[0] === COMPILED;
  const json = frame.outcome.subarray(5).toString('utf8');
  if (json === '') {
    const code = hasCompiled ? 'execution_error' : 'compilation_error';
    return fail(code, `the process ended without a result (${describeStatus(frame.status)})`);
  }
  const reported = parse(json);
  if (!isJsonObject(reported)) return fail('execution_error', 'the metric wrote a malformed result');
  const error = reported.ok === false ? errorIn(reported.error) : undefined;
  if (error) return { ok: false, error, ...details };
  const value = valueIn(reported.value, rules);
  if (reported.ok !== true || value === undefined)
    return fail('execution_error', `the metric wrote a result that is not of type ${rules.returnType}`);
  const explanation = textIn(reported.explanation, MAX_EXPLANATION);
  return { ok: true, value, ...(explanation !== undefined && { explanation }), ...details };
}

/** Returns an outcome of a call that was not evaluated. */
export function notEvaluated(
  code: 'machine_busy' | 'timeout' | 'unavailable' | 'unprocessable',
  message: string,
): PythonFailure {
  return { ok: false, error: { code, message }, stdout: '', durationMs: 0 };
}

function valueIn(value: JsonValue | undefined, { returnType, categories }: Rules): PythonValue | undefined {
  if (returnType === 'float') return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  if (returnType === 'boolean') return typeof value === 'boolean' ? value : undefined;
  if (typeof value !== 'string' || value.length > 2 * MAX_TEXT) return undefined;
  const isKnown = returnType === 'string' || !categories?.length || categories.includes(value);
  return isKnown ? cleanString(value) : undefined;
}

function errorIn(error: JsonValue | undefined): PythonError | undefined {
  if (!isJsonObject(error ?? null)) return undefined;
  const { code, message, line } = error as Record<string, JsonValue>;
  const reported = REPORTED.find((one) => one === code);
  const text = textIn(message, MAX_MESSAGE);
  if (reported === undefined || text === undefined) return undefined;
  const isLine = typeof line === 'number' && Number.isSafeInteger(line) && line > 0;
  return { code: reported, message: text, ...(isLine && { line }) };
}

function textIn(value: JsonValue | undefined, maxLength: number): string | undefined {
  return typeof value === 'string' ? cleanString(value.slice(0, maxLength)) : undefined;
}

function parse(json: string): JsonValue | undefined {
  try {
    return JSON.parse(json) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Describes a wait status as the C library defines it: a signal in the low bits, otherwise an exit code. */
function describeStatus(status: number): string {
  const signal = status & 0x7f;
  if (signal === 0) return `exit code ${(status >> 8) & 0xff}`;
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0];
  return name ?? `signal ${signal}`;
}
