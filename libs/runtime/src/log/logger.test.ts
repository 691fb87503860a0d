import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describeCause, formatFor } from './logger.js';

/** Runs a script with the built package and returns its output. */
function run(script: string): { stdout: string; stderr: string } {
  const entry = join(__dirname, '../../dist/index.js');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['-e', `const r = require(${JSON.stringify(entry)}); ${script}`],
    {
      encoding: 'utf8',
    },
  );
  return { stdout, stderr };
}

describe('createLogger', () => {
  it('writes one JSON line with phrase, service and fields to standard error', () => {
    const { stdout, stderr } = run(
      `r.createLogger({ level: 'info', service: 'ingestion' }).warn('log unavailable', { attempts: 3 })`,
    );
    expect(stdout).toBe('');
    expect(JSON.parse(stderr)).toMatchObject({
      level: 'warn',
      message: 'log unavailable',
      service: 'ingestion',
      attempts: 3,
    });
  });

  it('omits lines below the level', () => {
    expect(run(`r.createLogger({ level: 'warn', service: 's' }).info('started')`).stderr).toBe('');
  });

  it('writes the lines of a level from the moment at which it is set', () => {
    const { stderr } = run(
      `const log = r.createLogger({ level: 'warn', service: 's' }); log.debug('before'); log.level = 'debug';` +
        `log.debug('during'); log.level = 'error'; log.warn('after'); log.error(log.level)`,
    );
    const lines = stderr.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
      'during',
      'error',
    ]);
  });

  it('writes a single line for any field value', () => {
    const { stderr } = run(
      `r.createLogger({ level: 'info', service: 's' }).info('x', { a: 'one\\ntwo\\r\\u0000' })`,
    );
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('the format of the log', () => {
  it('is text when both outputs are a terminal, otherwise JSON', () => {
    const [terminal, file] = [{ isTTY: true }, {}];
    expect(formatFor({ stdout: terminal, stderr: terminal })).toBe('text');
    expect(formatFor({ stdout: terminal, stderr: file })).toBe('json');
    expect(formatFor({ stdout: file, stderr: terminal })).toBe('json');
    expect(formatFor({ stdout: file, stderr: file })).toBe('json');
  });

  it('can be forced to text, one line for any field value', () => {
    const { stderr } = run(
      `r.createLogger({ level: 'info', service: 's', format: 'text' })` +
        `.warn('log unavailable', { attempts: 3, a: 'one\\ntwo', b: 'x' })`,
    );
    expect(stderr).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} {2}WARN {3}log unavailable {2}attempts=3 {2}a="one\\ntwo" {2}b=x\n$/,
    );
  });
});

describe('describeCause', () => {
  it('returns class, code and chain without the message', () => {
    const inner = Object.assign(new RangeError('secret inner'), { code: 'E1' });
    const described = describeCause(
      Object.assign(new TypeError('secret outer', { cause: inner }), { code: 'E2' }),
    );
    expect(described).toMatchObject({ cause: 'TypeError < RangeError', code: 'E2' });
    expect(JSON.stringify(described)).not.toContain('secret');
  });
});
