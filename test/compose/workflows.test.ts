import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { repository } from '../harness/stack/repository.js';

interface Job {
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly services?: Readonly<Record<string, { readonly image: string }>>;
}

interface Workflow {
  readonly jobs: Readonly<Record<string, Job>>;
}

const file = (path: string) => readFileSync(join(repository, path), 'utf8');
const workflow = (name: string) => parse(file(`.github/workflows/${name}.yml`)) as Workflow;
const images = (services: Job['services'] = {}) =>
  Object.fromEntries(Object.entries(services).map(([name, { image }]) => [name, image]));

describe('the workflow of CI', () => {
  it('runs the tests of engines on the very images that compose names', () => {
    const { services } = parse(file('deploy/compose/compose.deps.yml')) as Job;
    expect(images(workflow('ci').jobs['service-containers']?.services)).toEqual(images(services));
  });

  it('has a part for each version of ClickHouse', () => {
    const versions = readdirSync(join(repository, 'test/harness/engines/clickhouse-front/versions'))
      .map((name) => name.replace('.txt', ''))
      .sort();
    const parts = workflow('ci').jobs['tests']?.strategy?.matrix['part'] as {
      readonly clickhouse?: string;
    }[];
    expect(parts.flatMap(({ clickhouse }) => clickhouse ?? []).sort()).toEqual(versions);
  });
});

describe('a release', () => {
  it('has an image of each program, for both architectures', () => {
    const { matrix } = workflow('release').jobs['images']?.strategy ?? {};
    const programs = [
      ...file('deploy/docker/Dockerfile').matchAll(
        /^COPY --from=build(?:-standalone)? \/out\/([\w-]+) \/app$/gm,
      ),
    ];
    expect([...(matrix?.['program'] ?? [])].sort()).toEqual(programs.map(([, name]) => name).sort());
    expect(matrix?.['platform']).toMatchObject([{ arch: 'amd64' }, { arch: 'arm64' }]);
  });

  it('has one version in the repository and in the chart', () => {
    const { version } = JSON.parse(file('package.json')) as { readonly version: string };
    expect(parse(file('helm/Chart.yaml'))).toMatchObject({ version, appVersion: version });
  });
});
