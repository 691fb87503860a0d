import { PERMISSIONS } from '@assay/domain/browser';
import { isOwner, PRESETS, rightsOf } from './key-rights.js';

const key = (change: object) => ({
  ...{ key_id: 'k', name: 'n', description: '', scope: 'project' as const, permissions: [] },
  ...{ created_at: '2026-11-01T00:00:00.000Z', expires_at: null, last_used_at: null, ...change },
});
const NOW = Date.parse('2026-11-02T00:00:00.000Z');

it('names the rights of a key by the preset that it was made with, in any order', () => {
  for (const { name, permissions } of PRESETS)
    expect(rightsOf({ scope: 'project', permissions: [...permissions].reverse() })).toBe(name);
  expect(rightsOf({ scope: 'project', permissions: ['events:read'] })).toBe('events:read');
  expect(rightsOf({ scope: 'project', permissions: ['events:read', 'runs:read'] })).toBe('2 permissions');
  expect(rightsOf({ scope: 'ingest', permissions: [] })).toBe('sends events only');
});

it('lets viewers change nothing, and only owners manage keys', () => {
  const [viewer, , editor] = PRESETS;
  expect(viewer.permissions.filter((one) => !one.endsWith(':read'))).toEqual([]);
  for (const { name, permissions } of PRESETS)
    if (name !== 'owner') expect(permissions.filter((one) => one.startsWith('keys:'))).toEqual([]);
  expect(PERMISSIONS.filter((one) => !(editor.permissions as readonly string[]).includes(one))).toEqual([
    ...['keys:read', 'keys:write', 'projects:write'],
  ]);
});

it('knows which keys can make others', () => {
  expect(isOwner(key({}), NOW)).toBe(true);
  expect(isOwner(key({ expires_at: '2026-11-03T00:00:00.000Z' }), NOW)).toBe(true);
  expect(isOwner(key({ expires_at: '2026-11-01T12:00:00.000Z' }), NOW)).toBe(false);
  expect(isOwner(key({ permissions: ['keys:write'] }), NOW)).toBe(false);
  expect(isOwner(key({ scope: 'ingest' }), NOW)).toBe(false);
});
