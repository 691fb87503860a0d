import { readFileSync } from 'node:fs';
import { PERMISSIONS, PRESET_PERMISSIONS, type Permission } from '@assay/domain';
import { StartError } from '@assay/runtime';

/** Stands for every project. */
export const EVERY_PROJECT = '*';

/** Permissions of the people of a group in a project; null: all. */
export type Grant = readonly Permission[] | null;

/** The grants of each group by the id of a project or {@link EVERY_PROJECT}. */
export type GroupRules = ReadonlyMap<string, ReadonlyMap<string, Grant>>;

const MAX_BYTES = 1024 * 1024;

/** Reads the file that says what the people of each group may do. @throws StartError which names the group and project */
export function readGroupsFile(path: string): GroupRules {
  const groups = objectOf(parse(path), 'it');
  return new Map(
    Object.entries(groups).map(([group, projects]) => [
      group,
      new Map(
        Object.entries(objectOf(projects, `group "${group}"`)).map(([project, granted]) => [
          project,
          grantOf(granted, `project "${project}" of group "${group}"`),
        ]),
      ),
    ]),
  );
}

function parse(path: string): unknown {
  try {
    const text = readFileSync(path, 'utf8');
    if (text.length <= MAX_BYTES) return JSON.parse(text);
  } catch (cause) {
    throw problem('it cannot be read as JSON', cause);
  }
  throw problem(`it has more than ${MAX_BYTES} bytes`);
}

function objectOf(value: unknown, what: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw problem(`${what} must be an object`);
}

function grantOf(value: unknown, what: string): Grant {
  const preset = Object.entries(PRESET_PERMISSIONS).find(([name]) => name === value);
  if (preset) return preset[1].length === 0 ? null : preset[1];
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const permissions = PERMISSIONS.filter((one) => list.includes(one));
  if (list.length > 0 && permissions.length === new Set(list).size) return permissions;
  const presets = Object.keys(PRESET_PERMISSIONS).join(', ');
  throw problem(`${what} must be one of ${presets}, or a list of permissions`);
}

function problem(text: string, cause?: unknown): StartError {
  return new StartError(`OIDC_GROUPS_FILE is not valid: ${text}`, { exitCode: 78, cause });
}
