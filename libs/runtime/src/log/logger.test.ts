import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describeCause } from './logger.js';

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

  it('writes a single line for any field value', () => {
    const { stderr } = run(
      `r.createLogger({ level: 'info', service: 's' }).info('x', { a: 'one\\ntwo\\r\\u0000' })`,
    );
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
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
