import { listedId, splitIds, type ScoredTrial, type Verdicts } from './score-run.js';

/** All scores of one metric on the events of one name. */
export interface ScoreSeries {
  readonly name: string;
  readonly eventName: string;
  /** Type of the first event. */
  readonly eventType: string;
  /** In the order of the trials; booleans are 1 and 0. */
  readonly values: readonly number[];
  readonly isBoolean: boolean;
  /** The listed id of the trial of each score, also of those without a number, and whether the score passed. */
  readonly listedIds: readonly string[];
  readonly passes: readonly boolean[];
  /** The datapoint of each value; undefined where the trial has none. */
  readonly datapointIds: readonly (string | undefined)[];
  /** The trial of each value, by its position in the run. */
  readonly trials: readonly number[];
}

interface OpenSeries extends ScoreSeries {
  values: number[];
  isBoolean: boolean;
  listedIds: string[];
  passes: boolean[];
  datapointIds: (string | undefined)[];
  trials: number[];
}

/** Returns the series in the order in which they first occur, by their key. A series without a number is left out. */
export function seriesOf(trials: readonly ScoredTrial[]): Map<string, ScoreSeries> {
  const all = new Map<string, OpenSeries>();
  const open = makeOpenSeries(all);
  trials.forEach((trial, index) => {
    const id = listedId(trial);
    for (const { name, event_name: eventName, event_type: eventType, value, passed } of trial.scores) {
      const series = open(name, eventName, eventType);
      series.listedIds.push(id);
      series.passes.push(passed);
      if (value === null) continue;
      series.values.push(Number(value));
      series.isBoolean &&= typeof value === 'boolean';
      series.datapointIds.push(trial.datapointId);
      series.trials.push(index);
    }
  });
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
    listedIds: [],
    passes: [],
    datapointIds: [],
    trials: [],
  };
}

/** Returns the listed ids whose scores all passed, and those with one that did not, each once, in the order of the scores. */
export function verdictsOfSeries({ listedIds, passes }: ScoreSeries): Verdicts {
  const lost = new Set<string>();
  passes.forEach((passed, index) => {
    const id = listedIds[index];
    if (!passed && id !== undefined) lost.add(id);
  });
  return splitIds(new Set(listedIds), lost);
}

/** Returns the scores of each datapoint; those of trials without one are left out. */
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
