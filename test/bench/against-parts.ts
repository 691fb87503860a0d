import { measureAgainst } from './against.js';
import type { Part } from './part.js';
import { SEARCH_EVENTS } from './search.js';
import { measureSearchAgainst, measureSearchWithoutHints } from './search-against.js';

/** Medians of alternating pairs: another commit and the working tree. */
export const against = (ref: string): Part => ({
  title: `against ${ref}: µs of CPU per event, medians of alternating pairs`,
  columns: ['case', 'events', 'bare Node', ref, 'working tree', 'ratio', 'MB resident', 'before'],
  async *rows(filter) {
    for await (const { name, events, residentMegabytes, ratio, ...costs } of measureAgainst(ref, filter)) {
      const { floor, other, mine } = costs;
      const { mine: now, other: before } = residentMegabytes ?? {};
      const resident = [now, before].map((megabytes) => (megabytes ? Math.round(megabytes) : ''));
      yield [
        name,
        events,
        ...[floor, other, mine].map((cost) => cost?.toFixed(1) ?? ''),
        ratio.toFixed(3),
        ...resident,
      ];
    }
  },
});

/** Medians of alternating rounds of the queries: another commit and the working tree. */
export const searchAgainst = (ref: string): Part => ({
  title: `search against ${ref}: ms of CPU of a query among ${SEARCH_EVENTS.toLocaleString('en')} events, medians of alternating rounds`,
  columns: ['query', ref, 'working tree', 'ratio', 'ratio in each order', 'ratio of the durations'],
  async *rows() {
    for await (const { name, other, mine, cpuRatio, cpuRatios, durationRatio } of measureSearchAgainst(ref))
      yield [
        ...[name, other.toFixed(1), mine.toFixed(1), cpuRatio.toFixed(3)],
        ...[cpuRatios.map((ratio) => ratio.toFixed(3)).join(', '), durationRatio.toFixed(3)],
      ];
  },
});

/** Medians of alternating rounds of the queries that a hint begins: with an event store that remembers nothing, and as it is. */
export const searchWithoutHints: Part = {
  title: `search without hints: ms of CPU of a query among ${SEARCH_EVENTS.toLocaleString('en')} events, medians of alternating rounds`,
  columns: ['hint', 'query', 'without', 'with', 'gain of CPU', 'in each order', 'gain of the duration'],
  async *rows() {
    for await (const { name, hint, other, mine, ...ratios } of measureSearchWithoutHints())
      yield [
        ...[hint, name, other.toFixed(1), mine.toFixed(1), gain(ratios.cpuRatio)],
        ...[ratios.cpuRatios.map(gain).join(', '), gain(ratios.durationRatio)],
      ];
  },
};

const gain = (ratio: number) => `${((1 - ratio) * 100).toFixed(1)} %`;
