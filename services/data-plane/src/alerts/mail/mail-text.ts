import { Environment, Template } from 'nunjucks';

/** What the control plane says of a change of an alert, in part. */
export interface AlertMessage {
  readonly event: 'firing' | 'resolved' | 'no_data' | 'ended' | 'test';
  readonly alert_name: string;
  readonly alert_id: string;
  readonly project_id: string;
  readonly metric: string;
  readonly func: string | null;
  readonly operator: string;
  readonly compare: string;
  readonly threshold: number;
  readonly window_minutes: number;
  /** Null: there is none, or it must not leave the data plane. */
  readonly value: number | null;
  /** ISO 8601, as `at`. */
  readonly window_end: string;
  readonly at: string;
}

export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const EVENTS: Readonly<Record<AlertMessage['event'], string>> = {
  firing: 'fires',
  resolved: 'has ended',
  no_data: 'has no data',
  ended: 'was changed or deleted while it fired',
  test: 'sends a test',
};

const plain = new Environment(null, { autoescape: false, throwOnUndefined: true });
const escaping = new Environment(null, { autoescape: true, throwOnUndefined: true });

const SUBJECT = new Template('[{{ event }}] {{ alert_name }}', plain);
const TEXT = new Template(
  `The alert "{{ alert_name }}" {{ happened }}.

Condition: {{ condition }}
Value: {{ shown_value }}
Window: {{ window_minutes }} minutes to {{ window_end }}
At: {{ at }}
Alert: {{ alert_id }} of project {{ project_id }}
`,
  plain,
);
const HTML = new Template(
  `<!doctype html>
<p>The alert <strong>{{ alert_name }}</strong> {{ happened }}.</p>
<table>
<tr><th align="left">Condition</th><td>{{ condition }}</td></tr>
<tr><th align="left">Value</th><td>{{ shown_value }}</td></tr>
<tr><th align="left">Window</th><td>{{ window_minutes }} minutes to {{ window_end }}</td></tr>
<tr><th align="left">At</th><td>{{ at }}</td></tr>
<tr><th align="left">Alert</th><td>{{ alert_id }} of project {{ project_id }}</td></tr>
</table>
`,
  escaping,
);

/** Returns the e-mail about a change of an alert. Names are text of a project: they are escaped in HTML, and one line in the subject. */
export function mailText(message: AlertMessage): MailText {
  const { event, value, metric, func, operator, compare, threshold } = message;
  const unit = compare === 'change' ? ' %' : '';
  const of = func === null ? metric : `${func} of ${metric}`;
  const context = {
    ...message,
    alert_name: inOneLine(message.alert_name),
    happened: EVENTS[event],
    condition: inOneLine(`${of} ${operator} ${threshold}${unit}`),
    shown_value: value === null ? 'none' : `${value}${unit}`,
  };
  return { subject: SUBJECT.render(context), text: TEXT.render(context), html: HTML.render(context) };
}

function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}
