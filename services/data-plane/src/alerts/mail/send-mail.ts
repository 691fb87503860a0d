import { createTransport } from 'nodemailer';
import type { AlertDelivery, AlertTurn } from '@assay/control-plane-client';
import { makeHourlyLimit } from './hourly-limit.js';
import type { MailOptions } from './mail-options.js';
import { mailText, type AlertMessage } from './mail-text.js';

type Attempt = AlertTurn['sent'][number];
export type SendMail = (
  delivery: AlertDelivery & { readonly to: readonly string[] },
  signal: AbortSignal,
) => Promise<Attempt>;

/** Milliseconds of silence after which the mail server is given up. */
const SILENCE_MS = 5_000;
/** Replies from this on are permanent (RFC 5321, 4.2.1), when they are about the addresses or the message. */
const PERMANENT = 500;
const ABOUT_THE_MESSAGE = ['EENVELOPE', 'EMESSAGE'];
const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;

/**
 * Returns a function that sends a message of an alert as an e-mail to all its addresses, once, over a connection of its own. It never
 * rejects because of the mail server. What a server has accepted for some addresses is not sent again.
 */
export function makeSendMail(
  { url, from, domains, perHour }: MailOptions,
  now: () => number = Date.now,
): SendMail {
  const server = serverOf(url);
  const take = makeHourlyLimit(perHour, now);
  return async function sendMail({ id, to, body }, signal) {
    if (!to.every((address) => domains.includes(domainOf(address)))) return refused(id);
    const message = JSON.parse(body) as AlertMessage;
    if (signal.aborted) return late(id);
    if (!take(message.project_id)) return { id, error: 'too many e-mails of the project', final: false };
    const transport = createTransport(server);
    let stop = () => transport.close();
    const ended = new Promise<never>((_resolve, reject) => {
      stop = () => {
        transport.close();
        reject(new DOMException('the time is over', 'AbortError'));
      };
    });
    signal.addEventListener('abort', stop, { once: true });
    try {
      const { rejected } = await Promise.race([
        transport.sendMail({
          ...{ from, to: [...to], ...mailText(message) },
          // Every attempt has the same, so that a second copy can be recognised.
          messageId: `<${id}@${domainOf(from)}>`,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Assay-Delivery': id },
        }),
        ended,
      ]);
      if (rejected.length === 0) return { id, error: null, final: true };
      return {
        id,
        error: `the mail server refused ${rejected.length} of ${to.length} addresses`,
        final: true,
      };
    } catch (error) {
      return outcomeOf(id, error, signal);
    } finally {
      signal.removeEventListener('abort', stop);
      transport.close();
    }
  };
}

const refused = (id: string): Attempt => ({ id, error: 'refused', final: true });
const late = (id: string): Attempt => ({ id, error: 'timeout', final: false });

function domainOf(address: string): string {
  return address
    .slice(address.lastIndexOf('@') + 1)
    .replace(/>$/, '')
    .toLowerCase();
}

function serverOf(text: string) {
  const { protocol, hostname, port, username, password } = new URL(text);
  const secure = protocol === 'smtps:';
  const user = decodeURIComponent(username);
  return {
    ...{ host: hostname.replace(/^\[(.*)\]$/, '$1'), secure },
    port: port === '' ? PORTS[secure ? 'smtps:' : 'smtp:'] : Number(port),
    // Credentials never leave in the clear.
    ...(user !== '' && { requireTLS: true, auth: { user, pass: decodeURIComponent(password) } }),
    ...{ connectionTimeout: SILENCE_MS, greetingTimeout: SILENCE_MS, socketTimeout: SILENCE_MS },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  };
}

/** The text of an error may name addresses, so only its code is kept. */
function outcomeOf(id: string, error: unknown, signal: AbortSignal): Attempt {
  if (signal.aborted) return late(id);
  const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown };
  if (typeof code !== 'string') throw error;
  if (typeof responseCode === 'number') {
    const isFinal = responseCode >= PERMANENT && ABOUT_THE_MESSAGE.includes(code);
    return { id, error: `status ${responseCode}`, final: isFinal };
  }
  return { id, error: code === 'ETIMEDOUT' ? 'timeout' : 'unreachable', final: false };
}
