import type { FirstProject } from './ensure-first-project.js';

/**
 * Ensures the first project and returns a function that creates and shows its generated key. A configured key is
 * valid from the first request on. A generated key is created when the function is called, after the process
 * listens. A process that ends before it has shown the key leaves one that nobody knows; the next start creates another.
 */
export async function prepareFirstKey(
  ensureFirstProject: (project: string, apiKey?: string) => Promise<FirstProject>,
  project: string,
  configuredKey: string | undefined,
): Promise<(print: (line: string) => void) => Promise<void>> {
  if (configuredKey !== undefined) await ensureFirstProject(project, configuredKey);
  return async (print) => {
    const { created } = await ensureFirstProject(project, configuredKey);
    if (created === undefined) return;
    print(`The key of project "${project}", shown this once:\n\n  ${created.apiKey}\n`);
    await created.confirmShown();
  };
}
