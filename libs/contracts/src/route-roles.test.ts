import { ROUTES } from './route-catalogue.js';
import { OPERATIONS_WITH_ROLES, requiredRole } from './route-roles.js';

const administrative = ROUTES.filter(({ access }) => access === 'admin' || access === 'admin-or-project');
const withRole = (role: string) =>
  administrative.filter((route) => requiredRole(route) === role).map(({ operation }) => operation);

describe('the roles of routes', () => {
  test('are declared for exactly the administrative routes', () => {
    expect([...OPERATIONS_WITH_ROLES].sort()).toEqual(
      administrative.map(({ operation }) => operation).sort(),
    );
  });

  test('let viewers only read, and read all but administrators', () => {
    const reading = administrative.filter(({ method }) => method === 'GET').map(({ operation }) => operation);
    expect(withRole('viewer').sort()).toEqual(
      reading.filter((operation) => operation !== 'listAdministrators').sort(),
    );
  });

  test('let operators create no credential and delete nothing that a project stores', () => {
    const names = [
      'createBackup',
      'deleteDeadLetter',
      'deleteDeadLetters',
      'endDataPlane',
      'forwardSessions',
    ];
    expect(withRole('operator').sort()).toEqual([...names, 'migrate', 'replayDeadLetters'].sort());
  });

  test.each(['', 'constructor', 'unknown'])('are admin for %j, of which nothing is declared', (operation) => {
    expect(requiredRole({ operation })).toBe('admin');
  });
});
