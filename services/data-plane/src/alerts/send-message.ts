import { createHmac } from 'node:crypto';
import type { AlertDelivery, AlertTurn } from '@assay/control-plane-client';
import { OutboundError, type OutboundHttp } from '@assay/judges/outbound';
import type { AlertReceivers, MailOptions } from './mail/mail-options.js';
import type { SendMail } from './mail/send-mail.js';

export interface SendMessageDeps {
  readonly outbound: Pick<OutboundHttp, 'post'>;
  readonly receivers: AlertReceivers;
  /** Unix milliseconds. */
  readonly now: () => number;
}

type Attempt = AlertTurn['sent'][number];

const TIMEOUT_MS = 5_000;
/** A mail server responds to several commands. */
const MAIL_TIMEOUT_MS = 10_000;
/** The receiver is gone for ever. */
const GONE = 410;

/** Returns a function that sends a message once and returns the outcome. It never rejects because of the receiver. */
export function makeSendMessage(deps: SendMessageDeps) {
  const post = makePost(deps);
  const mail = makeMail(deps.receivers.mail);
  return async function sendMessage(delivery: AlertDelivery, stopping: AbortSignal): Promise<Attempt> {
    const { to } = delivery;
    const limit = new AbortController();
    const abort = () => limit.abort(stopping.reason);
    const end = () => limit.abort(new DOMException('timeout', 'TimeoutError'));
    const timer = setTimeout(end, to === undefined ? TIMEOUT_MS : MAIL_TIMEOUT_MS);
    stopping.addEventListener('abort', abort, { once: true });
    try {
      return await (to === undefined
        ? post(delivery, limit.signal)
        : mail({ ...delivery, to }, limit.signal));
    } finally {
      clearTimeout(timer);
      stopping.removeEventListener('abort', abort);
    }
  };
}

function makePost({ outbound, receivers: { allowedHosts }, now }: SendMessageDeps) {
  return async function post(
    { id, url, secret, body }: AlertDelivery,
    signal: AbortSignal,
  ): Promise<Attempt> {
    const headers = { 'user-agent': 'assay-alerts', 'x-assay-delivery': id, ...signed(body, secret, now()) };
    try {
      const { status } = await outbound.post({ url, headers, body, allowedHosts }, signal);
      if (status >= 200 && status < 300) return { id, error: null, final: true };
      return { id, error: `status ${status}`, final: status === GONE };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { id, error: error.reason, final: error.reason === 'refused' };
    }
  };
}

/** The client of mail servers is loaded with the first e-mail. */
function makeMail(options: MailOptions | undefined): SendMail {
  let loaded: Promise<SendMail> | undefined;
  return async function mail(delivery, signal) {
    if (options === undefined) return { id: delivery.id, error: 'no mail server is configured', final: true };
    loaded ??= import('./mail/send-mail.js').then(({ makeSendMail }) => makeSendMail(options));
    return (await loaded)(delivery, signal);
  };
}

/** The signature is over the time and the body, so that a receiver can refuse what is old. */
function signed(body: string, secret: string | null, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  if (secret === null) return { 'x-assay-timestamp': timestamp };
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { 'x-assay-timestamp': timestamp, 'x-assay-signature': `v1=${signature}` };
}
