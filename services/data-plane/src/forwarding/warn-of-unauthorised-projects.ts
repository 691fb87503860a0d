import type { Logger } from '@assay/runtime';

const MAX_LOGGED_PROJECTS = 1_000;

/** Returns a function that logs, once per project, that the control plane rejects the project's events. */
export function makeWarnOfUnauthorisedProjects(
  logger: Pick<Logger, 'warn'>,
): (projectIds: readonly string[]) => void {
  const logged = new Set<string>();
  return function warnOfUnauthorisedProjects(projectIds) {
    const unlogged = projectIds.filter((projectId) => !logged.has(projectId));
    if (unlogged.length === 0) return;
    if (logged.size + unlogged.length > MAX_LOGGED_PROJECTS) logged.clear();
    for (const projectId of unlogged) logged.add(projectId);
    logger.warn('control plane rejects events of these projects', { projectIds: unlogged.join(',') });
  };
}
