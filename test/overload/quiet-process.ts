import { startQuietLoad, type QuietLoad } from './quiet-load.js';

/** Sends the load of a quiet project: receives it as its first message; at the second one it stops, sends the result and exits. */
process.once('message', (load: QuietLoad) => {
  const stop = startQuietLoad(load);
  process.once('message', () => {
    void stop().then((result) => process.send?.(result, () => process.disconnect()));
  });
});
process.send?.('ready');
