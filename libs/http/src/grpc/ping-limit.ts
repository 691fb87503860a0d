import { constants, type ServerHttp2Session } from 'node:http2';

/** Pings that a client may send in a minute without a call. */
const MAX_PINGS = 30;
const WINDOW_MS = 60_000;
/** The text by which gRPC clients know to ping less often. */
const TOO_MANY_PINGS = Buffer.from('too_many_pings');

/** Closes the session of a client that sends more pings than keepalive needs. @returns what to call when a call begins */
export function limitPings(session: ServerHttp2Session): () => void {
  let pings = 0;
  let windowStart = performance.now();
  const restart = () => {
    pings = 0;
    windowStart = performance.now();
  };
  session.on('ping', () => {
    if (performance.now() - windowStart > WINDOW_MS) restart();
    pings++;
    if (pings > 2 * MAX_PINGS) session.destroy();
    if (pings !== MAX_PINGS + 1 || session.closed) return;
    session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, 0, TOO_MANY_PINGS);
    session.close();
  });
  return restart;
}
