import { PERMISSIONS, missingPermission, type Permission } from './permission.js';

describe('missingPermission', () => {
  it.each<[string, readonly string[] | undefined, Permission[], Permission | undefined]>([
    ['none without restrictions', undefined, ['keys:write'], undefined],
    [
      'the first one that is lacking',
      ['runs:read'],
      ['runs:read', 'events:read', 'keys:read'],
      'events:read',
    ],
    ['deleting when only reading is allowed', ['events:read'], ['events:delete'], 'events:delete'],
    ['none for a delete of a key that may delete', ['events:delete'], ['events:delete'], undefined],
    ['none for a delete of a key that may write', ['events:write'], ['events:delete'], undefined],
    ['writing when only deleting is allowed', ['events:delete'], ['events:write'], 'events:write'],
    ['everything for unknown permissions', ['events:*', 'delete'], ['events:delete'], 'events:delete'],
  ])('finds %s', (_name, permissions, required, missing) => {
    expect(missingPermission({ permissions }, required)).toBe(missing);
  });

  it('finds none in a key with all permissions', () => {
    expect(missingPermission({ permissions: PERMISSIONS }, PERMISSIONS)).toBeUndefined();
    expect(new Set(PERMISSIONS).size).toBe(PERMISSIONS.length);
  });
});
