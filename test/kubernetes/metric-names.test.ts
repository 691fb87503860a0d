import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createMetrics } from '@assay/runtime';
import { parse } from 'yaml';
import { repository } from '../harness/stack/repository.js';

/** Types of Prometheus that add suffixes to the name. */
const SUFFIX = /_(bucket|sum|count)$/;
const METRIC = /\b(?:assay|nodejs|process)_[a-z0-9_]+/g;

const file = (path: string) => readFileSync(join(repository, path), 'utf8');

/** Names that the sources of the product declare. */
function declaredNames(): string[] {
  const packages = ['libs', 'services', 'deploy'].flatMap((folder) =>
    readdirSync(join(repository, folder)).map((name) => join(repository, folder, name, 'src')),
  );
  return packages.filter(existsSync).flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').match(METRIC) ?? []),
  );
}

async function knownNames(): Promise<ReadonlySet<string>> {
  const ofNode = await createMetrics({ processMetrics: true }).text();
  return new Set([...declaredNames(), ...(ofNode.match(METRIC) ?? [])]);
}

function expressions(path: string): string[] {
  if (path.endsWith('.json')) {
    const { panels } = JSON.parse(file(path)) as { panels: { targets: { expr: string }[] }[] };
    return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  }
  const { groups } = parse(file(path)) as { groups: { rules: { expr: string }[] }[] };
  return groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
}

describe.each(['helm/files/alerts.yaml', 'helm/files/dashboard.json'])('%s', (path) => {
  it('uses only metrics that exist', async () => {
    const known = await knownNames();
    const used = expressions(path).flatMap((expression) => expression.match(METRIC) ?? []);
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((name) => !known.has(name) && !known.has(name.replace(SUFFIX, '')))).toEqual([]);
  });
});

describe('the dashboard', () => {
  it('shows every metric that docs/operations.md explains', () => {
    const [monitoring = ''] = file('docs/operations.md').split('## Finding faults');
    const explained = monitoring.match(/`(assay|nodejs|process)_[a-z0-9_]+/g) ?? [];
    const expressed = expressions('helm/files/dashboard.json').join(' ').match(METRIC) ?? [];
    const names = new Set(expressed.map((name) => name.replace(SUFFIX, '')));
    expect(
      explained.map((name) => name.slice(1)).filter((name) => !names.has(name.replace(SUFFIX, ''))),
    ).toEqual([]);
  });

  it('has panels of different ids that do not overlap', () => {
    const { panels } = JSON.parse(file('helm/files/dashboard.json')) as {
      panels: { id: number; gridPos: { x: number; y: number } }[];
    };
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ gridPos }) => `${gridPos.x} ${gridPos.y}`)).size).toBe(panels.length);
  });
});

describe('docs/operations.md', () => {
  it('names only metrics that exist', async () => {
    const known = await knownNames();
    const named = file('docs/operations.md').match(/`(assay|nodejs|process)_[a-z0-9_]+/g) ?? [];
    expect(named.map((name) => name.slice(1)).filter((name) => !known.has(name))).toEqual([]);
  });
});
