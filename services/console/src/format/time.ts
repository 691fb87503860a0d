import { MISSING } from './number.js';

/** In which zone times are drawn. */
export type Zone = 'local' | 'utc';

interface Clock {
  readonly day: Intl.DateTimeFormat;
  readonly time: Intl.DateTimeFormat;
}

const clocks: Readonly<Record<Zone, Clock>> = { local: clockIn(undefined), utc: clockIn('UTC') };

function clockIn(timeZone: string | undefined): Clock {
  return {
    day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone }),
    time: new Intl.DateTimeFormat('en-GB', {
      ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', timeZone },
      fractionalSecondDigits: 3,
    }),
  };
}

/** Returns the time of the day, with the date before it unless that is the day of `now`. */
export function formatTime(at: number | null | undefined, zone: Zone, now: number): string {
  if (at === null || at === undefined || !Number.isFinite(at)) return MISSING;
  const { day, time } = clocks[zone];
  const date = day.format(at);
  if (date === day.format(now)) return time.format(at);
  const year = date.slice(-4) === day.format(now).slice(-4);
  return `${year ? date.slice(0, -5) : date} ${time.format(at).slice(0, 8)}`;
}

const DAY_S = 86_400;

/** Returns the texts of an axis of times, Unix seconds: the day where it begins, and times of the day where there is room for them. */
export function formatAxis(times: readonly number[], zone: Zone): readonly string[] {
  const { day, time } = clocks[zone];
  const isLong = (times.at(-1) ?? 0) - (times[0] ?? 0) > 2 * DAY_S;
  return times.map((at) => {
    const clock = time.format(at * 1_000).slice(0, 5);
    if (clock === '00:00') return day.format(at * 1_000).slice(0, -5);
    return isLong ? '' : clock;
  });
}

/** As {@link formatTime}, in whole seconds. */
export function formatSeconds(at: number, zone: Zone, now: number): string {
  return formatTime(at, zone, now).replace(/\.\d{3}$/, '');
}

/** Returns the time as ISO 8601, for tooltips and copies. */
export function isoTime(at: number | null | undefined): string {
  return at === null || at === undefined || Math.abs(at) > 8.64e15 ? MISSING : new Date(at).toISOString();
}

/** Returns the name of the zone, as the bar names it. */
export function zoneName(zone: Zone): string {
  return zone === 'utc' ? 'UTC' : (clocks.local.time.resolvedOptions().timeZone ?? 'local time');
}
