import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import { startEmbeddedSplit, type EmbeddedSplit } from '../harness/stack/start-embedded-split.js';

interface Listed {
  readonly sessions: (Readonly<Record<string, unknown>> & { readonly session_id: string })[];
  readonly redacted: boolean;
}

describe('sessions on a control plane of its own, with redacted values', () => {
  let stack: EmbeddedSplit;
  beforeAll(async () => {
    stack = await startEmbeddedSplit({ REDACT_VALUES: 'true' });
  }, 120_000);
  afterAll(async () => {
    expect(await stack.stop()).toBe(true);
  }, 60_000);

  const call = async (method: string, url: string, body?: object) => {
    const headers = {
      authorization: `Bearer ${stack.apiKey}`,
      'content-type': 'application/json',
      prefer: 'wait=30',
    };
    const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    expect([url, response.status]).toEqual([url, 200]);
    return response.json();
  };
  const list = async (baseUrl: string, query: string) =>
    (await call('GET', `${baseUrl}/v1/sessions?${query}`)) as Listed;

  it('are the same summaries as those of the data plane, also after updates and deletes', async () => {
    const [run_id, session_id, removed] = [randomUUID(), randomUUID(), randomUUID()];
    const secret = `secret-${randomUUID()}`;
    const event = (event_id: string, fields: object) => ({
      event_id,
      session_id,
      event_type: 'model',
      event_name: 'ask',
      inputs: { q: secret },
      outputs: { a: secret },
      metadata: { run_id },
      ...fields,
    });
    const { baseUrl, controlPlaneUrl } = stack;
    await call('POST', `${baseUrl}/v1/sessions`, { session_id, session_name: 'chat', inputs: { q: secret } });
    await call('POST', `${baseUrl}/v1/sessions`, { session_id: removed, metadata: { run_id } });
    const ids = [randomUUID(), randomUUID(), randomUUID()] as const;
    const events = ids.map((id, n) => event(id, { metrics: { score: n }, error: n === 1 ? secret : null }));
    await call('POST', `${baseUrl}/v1/events/batch`, { events });
    await call('PUT', `${baseUrl}/v1/events/${ids[0]}`, { metrics: { score: 0.5 }, outputs: { a: secret } });
    await call('DELETE', `${baseUrl}/v1/events/${ids[2]}`);
    const wanted = async () => list(baseUrl, `run_id=${run_id}`);
    await waitFor('both sessions are listed by the control plane', async () => {
      const { sessions } = await list(controlPlaneUrl, `run_id=${run_id}`);
      return sessions.length === 2;
    });
    await call('DELETE', `${baseUrl}/v1/sessions/${removed}`);
    await waitFor('the control plane has the same sessions', async () => {
      const [redacted, full] = [await list(controlPlaneUrl, `run_id=${run_id}`), await wanted()];
      return JSON.stringify(redacted.sessions) === JSON.stringify(full.sessions);
    });
    const { sessions, redacted } = await list(controlPlaneUrl, `run_id=${run_id}`);
    expect([redacted, (await wanted()).redacted]).toEqual([true, false]);
    expect(sessions).toMatchObject([
      {
        session_id,
        session_name: 'chat',
        num_events: 2,
        num_errors: 1,
        metrics: [{ name: 'score', count: 2, sum: 1.5, min: 0.5, max: 1 }],
        run_ids: [run_id],
      },
    ]);
    expect(stack.proxy.bytes().includes(secret)).toBe(false);
  });

  it('are forwarded again by an administrator, page by page, which changes nothing', async () => {
    const { baseUrl, controlPlaneUrl, adminToken } = stack;
    const sent = Array.from({ length: 3 }, () => randomUUID());
    for (const session_id of sent) await call('POST', `${baseUrl}/v1/sessions`, { session_id });
    const listed = async () => (await list(controlPlaneUrl, 'limit=100')).sessions;
    await waitFor('the control plane has the sessions', async () => {
      const ids = (await listed()).map(({ session_id }) => session_id);
      return sent.every((id) => ids.includes(id));
    });
    const before = await listed();
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
    const [project] = (await call('GET', `${baseUrl}/v1/projects`)) as { id: string }[];
    let forwarded = 0;
    for (let cursor: string | null | undefined; cursor !== null;) {
      const body = JSON.stringify({ project_id: project?.id, limit: 2, ...(cursor && { cursor }) });
      const options = { method: 'POST', headers, body };
      const response = await fetch(`${baseUrl}/v1/session-summaries/forward`, options);
      expect(response.status).toBe(200);
      const page = (await response.json()) as { forwarded: number; next_cursor: string | null };
      forwarded += page.forwarded;
      cursor = page.next_cursor;
    }
    expect(forwarded).toBe(before.length);
    expect(await listed()).toEqual(before);
  });
});
