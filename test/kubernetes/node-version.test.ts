import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { repository } from '../harness/stack/repository.js';
import { readImage } from './image.js';

const file = (path: string) => readFileSync(join(repository, path), 'utf8');

const versionsOf = () => {
  const { dependencies } = JSON.parse(file('.ci/node-versions/package.json')) as {
    dependencies: Record<string, string>;
  };
  return Object.values(dependencies).map((version) => version.split('@').at(-1)!);
};

describe('the versions of Node that are tested', () => {
  it('are the oldest one that may run the product, and those of development, here and in CI', () => {
    const { engines } = JSON.parse(file('package.json')) as { engines: { node: string } };
    const oldest = engines.node.replace('>=', '');
    expect(versionsOf()).toEqual([
      expect.stringMatching(new RegExp(`^${oldest.replace('.', '\\.')}\\.`)),
      expect.stringMatching(/^22\./),
      expect.stringMatching(/^24\./),
    ]);
    const { jobs } = parse(file('.github/workflows/ci.yml')) as {
      jobs: { 'node-versions': { strategy: { matrix: unknown } } };
    };
    expect(jobs['node-versions'].strategy.matrix).toEqual({ node: [oldest, '22', '24'] });
    expect(file('.nvmrc')).toBe('24\n');
  });
});

describe('the images', () => {
  it('run the version of Node 24 that is tested', () => {
    const tested = versionsOf().find((version) => version.startsWith('24.'));
    const [, used] = /^ARG NODE_IMAGE=node:([\d.]+)-/m.exec(file('deploy/docker/Dockerfile')) ?? [];
    expect(used).toMatch(/^24\.\d+\.\d+$/);
    expect(used).toBe(tested);
  });

  it('start Node with the flags and the thread pool of `npm start`', () => {
    const start = file('libs/tooling/run/start-standalone.mjs');
    const [, listed = ''] = /nodeFlags = \[(.+)\];/.exec(start) ?? [];
    const flags = [...listed.matchAll(/'([^']+)'/g)].map(([, flag]) => flag!);
    expect(flags.length).toBeGreaterThan(0);
    const { entrypoint, environment } = readImage('standalone');
    expect(entrypoint).toEqual(['node', ...flags, 'dist/main.js']);
    expect(start).toContain(`UV_THREADPOOL_SIZE: '${environment.UV_THREADPOOL_SIZE}'`);
  });
});
