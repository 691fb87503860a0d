import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createMetrics } from '@assay/runtime';
import { parse } from 'yaml';
import { repository } from '../harness/stack/repository.js';

/** Types of Prometheus that add suffixes to the name. */
const SUFFIX = /_(bucket|sum|count)$/;
const METRIC = /\b(?:assay|nodejs|process)_[a-z0-9_]+/g;

const file = (path: string) => readFileSync(join(repository, path), 'utf8');

/** Arrays of words, such as the labels of a metric. */
const WORDS = /\[((?:'[a-z_]+'(?:, )?)+)\]/g;
/** Labels that Prometheus adds, and those of histograms. */
const ADDED_LABELS = ['namespace', 'pod', 'le'];

/** The source files of the product. */
function sources(): string[] {
  const packages = ['libs', 'services', 'deploy'].flatMap((folder) =>
    readdirSync(join(repository, folder)).map((name) => join(repository, folder, name, 'src')),
  );
  return packages.filter(existsSync).flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  );
}

/** Names that the sources declare. */
function declaredNames(): string[] {
  return sources().flatMap((source) => source.match(METRIC) ?? []);
}

/** Words in arrays of the files that name a metric: its labels are among them. */
function labelsByName(): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = new Map<string, Set<string>>();
  for (const source of sources()) {
    const words = [...source.matchAll(WORDS)].flatMap(([, list]) => list!.match(/[a-z_]+/g) ?? []);
    for (const name of source.match(METRIC) ?? [])
      labels.set(name, new Set([...(labels.get(name) ?? []), ...words]));
  }
  return labels;
}

/** The labels by which an expression selects series of a metric, and those by which it groups them. */
function usedLabels(expression: string): (readonly [name: string, label: string])[] {
  const selected = [...expression.matchAll(/([a-z_0-9]+)\{([^}]*)\}/g)].flatMap(([, name, selectors]) =>
    [...selectors!.matchAll(/(\w+)\s*[=!]/g)].map(([, label]) => [name!, label!] as const),
  );
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/, */));
  const names = expression.match(METRIC) ?? [];
  return [...selected, ...names.flatMap((name) => grouped.map((label) => [name, label] as const))];
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

describe.each(['helm/files/alerts.yaml', 'helm/files/dashboard.json'])('%s', (path) => {
  it('uses only labels that its metrics have', () => {
    const known = labelsByName();
    const used = expressions(path).flatMap(usedLabels);
    expect(used.map(([, label]) => label)).toEqual(expect.arrayContaining(['group', 'status', 'code']));
    const unknown = used.filter(
      ([name, label]) =>
        !ADDED_LABELS.includes(label) &&
        !(known.get(name) ?? known.get(name.replace(SUFFIX, '')))?.has(label),
    );
    expect(unknown).toEqual([]);
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

describe.each(['docs/operations.md', 'docs/capacity.md'])('%s', (path) => {
  it('names only metrics that exist', async () => {
    const known = await knownNames();
    const named = file(path).match(/`(assay|nodejs|process)_[a-z0-9_]+/g) ?? [];
    expect(named.length).toBeGreaterThan(5);
    expect(named.map((name) => name.slice(1)).filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('docs/capacity.md', () => {
  it('says what to do for each alert rule of the chart', () => {
    const { groups } = parse(file('helm/files/alerts.yaml')) as { groups: { rules: { alert: string }[] }[] };
    const rules = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    const explained = [...file('docs/capacity.md').matchAll(/^- `(Assay\w+)`: /gm)].map(([, name]) => name);
    expect(explained.sort()).toEqual(rules.sort());
  });
});
