import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../harness/stack/repository.js';
import { readImage } from './image.js';

const file = (path: string) => readFileSync(join(repository, path), 'utf8');

describe('the images', () => {
  it('run the version of Node 24 that is tested', () => {
    const { dependencies } = JSON.parse(file('.ci/node-versions/package.json')) as {
      dependencies: Record<string, string>;
    };
    const tested = dependencies['node-24']?.split('@').at(-1);
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
