import { acceptRedaction, NO_REDACTION } from '../events/redact/redaction.js';
import { redactSessionSummary } from './redact-session-summary.js';
import type { SessionSummary } from './session-summary.js';

const summary: SessionSummary = {
  session_id: '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e',
  session_name: 'chat',
  source: 'prod',
  start_time: 1,
  end_time: 3,
  duration: 2,
  num_events: 3,
  num_model_events: 2,
  num_tool_events: 1,
  num_chain_events: 0,
  num_errors: 0,
  event_names: [
    { event_type: 'model', event_name: 'ask', count: 1 },
    { event_type: 'model', event_name: 'answer', count: 1 },
    { event_type: 'tool', event_name: 'look', count: 1 },
  ],
  metrics: JSON.parse(
    '[{"name":"__proto__","count":1,"sum":1,"min":1,"max":1},{"name":"tone","count":1,"sum":0,"min":0,"max":0}]',
  ) as SessionSummary['metrics'],
  run_ids: ['r1'],
  days: [
    { day: '2026-01-02', num_events: 3, num_model_events: 2, num_errors: 1, total_tokens: 9, cost: 0.5 },
    { day: '2026-01-01', num_events: 3, num_model_events: 2 },
  ],
};

describe('redactSessionSummary', () => {
  it('returns a closed list of fields, unchanged without rules', () => {
    expect(redactSessionSummary({ ...summary, secret: 'x' } as SessionSummary, NO_REDACTION)).toEqual(
      summary,
    );
  });

  it('shows no beginning of a text that was cut because it is no name', () => {
    const cut = 'x'.repeat(200);
    const event_names = [{ event_type: 'model', event_name: cut, count: 1 } as const];
    const sent = { ...summary, session_name: cut, source: cut, event_names };
    expect(redactSessionSummary(sent, acceptRedaction({ redactValues: true }))).toMatchObject({
      session_name: '',
      source: '',
      event_names: [{ event_name: '', count: 1 }],
    });
    expect(redactSessionSummary(sent, NO_REDACTION)).toMatchObject({ session_name: cut, source: cut });
  });

  it('redacts what the rules redact in an event', () => {
    const redaction = acceptRedaction({
      redactValues: true,
      redactFields: ['event_name', 'source', 'metrics.tone', 'metadata.run_id', 'metadata.cost'],
    });
    expect(redactSessionSummary(summary, redaction)).toEqual({
      ...summary,
      session_name: '',
      source: '',
      event_names: [
        { event_type: 'model', event_name: '', count: 2 },
        { event_type: 'tool', event_name: '', count: 1 },
      ],
      metrics: [summary.metrics[0]],
      run_ids: [],
      days: [
        { day: '2026-01-02', num_events: 3, num_model_events: 2, num_errors: 1, total_tokens: 9 },
        summary.days[1],
      ],
    });
  });
});
