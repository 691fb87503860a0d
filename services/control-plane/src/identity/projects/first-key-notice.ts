import type { FirstProject } from './ensure-first-project.js';

/**
 * Ensures the first project and returns a function that creates and shows its generated key. A configured key is
 * valid from the first request on. A generated key is created when the function is called, after the process
 * listens: a start that fails before that would never show it.
 */
export async function prepareFirstKey(
  ensureFirstProject: (project: string, apiKey?: string) => Promise<FirstProject>,
  project: string,
  configuredKey: string | undefined,
): Promise<() => Promise<string[]>> {
  if (configuredKey !== undefined) await ensureFirstProject(project, configuredKey);
  return async () => {
    const { apiKey } = await ensureFirstProject(project, configuredKey);
    return apiKey ? [`The key of project "${project}", shown this once:\n\n  ${apiKey}\n`] : [];
  };
}
