import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns version and commit of the command, in one line. */
export function versionLine(): string {
  const { version } = readFields(join(__dirname, '../package.json'));
  const { commit } = readFields(join(__dirname, 'commit.json'));
  return commit === undefined ? `assay ${version}` : `assay ${version} (commit ${commit})`;
}

/** Returns the fields of a JSON file that are text; none when there is no such file. */
function readFields(path: string): Readonly<Record<string, string | undefined>> {
  try {
    const fields = Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>);
    return Object.fromEntries(
      fields.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    );
  } catch {
    return {};
  }
}
