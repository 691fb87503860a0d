import { mean } from './aggregate.js';
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
  /** Scores by datapoint; those of sessions without a datapoint are not in it. */
  readonly byDatapoint: ReadonlyMap<string, DatapointScores>;
}

/** The scores of one datapoint. */
export interface DatapointScores {
  readonly values: readonly number[];
}

interface OpenSeries extends ScoreSeries {
  values: number[];
  isBoolean: boolean;
  passed: Set<string>;
  failed: Set<string>;
  byDatapoint: Map<string, { values: number[] }>;
}

/** Returns the series in the order in which they first occur, by their key. A series without a number is left out. */
export function seriesOf(sessions: readonly ScoredSession[]): Map<string, ScoreSeries> {
  const all = new Map<string, OpenSeries>();
  const open = makeOpenSeries(all);
  for (const session of sessions) {
    for (const { name, eventName, eventType, value, passed } of session.scores) {
      const series = open(name, eventName, eventType);
      series[passed ? 'passed' : 'failed'].add(listedId(session));
      if (value === null) continue;
      series.values.push(Number(value));
      series.isBoolean &&= typeof value === 'boolean';
      if (session.datapointId !== undefined) addTo(series, session.datapointId, Number(value));
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

/** Returns the mean of the scores of a datapoint. */
export function scoreOfDatapoint({ values }: DatapointScores): number {
  return mean(values);
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
    byDatapoint: new Map(),
  };
}

function addTo(series: OpenSeries, datapointId: string, value: number): void {
  const scores = series.byDatapoint.get(datapointId);
  if (scores === undefined) series.byDatapoint.set(datapointId, { values: [value] });
  else scores.values.push(value);
}
