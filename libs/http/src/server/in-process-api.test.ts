import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { createEvent } from '@assay/contracts';
import { waitFor } from '@assay/testing';
import { jsonResponse } from '../response/response.js';
import type { Binding } from '../routing/bind.js';
import { CALLER, EVENT_ID, KEY, sampleApp } from '../../test/sample-app.js';
import { makeCallApi, type CallApi, type InProcessRequest } from './in-process-api.js';

const EVENT = JSON.stringify({ event_type: 'model', inputs: { q: 1 } });

const call = (callApi: CallApi, more: Partial<InProcessRequest> = {}) =>
  callApi({
    method: 'POST',
    path: '/v1/events',
    headers: { ...KEY, 'content-type': 'application/json', 'x-request-id': 'r-1' },
    body: EVENT,
    remoteAddress: '192.0.2.7',
    maxResponseBytes: 1_000,
    signal: new AbortController().signal,
    ...more,
  });

describe('a request to the API of the process', () => {
  it('is handled like one of a client, with its address and its key', async () => {
    const app = sampleApp();
    const response = await call(makeCallApi(app.listener));
    expect(response).toMatchObject({ status: 200, isComplete: true, headers: { 'x-request-id': 'r-1' } });
    expect(JSON.parse(response.body.toString())).toMatchObject({ event_id: EVENT_ID });
    expect(app.seen.contexts[0]).toMatchObject({ requestId: 'r-1', origin: { address: '192.0.2.7' } });
    const refused = await call(makeCallApi(app.listener), {
      headers: { 'content-type': 'application/json' },
    });
    expect(refused.status).toBe(401);
  });

  it('reads no more of a response than it may', async () => {
    let isClosed = false;
    const callApi = makeCallApi((_, response) => {
      response.on('close', () => (isClosed = true));
      response.write('x'.repeat(100_000));
    });
    const response = await call(callApi, { maxResponseBytes: 10 });
    expect([response.isComplete, response.body.toString()]).toEqual([false, 'x'.repeat(10)]);
    await waitFor('the response is closed', () => isClosed);
  });

  it('fails when the response breaks off, and when it is aborted, which the handler sees', async () => {
    const broken = makeCallApi((_, response) => response.destroy());
    await expect(call(broken)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const abort = new AbortController();
    let isClosed = false;
    const hanging = makeCallApi((request, response) => {
      response.on('close', () => (isClosed = true));
      void once(request.resume(), 'end').then(() => abort.abort());
    });
    await expect(call(hanging, { signal: abort.signal })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await waitFor('the response is closed', () => isClosed);
  });

  it('sends a body of any size', async () => {
    const callApi = makeCallApi((request, response) => {
      void text(request).then((body) => response.end(String(body.length)));
    });
    const response = await call(callApi, { body: 'y'.repeat(3_000_000) });
    expect(response.body.toString()).toBe('3000000');
  });
});

describe('a binding that calls the API', () => {
  const route = { ...createEvent, operation: 'delegate', path: '/delegate', access: 'project' } as const;
  const delegating = (callApi: CallApi): Binding => ({
    route,
    delegates: true,
    async handle({ headers }, { signal }) {
      const { authorization } = headers;
      const { status } = await call(callApi, {
        headers: { authorization, 'content-type': 'application/json' },
        signal,
      });
      return jsonResponse({ status });
    },
  });

  it('needs no permission of its own, and its calls need theirs', async () => {
    const caller = { ...CALLER, permissions: ['runs:read'] };
    const { listener } = sampleApp({
      authenticator: { authenticate: () => Promise.resolve(caller) },
      bindingsOnApi: (onApi) => [delegating(onApi)],
    });
    const callApi = makeCallApi(listener);
    expect(JSON.parse((await call(callApi, { path: '/delegate' })).body.toString())).toEqual({ status: 403 });
    expect((await call(callApi, { path: '/delegate', headers: {} })).status).toBe(401);
    expect((await call(callApi, { path: '/delegate', method: 'GET' })).headers).toMatchObject({
      allow: 'POST',
    });
  });
});
