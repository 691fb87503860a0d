import { PART_BYTES, partLength } from './continue-page.js';

const MEGABYTE = 1024 ** 2;
const sized = (...sizes: number[]) =>
  sizes.map((payloadBytes) => ({ eventId: '', sessionId: '', startHour: 0, payloadBytes }));

describe('the first part of a page', () => {
  it.each([
    ['all small events', sized(1, 2, 3), 3],
    ['the events that fit', sized(3 * MEGABYTE, 3 * MEGABYTE, 3 * MEGABYTE, 1), 2],
    ['an event that does not fit, alone', sized(PART_BYTES + 1, 1), 1],
    ['events up to its exact size', sized(PART_BYTES - 1, 1, 1), 2],
    ['a bounded number of events', sized(...Array<number>(1_500).fill(10)), 1_000],
    ['nothing of an empty page', [], 0],
  ])('contains %s', (_title, unread, length) => {
    expect(partLength(unread)).toBe(length);
  });
});
