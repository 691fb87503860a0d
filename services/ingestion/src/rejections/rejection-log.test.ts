import { RejectionLog, type Rejection } from './rejection-log.js';

const rejection = (over: Partial<Rejection> = {}): Rejection => ({
  projectId: 'p',
  route: 'POST /v1/events',
  status: 400,
  reason: 'VALIDATION_ERROR',
  message: 'events[2].start_time must be a finite number',
  client: 'python-httpx/0.28.1',
  ...over,
});

describe('the rejections of projects', () => {
  const at = Date.UTC(2026, 10, 1);
  let log: RejectionLog;
  beforeEach(() => (log = new RejectionLog(() => at)));

  it('have the time, route, reason, field and client', () => {
    log.add(rejection());
    expect(log.list('p')).toEqual([
      {
        at: '2026-11-01T00:00:00.000Z',
        route: 'POST /v1/events',
        status: 400,
        reason: 'VALIDATION_ERROR',
        message: 'events[2].start_time must be a finite number',
        field: 'events[2].start_time',
        client: 'python-httpx/0.28.1',
      },
    ]);
    expect(log.list('other')).toEqual([]);
  });

  it.each([
    ['event_type is required', 'event_type'],
    ['metadata.x is not a field of this request', 'metadata.x'],
    ['body must be an object', null],
    ['the project sends more than can be stored at the moment', null],
    ['this key lacks the permission events:write', null],
  ])('name the field of "%s"', (message, field) => {
    log.add(rejection({ message }));
    expect(log.list('p')[0]?.field).toBe(field);
  });

  it('are bounded per project, per text and in projects, newest first', () => {
    for (let n = 0; n < 150; n++) log.add(rejection({ status: n, client: 'é'.repeat(500) }));
    const list = log.list('p');
    expect([list.length, list[0]?.status, list[99]?.status]).toEqual([100, 149, 50]);
    expect(list[0]?.client).toBe('?'.repeat(200));
    for (let n = 0; n < 300; n++) log.add(rejection({ projectId: `p${n}` }));
    expect([log.list('p').length, log.list('p0').length, log.list('p299').length]).toEqual([0, 0, 1]);
  });
});
