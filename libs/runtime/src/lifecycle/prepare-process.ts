/** Flag of Node that cannot be set once the process runs. */
const YOUNG_GENERATION = '--max-semi-space-size';
const YOUNG_GENERATION_MB = 64;
/** The embedded engine, zlib and the file system share libuv's thread pool. */
const THREADS = '14';

/** The parts of `process` that decide about flags. */
export interface ProcessFlags {
  readonly env: Record<string, string | undefined>;
  readonly execArgv: readonly string[];
}

/**
 * Applies what `npm start` sets for the process: a larger thread pool, which libuv reads with its first task, and no
 * `__proto__`, so that no key of a client can reach a prototype. Call it before anything else.
 * @returns phrases to be logged as warnings, about flags that the process had to be started with
 */
export function prepareProcess({ env, execArgv }: ProcessFlags): readonly string[] {
  env['UV_THREADPOOL_SIZE'] ??= THREADS;
  Reflect.deleteProperty(Object.prototype, '__proto__');
  const flags = [...execArgv, ...(env['NODE_OPTIONS'] ?? '').split(/\s+/)];
  const names = [YOUNG_GENERATION, YOUNG_GENERATION.replaceAll('-', '_').replace('__', '--')];
  const isSet = flags.some((flag) => names.some((name) => flag === name || flag.startsWith(`${name}=`)));
  return isSet
    ? []
    : [`node runs without ${YOUNG_GENERATION}=${YOUNG_GENERATION_MB}, which costs throughput under load`];
}
