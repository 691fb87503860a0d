import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestAuthority } from '@assay/runtime/test/test-certificates';
import { sendOverTls } from '../harness/stack/https-client.js';
import type { Stack } from '../harness/stack/stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';

describe('the single process with certificates', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-encrypted-ports-'));
  const authority = createTestAuthority(dir, 'authority');
  const [api, admin, client] = [authority.issue('api'), authority.issue('admin'), authority.issue('client')];
  const { caFile } = authority;
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStandalone({
      ASSAY_TLS_CERT_FILE: api.certFile,
      ASSAY_TLS_KEY_FILE: api.keyFile,
      ASSAY_TLS_CLIENT_CA_FILE: caFile,
      ASSAY_ADMIN_TLS_CERT_FILE: admin.certFile,
      ASSAY_ADMIN_TLS_KEY_FILE: admin.keyFile,
      EVALUATE_EVENTS: 'false',
    });
  });
  afterAll(async () => {
    await stack.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  it('stores an event of a client with a certificate and returns it', async () => {
    expect(stack.baseUrl).toMatch(/^https:/);
    const headers = { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' };
    const event_id = randomUUID();
    const event = { event_id, event_type: 'tool', event_name: 'lookup', inputs: {} };
    const created = await sendOverTls(`${stack.baseUrl}/v1/events`, {
      caFile,
      client,
      method: 'POST',
      headers,
      body: event,
    });
    expect(created.status).toBe(200);
    const read = await sendOverTls(`${stack.baseUrl}/v1/events/${event_id}`, {
      caFile,
      client,
      headers: { ...headers, prefer: 'wait=30' },
    });
    expect(JSON.parse(read.body)).toMatchObject({ event: { event_id, event_name: 'lookup' } });
  });

  it('refuses a client without a certificate', async () => {
    await expect(sendOverTls(`${stack.baseUrl}/healthz`, { caFile })).rejects.toThrow();
  });

  it('serves probes on the admin port without a client certificate', async () => {
    expect(await sendOverTls(`${stack.adminUrl('standalone')}/readyz`, { caFile })).toMatchObject({
      status: 200,
    });
  });
});
