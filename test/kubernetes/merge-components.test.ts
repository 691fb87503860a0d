import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repository } from '../harness/stack/repository.js';

const REQUIREMENTS = readFileSync(join(repository, 'libs/python-runner/requirements.txt'), 'utf8');

/** Runs the function of the image script, a module that jest cannot load. */
function merge(program: object, second: object): unknown {
  const module = pathToFileURL(join(repository, 'deploy/docker/merge-components.mjs')).href;
  const script = `import { mergeComponents } from '${module}';
    process.stdout.write(JSON.stringify(mergeComponents(...JSON.parse(process.argv[1]))));`;
  const args = ['--input-type=module', '--eval', script, JSON.stringify([program, second])];
  return JSON.parse(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout);
}

/** Runs the other function of the image script on the requirements of metrics. */
function metricLibraries(): { components: { purl: string }[]; dependencies: { dependsOn: string[] }[] } {
  const module = pathToFileURL(join(repository, 'deploy/docker/metric-libraries.mjs')).href;
  const script = `import { metricLibraries } from '${module}';
    process.stdout.write(JSON.stringify(metricLibraries(process.argv[1])));`;
  const args = ['--input-type=module', '--eval', script, REQUIREMENTS];
  return JSON.parse(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout) as ReturnType<
    typeof metricLibraries
  >;
}

const component = (name: string) => ({ 'bom-ref': name });
const on = (ref: string, ...dependsOn: string[]) => ({ ref, dependsOn });

describe('the list of components of an image', () => {
  it('has those of the program and of the command line, each once', () => {
    const program = {
      bomFormat: 'CycloneDX',
      metadata: { component: component('service') },
      components: [component('shared'), component('web')],
      dependencies: [on('service', 'web'), on('web', 'shared'), on('shared')],
    };
    const commandLine = {
      metadata: { component: component('cli') },
      components: [component('parser'), component('shared')],
      dependencies: [on('cli', 'parser'), on('parser', 'shared'), on('shared')],
    };
    expect(merge(program, commandLine)).toEqual({
      ...program,
      components: ['shared', 'web', 'cli', 'parser'].map(component),
      dependencies: [
        on('service', 'web', 'cli'),
        on('web', 'shared'),
        on('shared'),
        on('cli', 'parser'),
        on('parser', 'shared'),
      ],
    });
  });

  it('has every library of metrics with its version', () => {
    const { components, dependencies } = metricLibraries();
    const purls = components.map(({ purl }) => purl);
    const pinned = REQUIREMENTS.split('\n').filter((line) => line.includes('=='));
    expect(purls).toEqual(pinned.map((line) => `pkg:pypi/${line.replace('==', '@').replace(' \\', '')}`));
    expect(dependencies[0]?.dependsOn).toEqual(purls);
  });
});
