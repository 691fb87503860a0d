import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { TESTED_VERSIONS } from '@assay/event-store';
import { ENGINE_VERSIONS } from '../harness/engines/clickhouse-front/engine-wheels.js';
import { repository } from '../harness/stack/repository.js';

const text = (path: string) => readFileSync(join(repository, path), 'utf8');

/** Major and minor version of the engine that the product embeds. */
function embeddedVersion(): string {
  const chdb = createRequire(createRequire(__filename).resolve('chdb'));
  const { version } = chdb('@chdb/lib-linux-x64-gnu/package.json') as { version: string };
  return version.split('.').slice(0, 2).join('.');
}

describe('the versions of ClickHouse that are named', () => {
  const tested = [...ENGINE_VERSIONS, embeddedVersion()].sort((one, other) => Number(one) - Number(other));

  it('are tested, where the product inspects a server', () => {
    expect(TESTED_VERSIONS).toEqual({ oldest: tested[0], newest: tested.at(-1) });
  });

  it('are tested, in the file of the dependencies for Compose', () => {
    const [, version] = /clickhouse-server:([\d.]+)@/.exec(text('deploy/compose/compose.deps.yml')) ?? [];
    expect(tested).toContain(version);
  });

  it('are tested, in the notes of the chart', () => {
    const [, oldest, newest] = /ClickHouse ([\d.]+) to ([\d.]+)/.exec(text('helm/templates/NOTES.txt')) ?? [];
    expect([oldest, newest]).toEqual([tested[0], tested.at(-1)]);
  });

  it('are tested, in the page about Kubernetes', () => {
    const [, listed = ''] = /the tests run ([\d., and]+)\. Before/.exec(text('docs/kubernetes.md')) ?? [];
    expect(listed.split(/, | and /)).toEqual(tested);
  });
});
