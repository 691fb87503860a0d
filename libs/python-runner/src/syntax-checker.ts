import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { FairSlots } from '@assay/runtime';

/** Why a source does not compile. */
export interface SyntaxMistake {
  /** In the words of CPython; may quote the source. At most 500 characters. */
  readonly message: string;
  /** Line of the source, from 1. */
  readonly line?: number;
}

export interface SyntaxCheckerOptions {
  /** Program and arguments that start CPython 3.9 or later; `['python3']` when absent. */
  readonly command?: readonly string[];
}

/** Compiles the sources of metrics, without running them. */
export interface SyntaxChecker {
  /**
   * Returns the first mistake of a source; undefined when it compiles, and when it cannot be checked: Python is missing,
   * takes too long, or too many checks wait. Never rejects.
   */
  check(projectId: string, source: string): Promise<SyntaxMistake | undefined>;
  /** Ends the process. Later checks return undefined. Idempotent. */
  close(): void;
}

const PROGRAM = join(__dirname, '../harness/check_syntax.py');
const FLAGS = ['-I', '-B', '-S', '-X', 'utf8', '-W', 'ignore'];
/** The process checks one source at a time. */
const SLOTS = { total: 1, perProject: 1, maxWaiting: 200, maxWaitMs: 10_000 };
/** Includes the start of the process. */
const TIMEOUT_MS = 10_000;
/** After a failed start. */
const RETRY_MS = 60_000;
const MAX_RESPONSE = 16_384;

/** Returns a checker, whose process starts with the first check. */
export function createSyntaxChecker({ command = ['python3'] }: SyntaxCheckerOptions = {}): SyntaxChecker {
  const slots = new FairSlots(SLOTS);
  let running: ChildProcessWithoutNullStreams | undefined;
  let unavailableUntil = 0;
  let isClosed = false;

  const start = () => {
    const [program = '', ...first] = command;
    const started = spawn(program, [...first, ...FLAGS, PROGRAM], { cwd: '/' });
    // A process that waits for a source does not keep this one alive.
    started.unref();
    for (const stream of [started.stdin, started.stdout, started.stderr]) {
      if (stream instanceof Socket) stream.unref();
      stream.on('error', () => started.kill('SIGKILL'));
    }
    started.stderr.resume();
    started.once('error', () => (unavailableUntil = performance.now() + RETRY_MS));
    started.once('close', () => (running = running === started ? undefined : running));
    return started;
  };

  const checkNow = async (source: string): Promise<SyntaxMistake | undefined> => {
    if (isClosed || performance.now() < unavailableUntil) return undefined;
    const child = (running ??= start());
    const response = await exchange(child, source);
    if (response === undefined) child.kill('SIGKILL');
    return response?.message === undefined ? undefined : toMistake(response.message, response.line);
  };

  return {
    check: (projectId, source) => slots.run(projectId, () => checkNow(source)).catch(() => undefined),
    close: () => {
      isClosed = true;
      running?.kill('SIGKILL');
    },
  };
}

interface Response {
  readonly message?: string;
  readonly line?: number | null;
}

function toMistake(message: string, line: number | null | undefined): SyntaxMistake {
  return { message, ...(typeof line === 'number' && line > 0 && { line }) };
}

/** Returns undefined when the process ends, or does not respond in time. */
function exchange(child: ChildProcessWithoutNullStreams, source: string): Promise<Response | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const end = (response: Response | undefined) => {
      clearTimeout(timer);
      child.stdout.off('data', onData);
      child.off('close', onEnd).off('error', onEnd);
      resolve(response);
    };
    const onEnd = () => end(undefined);
    const onData = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (text.endsWith('\n')) end(parsed(text));
      else if (text.length > MAX_RESPONSE) end(undefined);
    };
    const timer = setTimeout(onEnd, TIMEOUT_MS);
    child.stdout.on('data', onData);
    child.once('close', onEnd).once('error', onEnd);
    const bytes = Buffer.from(source, 'utf8');
    const header = Buffer.alloc(4);
    header.writeUInt32BE(bytes.length);
    child.stdin.write(Buffer.concat([header, bytes]));
  });
}

function parsed(text: string): Response | undefined {
  try {
    return JSON.parse(text) as Response;
  } catch {
    return undefined;
  }
}
