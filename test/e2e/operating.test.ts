import { runCommand } from '../harness/processes/run-command.js';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { reportsStatus } from './status-journey.js';
import { usesCommandLine } from './command-line-journey.js';
import { listsRejections } from './rejections-journey.js';

describe('an operator of the single process', () => {
  const on = onStack(() => startStandalone());

  // The first test: later ones create projects.
  it('of the first project names no project in commands for keys', async () => {
    const environment = { ASSAY_URL: on.stack.baseUrl, ASSAY_ADMIN_TOKEN: on.stack.adminToken };
    const keys = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCommand(['keys', ...args, '--json'], environment);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return JSON.parse(stdout) as unknown;
    };
    const [project] = (await on.client.call('GET', '/v1/projects')).json<{ id: string }[]>();
    const created = (await keys('create', '--permissions', 'events:read')) as { key_id: string };
    const listed = await keys('list');
    expect(listed).toEqual(await keys('list', '--project', project!.id));
    expect(listed).toContainEqual(expect.objectContaining({ key_id: created.key_id }));
    expect(await keys('delete', created.key_id)).toMatchObject({ deleted: created.key_id });
  });

  listsRejections(on);
  reportsStatus(on);
  describe('with the command line', () => usesCommandLine(on));
});
