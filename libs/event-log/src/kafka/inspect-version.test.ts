import { toFinding } from './inspect-version.js';

const FETCH = 1;
const METADATA = 3;

describe('the version of Kafka', () => {
  it.each([
    ['2.8 or newer', { maxVersion: 12, minVersion: 0 }],
    ['3.1 or newer', { maxVersion: 13, minVersion: 0 }],
    ['3.9 or newer', { maxVersion: 17, minVersion: 0 }],
    ['4.0 or newer', { maxVersion: 17, minVersion: 4 }],
    ['4.1 or newer', { maxVersion: 19, minVersion: 4 }],
  ])('is %s by its fetch requests', (detail, fetch) => {
    const versions = { [FETCH]: fetch, [METADATA]: { maxVersion: 12, minVersion: 0 } };
    expect(toFinding(versions)).toEqual({ name: 'Kafka version', ok: true, detail });
  });

  it('is a fault before topics have ids', () => {
    expect(toFinding({ [METADATA]: { maxVersion: 9, minVersion: 0 } })).toMatchObject({
      ok: false,
      mayStart: true,
      advice: 'upgrade it to 2.8 or newer',
    });
  });
});
