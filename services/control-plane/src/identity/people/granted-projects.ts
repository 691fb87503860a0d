import { EVERY_PROJECT, type Grant, type GroupRules } from './groups-file.js';

/** Returns what these groups together grant, by project. */
export function grantedProjects(rules: GroupRules, groups: readonly unknown[]): ReadonlyMap<string, Grant> {
  const granted = new Map<string, Grant>();
  for (const group of groups) {
    if (typeof group !== 'string') continue;
    for (const [project, grant] of rules.get(group) ?? [])
      granted.set(project, granted.has(project) ? union(granted.get(project) ?? null, grant) : grant);
  }
  return granted;
}

/** Returns the grant in one project; undefined without any. */
export function grantIn(granted: ReadonlyMap<string, Grant>, projectId: string): Grant | undefined {
  const [own, everywhere] = [granted.get(projectId), granted.get(EVERY_PROJECT)];
  if (own === undefined || everywhere === undefined) return own === undefined ? everywhere : own;
  return union(own, everywhere);
}

function union(left: Grant, right: Grant): Grant {
  return left === null || right === null ? null : [...new Set([...left, ...right])];
}
