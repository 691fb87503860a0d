import { createMetrics, TemporaryLogLevel, type LeveledLogger } from '@assay/runtime';
import { silentLogger } from '@assay/testing';
import request from 'supertest';
import { createAdminApp } from './admin-app.js';
import { makeDiagnose } from './diagnose.js';

const PATH = '/log-level';

function adminApp() {
  const logger: LeveledLogger = { ...silentLogger, level: 'info' };
  const metrics = createMetrics({ processMetrics: false });
  const diagnose = makeDiagnose({ service: 'test', version: '1', checks: {}, liveness: {}, inspections: {} });
  const listener = createAdminApp({ metrics, health: {}, diagnose, logLevel: new TemporaryLogLevel(logger) });
  return { logger, listener };
}

describe('PUT /log-level of the admin port', () => {
  it('sets the level for the given time and says when it ends', async () => {
    const { logger, listener } = adminApp();
    const before = Date.now();
    const response = await request(listener).put(PATH).send({ level: 'debug', seconds: 600 });
    expect([response.status, response.body]).toMatchObject([200, { level: 'debug', configured: 'info' }]);
    const { expiresAt } = response.body as { expiresAt: string };
    expect(Date.parse(expiresAt)).toBeGreaterThanOrEqual(before + 600_000);
    expect(Date.parse(expiresAt)).toBeLessThanOrEqual(Date.now() + 600_000);
    expect(logger.level).toBe('debug');
    expect((await request(listener).get(PATH)).body).toEqual(response.body);
  });

  it.each<[string, string | object, string, number]>([
    [
      'an unknown level',
      { level: 'trace', seconds: 1 },
      'level must be one of error, warn, info, debug',
      400,
    ],
    ['no level', { seconds: 1 }, 'level must be one of error, warn, info, debug', 400],
    ['no time', { level: 'debug' }, 'seconds must be an integer from 1 to 3600', 400],
    ['no time at all', { level: 'debug', seconds: 0 }, 'seconds must be an integer from 1 to 3600', 400],
    [
      'more than an hour',
      { level: 'debug', seconds: 3601 },
      'seconds must be an integer from 1 to 3600',
      400,
    ],
    ['a fraction', { level: 'debug', seconds: 1.5 }, 'seconds must be an integer from 1 to 3600', 400],
    [
      'text for a number',
      { level: 'debug', seconds: '60' },
      'seconds must be an integer from 1 to 3600',
      400,
    ],
    [
      'another field',
      { level: 'debug', seconds: 1, x: 1 },
      'body has a field besides level and seconds',
      400,
    ],
    ['a list', [], 'body must be an object with level and seconds', 400],
    ['a large body', { level: 'debug', x: 'x'.repeat(2_000) }, 'body must not exceed', 413],
    ['malformed JSON', '{"level"', 'body', 400],
  ])('refuses %s, names the field and changes nothing', async (_, body, message, status) => {
    const { logger, listener } = adminApp();
    const sent = request(listener).put(PATH).set('Content-Type', 'application/json');
    const response = await sent.send(typeof body === 'string' ? body : JSON.stringify(body));
    expect([response.status, (response.body as { message: string }).message]).toEqual([
      status,
      expect.stringContaining(message) as string,
    ]);
    expect(logger.level).toBe('info');
  });

  it('refuses a form, which a page of another origin could send without being asked', async () => {
    const { logger, listener } = adminApp();
    const response = await request(listener)
      .put(PATH)
      .type('text/plain')
      .send('{"level":"debug","seconds":1}');
    expect([response.status, logger.level]).toEqual([415, 'info']);
  });
});
