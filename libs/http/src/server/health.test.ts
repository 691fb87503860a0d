import { createMetrics } from '@assay/runtime';
import request from 'supertest';
import { sampleApp } from '../../test/sample-app.js';
import { createAdminApp } from './admin-app.js';
import { makeDiagnose } from './diagnose.js';
import { createHealth } from './health.js';

const failing = () => Promise.reject(new Error('stuck'));

describe('createHealth', () => {
  it('runs the checks at most once a second, also for concurrent requests', async () => {
    let runs = 0;
    let time = 0;
    const check = () => Promise.resolve(void runs++);
    const health = createHealth({ checks: { log: check } }, () => time);
    await Promise.all(Array.from({ length: 100 }, () => health.readiness()));
    time = 999;
    await health.readiness();
    expect(runs).toBe(1);
    time = 1000;
    expect((await health.readiness()).status).toBe(200);
    expect(runs).toBe(2);
  });

  it('reports a shutdown immediately', async () => {
    let isDraining = false;
    const health = createHealth({ isDraining: () => isDraining });
    expect((await health.readiness()).status).toBe(200);
    isDraining = true;
    expect((await health.readiness()).status).toBe(503);
  });
});

describe('/healthz', () => {
  it('is 503 with the names of failing liveness checks, on the API and on the admin port', async () => {
    const health = { liveness: { reader: failing, other: () => Promise.resolve() }, checks: {} };
    const options = { service: 'test', version: '1', checks: {}, liveness: {}, inspections: {} };
    const diagnose = makeDiagnose(options);
    const admin = createAdminApp({ metrics: createMetrics({ processMetrics: false }), health, diagnose });
    for (const listener of [sampleApp({ health }).listener, admin]) {
      const response = await request(listener).get('/healthz');
      expect(response.status).toBe(503);
      expect(response.body).toEqual({ status: 'failing', failing: ['reader'] });
      expect((await request(listener).get('/readyz')).status).toBe(200);
    }
  });

  it('is 200 while only a dependency fails', async () => {
    const { listener } = sampleApp({ health: { checks: { log: failing } } });
    expect((await request(listener).get('/healthz')).body).toEqual({ status: 'ok' });
    const ready = await request(listener).get('/readyz');
    expect([ready.status, ready.body]).toEqual([503, { ready: false, draining: false, failing: ['log'] }]);
  });
});

describe('/doctor', () => {
  it('reports every check and inspection, and those that fail without their message', async () => {
    const diagnose = makeDiagnose({
      service: 'test',
      version: '1',
      checks: { log: failing },
      liveness: { reader: () => Promise.resolve() },
      inspections: {
        store: () => Promise.resolve([{ name: 'store version', ok: true, detail: '25.1' }]),
        other: () => Promise.reject(new Error('secret-host')),
      },
    });
    const admin = createAdminApp({ metrics: createMetrics({ processMetrics: false }), health: {}, diagnose });
    const response = await request(admin).get('/doctor');
    const diagnosis = response.body as { findings: { name: string; ok: boolean }[] };
    expect(diagnosis).toMatchObject({ service: 'test', version: '1', node: process.version, ok: false });
    expect(diagnosis.findings.map(({ name, ok }) => [name, ok])).toEqual([
      ['reader', true],
      ['log', false],
      ['store version', true],
      ['other', false],
    ]);
    expect(response.text).not.toContain('secret-host');
  });
});
