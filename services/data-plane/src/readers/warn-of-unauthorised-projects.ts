import type { Logger } from '@assay/runtime';

const MAX_REMEMBERED = 1_000;

/** Says once of each project that the control plane takes no events of it from this data plane. */
export function makeWarnOfUnauthorisedProjects(
  logger: Pick<Logger, 'warn'>,
): (projectIds: readonly string[]) => void {
  const said = new Set<string>();
  return function warnOfForeignProjects(projectIds) {
    const news = projectIds.filter((projectId) => !said.has(projectId));
    if (news.length === 0) return;
    if (said.size + news.length > MAX_REMEMBERED) said.clear();
    for (const projectId of news) said.add(projectId);
    logger.warn('the control plane takes no events of these projects', { projectIds: news.join(',') });
  };
}
