import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRESET_PERMISSIONS } from '@assay/domain';
import { grantedProjects, grantIn } from './granted-projects.js';
import { readGroupsFile } from './groups-file.js';

describe('the file of the groups', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-groups-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const read = (content: unknown) => {
    const path = join(folder, 'groups.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return readGroupsFile(path);
  };

  it('grants the people of several groups what these have together', () => {
    const rules = read({
      readers: { '*': 'viewer' },
      writers: { p1: ['events:write'], p2: ['charts:write', 'charts:read'] },
      owners: { p2: 'owner' },
    });
    const granted = grantedProjects(rules, ['readers', 'writers', 'other', 7, null, 'constructor']);
    expect(grantIn(granted, 'p1')).toEqual(['events:write', ...PRESET_PERMISSIONS.viewer]);
    expect(grantIn(granted, 'p2')?.slice(0, 2)).toEqual(['charts:read', 'charts:write']);
    expect(grantIn(granted, 'p3')).toEqual(PRESET_PERMISSIONS.viewer);
    expect(grantIn(grantedProjects(rules, ['owners', 'writers']), 'p2')).toBeNull();
    expect(grantIn(grantedProjects(rules, ['writers']), 'p3')).toBeUndefined();
    expect(grantIn(grantedProjects(rules, []), 'p1')).toBeUndefined();
  });

  it.each<[unknown, string]>([
    ['{', 'it cannot be read as JSON'],
    [[], 'it must be an object'],
    [{ a: 'viewer' }, 'group "a" must be an object'],
    [{ a: { p: 'reader' } }, 'project "p" of group "a" must be one of viewer, annotator, editor, owner'],
    [{ a: { p: [] } }, 'project "p" of group "a"'],
    [{ a: { p: ['events:read', 'events:everything'] } }, 'project "p" of group "a"'],
    [{ a: { p: 'constructor' } }, 'project "p" of group "a"'],
    [`{"a": ${' '.repeat(1024 * 1024)} {}}`, 'it has more than 1048576 bytes'],
  ])('is refused at the start as %j', (content, message) => {
    expect(() => read(content)).toThrow(`OIDC_GROUPS_FILE is not valid: ${message}`);
  });

  it('is refused when it is missing', () => {
    expect(() => readGroupsFile(join(folder, 'none.json'))).toThrow('OIDC_GROUPS_FILE is not valid');
  });
});
