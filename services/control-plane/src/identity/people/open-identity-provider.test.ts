import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { consoleSettings, createMetrics, loadConfig } from '@assay/runtime';
import { identityProviderSettings } from './identity-provider-settings.js';
import { openIdentityProvider } from './open-identity-provider.js';

describe('the settings of the identity provider', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-people-'));
  const file = join(folder, 'groups.json');
  writeFileSync(file, '{}');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const PEOPLE = { OIDC_ISSUER: 'https://a.example', OIDC_AUDIENCE: 'assay', OIDC_GROUPS_FILE: file };
  const open = (environment: Record<string, string>) =>
    openIdentityProvider(loadConfig(identityProviderSettings, environment), {
      logger: { warn: () => undefined },
      metrics: createMetrics({ processMetrics: false }),
    });

  it('may be absent', () => {
    expect(open({})).toBeUndefined();
  });

  it.each<[Record<string, string>, string]>([
    [{ OIDC_CLIENT_ID: 'c' }, 'OIDC_ISSUER, OIDC_AUDIENCE and OIDC_GROUPS_FILE are only valid together'],
    [{ ...PEOPLE, OIDC_CLIENT_SECRET: 'hidden-text' }, 'OIDC_CLIENT_SECRET needs OIDC_CLIENT_ID'],
    [{ ...PEOPLE, OIDC_CLIENT_ID: 'c', OIDC_SCOPES: 'email' }, 'OIDC_SCOPES must have the scope openid'],
  ])('are refused at the start as %j', (environment, message) => {
    expect(() => open(environment)).toThrow(message);
  });

  it.each(['https://assay.example.com/console', 'assay.example.com', 'ftp://assay.example.com'])(
    'have no address of the console such as %s',
    (CONSOLE_URL) => {
      expect(() => loadConfig(consoleSettings, { CONSOLE_URL })).toThrow(
        'CONSOLE_URL must be an http or https URL',
      );
    },
  );

  it('have an address of the console without its final slash', () => {
    const { consoleUrl } = loadConfig(consoleSettings, { CONSOLE_URL: 'https://assay.example.com:8443/' });
    expect(consoleUrl).toBe('https://assay.example.com:8443');
  });
});
