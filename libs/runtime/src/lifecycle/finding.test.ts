import { inspectClock, inspectVersion, refuseFaults } from './finding.js';

const NOW = 1_790_000_000_000;
const TEN_YEARS_MS = 10 * 365 * 24 * 3_600_000;

describe('the inspection of a server', () => {
  it.each([
    ['24.8.1.2684', '24.8', true],
    ['24.10', '24.8', true],
    ['24.3.9', '24.8', false],
    ['7', '7.0', true],
    ['4.4.29', '5.0', false],
  ])('compares version %s with %s', (version, oldest, ok) => {
    expect(inspectVersion('ClickHouse', version, { oldest })).toMatchObject({
      name: 'ClickHouse version',
      ok,
    });
  });

  it.each([
    ['26.9.2.1', '26.9.2.1, tested: 25.8 to 26.9'],
    ['25.8.1', '25.8.1, tested: 25.8 to 26.9'],
    ['26.10.1.1', '26.10.1.1, newer than 26.9, the newest version that is tested'],
    ['27.1.1', '27.1.1, newer than 26.9, the newest version that is tested'],
  ])('accepts version %s, and says when it is newer than the tested ones', (version, detail) => {
    const finding = inspectVersion('ClickHouse', version, { oldest: '25.8', newest: '26.9' });
    expect(finding).toMatchObject({ ok: true, detail });
  });

  it.each([
    [0, true],
    [59_000, true],
    [-61_000, false],
    [TEN_YEARS_MS, false],
  ])('compares clocks that differ by %d ms', (difference, ok) => {
    expect(inspectClock('MongoDB', NOW + difference, NOW)).toMatchObject({ ok });
  });

  it('warns of what needs attention, and of nothing else', () => {
    const warned: unknown[] = [];
    const warn = (_phrase: string, fields: object = {}) =>
      void warned.push(Reflect.get(fields, 'dependency'));
    const versions = { oldest: '25.8', newest: '26.9' };
    refuseFaults(
      [
        inspectVersion('ClickHouse', '26.1', versions),
        inspectVersion('a newer ClickHouse', '27.1', versions),
        inspectClock('MongoDB', NOW - 120_000, NOW),
      ],
      { warn },
    );
    expect(warned).toEqual(['a newer ClickHouse version', 'MongoDB clock']);
  });

  it('refuses the start with one sentence for each fault, and exit code 78', () => {
    const good = inspectVersion('ClickHouse', '25.1', { oldest: '24.8' });
    const faults = [
      inspectVersion('MongoDB', '4.4.0', { oldest: '5.0' }),
      inspectClock('MongoDB', NOW - TEN_YEARS_MS, NOW),
    ];
    expect(() => refuseFaults([good, inspectClock('MongoDB', NOW - 120_000, NOW)])).not.toThrow();
    expect(() => refuseFaults([good, ...faults])).toThrow(
      expect.objectContaining({
        exitCode: 78,
        message:
          'MongoDB version: 4.4.0 is older than 5.0, upgrade it to 5.0 or newer\n' +
          'MongoDB clock: is -315360000 s ahead of this process, synchronise the clocks of both machines, for example with NTP',
      }) as Error,
    );
  });
});
