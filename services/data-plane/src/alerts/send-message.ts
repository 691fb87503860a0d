import { createHmac } from 'node:crypto';
import type { AlertDelivery, AlertTurn } from '@assay/control-plane-client';
import { OutboundError, type OutboundHttp } from '@assay/judges/outbound';

export interface SendMessageDeps {
  readonly outbound: Pick<OutboundHttp, 'post'>;
  /** Hosts that may have private addresses, plain HTTP and any port. */
  readonly allowedHosts: readonly string[];
  /** Unix milliseconds. */
  readonly now: () => number;
}

type Attempt = AlertTurn['sent'][number];

const TIMEOUT_MS = 5_000;
/** The receiver is gone for ever. */
const GONE = 410;

/** Returns a function that sends a message once and returns the outcome. It never rejects because of the receiver. */
export function makeSendMessage({ outbound, allowedHosts, now }: SendMessageDeps) {
  return async function sendMessage(
    { id, url, secret, body }: AlertDelivery,
    stopping: AbortSignal,
  ): Promise<Attempt> {
    const headers = { 'user-agent': 'assay-alerts', 'x-assay-delivery': id, ...signed(body, secret, now()) };
    const limit = new AbortController();
    const abort = () => limit.abort(stopping.reason);
    const timer = setTimeout(() => limit.abort(new DOMException('timeout', 'TimeoutError')), TIMEOUT_MS);
    stopping.addEventListener('abort', abort, { once: true });
    try {
      const { status } = await outbound.post({ url, headers, body, allowedHosts }, limit.signal);
      if (status >= 200 && status < 300) return { id, error: null, final: true };
      return { id, error: `status ${status}`, final: status === GONE };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { id, error: error.reason, final: error.reason === 'refused' };
    } finally {
      clearTimeout(timer);
      stopping.removeEventListener('abort', abort);
    }
  };
}

/** The signature is over the time and the body, so that a receiver can refuse what is old. */
function signed(body: string, secret: string | null, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  if (secret === null) return { 'x-assay-timestamp': timestamp };
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { 'x-assay-timestamp': timestamp, 'x-assay-signature': `v1=${signature}` };
}
