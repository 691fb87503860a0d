import { flood, type Flood } from './flood.js';

/** Runs one load: receives a {@link Flood} as its first message, sends the result back and exits. */
process.once('message', (load: Flood) => {
  void flood(load).then((result) => process.send?.(result, () => process.disconnect()));
});
process.send?.('ready');
