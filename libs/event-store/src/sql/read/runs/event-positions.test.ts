import { randomUUID } from 'node:crypto';
import { randomFrom } from '@assay/event-rows/test/random-fixture';
import { EventPositions } from './event-positions.js';

describe('positions of event ids', () => {
  it('are those of a map, whatever the ids', () => {
    const seed = Date.now() % 1_000_000;
    const random = randomFrom(seed);
    const ids = Array.from({ length: 20_000 }, () => randomUUID());
    const [positions, expected] = [new EventPositions(), new Map<string, number>()];
    for (let step = 0; step < 60_000; step++) {
      const id = ids[Math.floor(random() * ids.length)]!;
      const position = expected.get(id) ?? expected.size;
      expected.set(id, position);
      if (positions.add(id) !== position)
        throw new Error(`seed ${seed}: expected position ${position} of ${id}`);
    }
  });

  it('are those of a map when many ids have the same hash', () => {
    const ids = idsOfSameHash(10);
    const positions = new EventPositions();
    for (const _time of [1, 2])
      expect(ids.map((id) => positions.add(id))).toEqual(ids.map((_id, index) => index));
  });
});

/** Returns 2 ** `blocks` texts: after each block of both kinds, the hash is the same. */
function idsOfSameHash(blocks: number): string[] {
  const texts = [''];
  let hash = 2_166_136_261 | 0;
  for (let block = 0; block < blocks; block++) {
    const known = new Map<number, string>();
    for (let number = 0; ; number++) {
      const text = number.toString(36);
      const next = [...text].reduce((all, letter) => Math.imul(all ^ letter.charCodeAt(0), 16_777_619), hash);
      const other = known.get(next);
      known.set(next, text);
      if (other === undefined) continue;
      texts.splice(0, texts.length, ...texts.flatMap((one) => [one + text, one + other]));
      hash = next;
      break;
    }
  }
  return texts;
}
