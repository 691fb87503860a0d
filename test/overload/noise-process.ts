import { makeNoise, type NoiseKind, type NoiseTarget } from './noise.js';

/** Makes noise: receives the target as its first message; at the second one it stops, sends the result and exits. */
process.once('message', ({ target, kinds }: { target: NoiseTarget; kinds?: readonly NoiseKind[] }) => {
  const noise = makeNoise(target, kinds);
  process.once('message', () => {
    void noise.stop().then((result) => process.send?.(result, () => process.disconnect()));
  });
});
process.send?.('ready');
