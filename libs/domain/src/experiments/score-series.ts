import { listedId, type ScoredSession } from './score-run.js';

/** All scores of one metric on the events of one name. */
export interface ScoreSeries {
  readonly name: string;
  readonly eventName: string;
  /** Type of the first event. */
  readonly eventType: string;
  /** In the order of the sessions; booleans are 1 and 0. */
  readonly values: readonly number[];
  readonly isBoolean: boolean;
  /** Listed ids of the sessions with a score that passed, and with one that did not, each once. */
  readonly passed: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
  /** The datapoint of each value; undefined where the session has none. */
  readonly datapointIds: readonly (string | undefined)[];
}

interface OpenSeries extends ScoreSeries {
  values: number[];
  isBoolean: boolean;
  passed: Set<string>;
  failed: Set<string>;
  datapointIds: (string | undefined)[];
}

/** Returns the series in the order in which they first occur, by their key. A series without a number is left out. */
export function seriesOf(sessions: readonly ScoredSession[]): Map<string, ScoreSeries> {
  const all = new Map<string, OpenSeries>();
  const open = makeOpenSeries(all);
  for (const session of sessions) {
    const id = listedId(session);
    for (const { name, event_name: eventName, event_type: eventType, value, passed } of session.scores) {
      const series = open(name, eventName, eventType);
      series[passed ? 'passed' : 'failed'].add(id);
      if (value === null) continue;
      series.values.push(Number(value));
      series.isBoolean &&= typeof value === 'boolean';
      series.datapointIds.push(session.datapointId);
    }
  }
  return new Map([...all].filter(([, series]) => series.values.length > 0));
}

/** Returns a function that finds or adds a series. It builds the key of a series once, not for every score. */
function makeOpenSeries(all: Map<string, OpenSeries>) {
  const byNames = new Map<string, Map<string, OpenSeries>>();
  return function openSeries(name: string, eventName: string, eventType: string): OpenSeries {
    const ofMetric = byNames.get(name) ?? new Map<string, OpenSeries>();
    const known = ofMetric.get(eventName);
    if (known !== undefined) return known;
    const series = newSeries(name, eventName, eventType);
    byNames.set(name, ofMetric.set(eventName, series));
    all.set(seriesKey(name, eventName), series);
    return series;
  };
}

/** Returns one text for a metric and an event name. */
export function seriesKey(name: string, eventName: string): string {
  return JSON.stringify([name, eventName]);
}

function newSeries(name: string, eventName: string, eventType: string): OpenSeries {
  return {
    name,
    eventName,
    eventType,
    values: [],
    isBoolean: true,
    passed: new Set(),
    failed: new Set(),
    datapointIds: [],
  };
}

/** Returns the scores of each datapoint; those of sessions without one are left out. */
export function byDatapoint({ values, datapointIds }: ScoreSeries): Map<string, number[]> {
  const scores = new Map<string, number[]>();
  datapointIds.forEach((datapointId, index) => {
    const value = values[index];
    if (datapointId === undefined || value === undefined) return;
    const known = scores.get(datapointId);
    if (known === undefined) scores.set(datapointId, [value]);
    else known.push(value);
  });
  return scores;
}
