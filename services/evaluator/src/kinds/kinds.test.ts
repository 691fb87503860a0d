import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { METRIC_TYPES, type MetricType } from '@assay/domain';
import { kindOf } from './kinds.js';

const ROOT = join(__dirname, '../../../..');
/** Texts that are spelled like a type of metrics and are another thing. */
const OTHER_MEANINGS: readonly { readonly path: RegExp; readonly line: RegExp }[] = [
  { path: /^libs\/otlp\/src\/conventions\//, line: /annotator_kind/ },
  { path: /^(libs\/contracts\/src\/api|services\/control-plane\/src)\/configurations\//, line: /./ },
];

/** Returns the lines of product code, with their files. */
function productLines(): { readonly path: string; readonly line: string }[] {
  const packages = ['libs', 'services', 'deploy'].flatMap((area) =>
    readdirSync(join(ROOT, area)).map((name) => join(ROOT, area, name, 'src')),
  );
  return packages.flatMap(sourcesIn).flatMap((file) => {
    const path = relative(ROOT, file);
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => ({ path, line }));
  });
}

function sourcesIn(folder: string): string[] {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  } catch {
    return [];
  }
  return entries
    .filter(({ name }) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
    .map(({ parentPath, name }) => join(parentPath, name));
}

describe('the kinds of metrics', () => {
  const lines = productLines();
  const filesNaming = (type: MetricType) => {
    const literal = new RegExp(`(['"\`])${type}\\1|^\\s*${type}:`);
    const naming = lines.filter(
      ({ path, line }) =>
        literal.test(line) && !OTHER_MEANINGS.some((other) => other.path.test(path) && other.line.test(line)),
    );
    return [...new Set(naming.map(({ path }) => path))].sort();
  };

  it.each(METRIC_TYPES)('are named only where they are defined: %s', (type) => {
    expect(filesNaming(type)).toEqual([
      'libs/domain/src/resources/metric-kinds.ts',
      'services/console/src/evaluators/kinds.ts',
      `services/evaluator/src/kinds/${type.toLowerCase()}.ts`,
    ]);
  });

  it.each(METRIC_TYPES)('have a part of the evaluator: %s', (type) => {
    expect(kindOf({ type }).type).toBe(type);
  });
});
