import type { ConfigOf, alertSettings } from '@assay/runtime';

/** The mail server of the operator. */
export interface MailOptions {
  /** `smtp` or `smtps`, with the credentials. */
  readonly url: string;
  /** Address of the sender, also with a name. */
  readonly from: string;
  /** Domains of addresses that may get e-mails, in lower case. */
  readonly domains: readonly string[];
  /** Attempts per project and hour. */
  readonly perHour: number;
}

/** Where messages of alerts may go. */
export interface AlertReceivers {
  /** Hosts of webhooks that may have private addresses, plain HTTP and any port. */
  readonly allowedHosts: readonly string[];
  /** Absent: there are no e-mails. */
  readonly mail?: MailOptions | undefined;
}

export function alertReceivers(config: ConfigOf<typeof alertSettings>): AlertReceivers {
  const {
    alertAllowedHosts: allowedHosts,
    alertSmtpUrl: url,
    alertMailFrom: from,
    alertMailDomains,
    alertMailPerHour: perHour,
  } = config;
  const domains = alertMailDomains.map((domain) => domain.toLowerCase());
  return {
    allowedHosts,
    mail: url !== undefined && from !== undefined ? { url, from, domains, perHour } : undefined,
  };
}
