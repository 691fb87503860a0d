import { ADMINISTRATOR, isAdministrator, mayManageProject } from './principal.js';

const caller = { projectId: 'p1', projectName: 'one', keyId: 'k', scope: 'project' } as const;

describe('mayManageProject', () => {
  it('lets the administrator manage every project', () => {
    expect(isAdministrator(ADMINISTRATOR)).toBe(true);
    expect(mayManageProject(ADMINISTRATOR, 'p1')).toBe(true);
  });

  it('lets a project key manage its own project and no other', () => {
    expect(isAdministrator(caller)).toBe(false);
    expect(mayManageProject(caller, 'p1')).toBe(true);
    expect(mayManageProject(caller, 'p2')).toBe(false);
  });

  it('lets a key that may only ingest manage nothing', () => {
    expect(mayManageProject({ ...caller, scope: 'ingest' }, 'p1')).toBe(false);
  });
});
