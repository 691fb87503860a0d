import { flood, type Flood } from './flood.js';

/** One load as a process of its own: takes a {@link Flood} as its first message, answers with the result, and ends. */
process.once('message', (load: Flood) => {
  void flood(load).then((result) => process.send?.(result, () => process.disconnect()));
});
process.send?.('ready');
