import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../stack/repository.js';
import { ENGINE_VARIABLES, enginesOfSuites } from './engines-of-suites.js';

const pathOf = (suite: string) => join(repository, suite);

describe('the engines that start before the tests on engines', () => {
  it('are those that one of the suites needs', () => {
    const store = pathOf('libs/event-store/src/clickhouse/former-statements.engines.test.ts');
    const log = pathOf('libs/event-log/src/kafka/kafka-leave.engines.test.ts');
    const journey = pathOf('test/e2e/gate.engines.test.ts');
    expect(enginesOfSuites([store])).toEqual(['CLICKHOUSE_URL']);
    expect(enginesOfSuites([store, log])).toEqual(['KAFKA_BROKERS', 'CLICKHOUSE_URL']);
    expect(enginesOfSuites([store, journey])).toEqual(ENGINE_VARIABLES);
    expect(enginesOfSuites([])).toEqual([]);
  });

  it('are the ones whose addresses the suites read', () => {
    const listed = execFileSync('git', ['ls-files', '*.engines.test.ts'], {
      cwd: repository,
      encoding: 'utf8',
    });
    const suites = listed.trim().split('\n');
    expect(suites.length).toBeGreaterThan(50);
    for (const suite of suites) {
      const text = readFileSync(pathOf(suite), 'utf8');
      const read = ENGINE_VARIABLES.filter(
        (variable) => text.includes(variable) || text.includes('enginesFromEnvironment'),
      );
      expect({ suite, engines: enginesOfSuites([pathOf(suite)]) }).toEqual({
        suite,
        engines: expect.arrayContaining(read) as string[],
      });
    }
  });
});
