import { validationError } from '@assay/errors';

const DAY_MS = 86_400_000;

/** Calendar of a time zone. Local times are Unix milliseconds of the same wall-clock time in UTC. */
export class ZoneClock {
  readonly #format: Intl.DateTimeFormat;

  /** @throws AppError `VALIDATION_ERROR` for an unknown time zone */
  constructor(timezone: string) {
    try {
      this.#format = new Intl.DateTimeFormat('en-US', { ...DATE_PARTS, timeZone: timezone });
    } catch (cause) {
      throw validationError('timezone must be the IANA name of a time zone, such as Europe/Berlin', {
        cause,
      });
    }
  }

  /** First moment of a local day, which is later than midnight where the clocks skip it. */
  startOfDay(local: number): number {
    const before = local - this.#offset(local - DAY_MS);
    const after = local - this.#offset(local + DAY_MS);
    const midnights = [before, after].filter((time) => this.local(time) === local);
    return midnights.length > 0 ? Math.min(...midnights) : before;
  }

  /** The local time. */
  local(time: number): number {
    const whole = Math.floor(time / 1_000) * 1_000;
    const parts = new Map(this.#format.formatToParts(whole).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
    const date = Date.UTC(part('year'), part('month') - 1, part('day'));
    return (
      date + part('hour') * 3_600_000 + part('minute') * 60_000 + part('second') * 1_000 + (time - whole)
    );
  }

  #offset(time: number): number {
    return this.local(time) - time;
  }
}

const DATE_PARTS: Intl.DateTimeFormatOptions = {
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
};
