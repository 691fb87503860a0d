import type { GateResponse } from './gate-response.js';

/** Which gate a report is about. */
export interface GateRuns {
  readonly newRun: string;
  readonly against: string;
}

/**
 * Returns a gate as JUnit XML, one test case for each reason. What fails is a failure; what is undecided is an error, because
 * a pipeline that reads only the report must not take it for a pass.
 */
export function gateToJunit({ reasons }: GateResponse, { newRun, against }: GateRuns): string {
  const cases = reasons.map(({ outcome, reason, metric_name: metric, event_name: event, ...numbers }) => {
    const name = metric === undefined ? 'run' : event === undefined ? metric : `${metric} (${event})`;
    const details = Object.entries(numbers).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    const body = xml(details.join('\n'));
    const inner =
      outcome === 'pass'
        ? `<system-out>${xml(reason)}\n${body}</system-out>`
        : `<${TAGS[outcome]} message="${xml(reason)}" type="${outcome}">${body}</${TAGS[outcome]}>`;
    return `    <testcase classname="assay.gate" name="${xml(name)}">${inner}</testcase>`;
  });
  const count = (wanted: string) => reasons.filter(({ outcome }) => outcome === wanted).length;
  const counts = `tests="${reasons.length}" failures="${count('fail')}" errors="${count('undecided')}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="assay gate ${xml(newRun)} against ${xml(against)}" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

const TAGS = { fail: 'failure', undecided: 'error' } as const;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Names come from events: what XML 1.0 cannot contain is replaced. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
