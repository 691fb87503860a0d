import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestAuthority } from '@assay/runtime/test/test-certificates';
import { runCommand } from '../harness/processes/run-command.js';
import type { Stack } from '../harness/stack/stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';

describe('the command line, where both ports require client certificates', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-encrypted-admin-'));
  const authority = createTestAuthority(dir, 'authority');
  const [server, client] = [authority.issue('server'), authority.issue('client')];
  const trust = ['--ca', authority.caFile];
  const certificate = ['--cert', client.certFile, '--key', client.keyFile];
  let stack: Stack;

  beforeAll(async () => {
    const settings = ['ASSAY_TLS', 'ASSAY_ADMIN_TLS'].map((prefix) => ({
      [`${prefix}_CERT_FILE`]: server.certFile,
      [`${prefix}_KEY_FILE`]: server.keyFile,
      [`${prefix}_CLIENT_CA_FILE`]: authority.caFile,
    }));
    stack = await startStandalone(
      Object.assign({ EVALUATE_EVENTS: 'false' }, ...settings) as Record<string, string>,
    );
  });
  afterAll(async () => {
    expect(await stack.stop()).toBe(true);
    rmSync(dir, { recursive: true, force: true });
  });

  const run = (args: string[], more: Record<string, string> = {}) =>
    runCommand(args, {
      ASSAY_URL: stack.baseUrl,
      ASSAY_ADMIN_URL: stack.adminUrl('standalone'),
      ASSAY_API_KEY: stack.apiKey,
      ...more,
    });

  it('checks the process and reads the status with files in options or variables', async () => {
    const { code, stdout } = await run(['doctor', ...trust, ...certificate, '--server-name', 'localhost']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('ok     log:')]);
    const variables = {
      ASSAY_CA_FILE: authority.caFile,
      ASSAY_CLIENT_CERT_FILE: client.certFile,
      ASSAY_CLIENT_KEY_FILE: client.keyFile,
    };
    const status = await run(['--json', 'status'], variables);
    expect(JSON.parse(status.stdout)).toMatchObject({ plane: 'standalone' });
    const before = await run([...trust, ...certificate, 'status']);
    expect(before.code).toBe(0);
  });

  it.each<[string, string[], RegExp]>([
    ['an unknown authority', certificate, /unknown, set --ca to the file/],
    ['no client certificate', trust, /set --cert and --key if it requires a client certificate/],
    [
      'a server with another name',
      [...trust, ...certificate, '--server-name', 'other.example'],
      /set --server-name to a name in the certificate/,
    ],
    ['a missing file', ['--ca', join(dir, 'none')], /^error: the file of --ca cannot be read\n$/],
    ['a certificate without its key', ['--cert', client.certFile], /needs --cert and --key/],
  ])('says what to do about %s, in a sentence', async (_, args, message) => {
    const { code, stderr } = await run(['status', ...args]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
