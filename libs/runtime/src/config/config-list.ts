import type { Declaration } from './load-config.js';
import type { Setting } from './settings.js';

/** A process whose settings are documented; the letter stands for it in the lists. */
export interface DocumentedProcess {
  readonly letter: string;
  readonly settings: Declaration;
}

/** A part of the document: the settings whose names match. */
export interface ConfigSection {
  readonly title: string;
  readonly names: RegExp;
}

/**
 * Returns a Markdown list of settings per section, in the order of the declarations. A setting that several processes read alike is
 * listed once, with their letters.
 * @throws Error for a setting that no section takes, or several
 */
export function configLists(
  processes: readonly DocumentedProcess[],
  sections: readonly ConfigSection[],
): string {
  const rows = mergedRows(processes);
  for (const { name } of rows) {
    const count = sections.filter(({ names }) => names.test(name)).length;
    if (count !== 1) throw new Error(`${name} belongs to ${count} sections of the configuration document`);
  }
  return sections
    .map(({ title, names }) => `## ${title}\n\n${list(rows.filter(({ name }) => names.test(name)))}`)
    .join('\n\n');
}

type DocumentedSetting = Pick<Setting<unknown>, 'name' | 'kind' | 'fallback' | 'description' | 'secret'>;

interface Row extends Omit<DocumentedSetting, 'fallback'> {
  readonly defaults: Map<string, string>;
  letters: string;
}

function mergedRows(processes: readonly DocumentedProcess[]): Row[] {
  const rows = new Map<string, Row>();
  for (const { letter, settings } of processes)
    for (const { name, kind, fallback, description, secret } of Object.values(settings)) {
      const key = JSON.stringify([name, kind, description]);
      const row = rows.get(key) ?? { name, kind, description, secret, defaults: new Map(), letters: '' };
      row.letters += letter;
      const value = fallback ?? '';
      row.defaults.set(value, `${row.defaults.get(value) ?? ''}${letter}`);
      rows.set(key, row);
    }
  return [...rows.values()];
}

function list(rows: readonly Row[]): string {
  const items = rows.map((row) => {
    const names = row.secret ? `\`${row.name}\`, \`${row.name}_FILE\`` : `\`${row.name}\``;
    // The document says that ranges are of integers.
    const kind = row.kind.replace(/^integer /, '');
    const facts = [kind, defaultsOf(row), row.letters].filter((text) => text !== '');
    return `- ${names} (${facts.join('; ')}): ${row.description}`;
  });
  return items.join('\n');
}

function defaultsOf({ defaults }: Row): string {
  const texts = [...defaults].filter(([value]) => value !== '');
  return texts
    .map(([value, letters]) => (defaults.size === 1 ? `\`${value}\`` : `${letters}: \`${value}\``))
    .join(', ');
}
