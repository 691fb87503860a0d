import type { Status } from '../../api/status.js';
import { printName } from '../../format/name.js';
import { formatSeconds } from '../../format/time.js';
import { usePreferences } from '../../theme/preferences.js';

/** The Python sandbox and the model providers, as the process that has them reports. */
export function EvaluationState({ status }: { readonly status: Status }) {
  const { python, provider_states: providers, evaluator_reason: reason, now } = status;
  const { zone } = usePreferences();
  if (reason !== null) return <p className="health-note">Not known: {reason}.</p>;
  return (
    <dl className="health-facts">
      <dt>Python metrics</dt>
      <dd>{python?.available === true ? 'are evaluated' : `are not evaluated: ${python?.reason ?? ''}`}</dd>
      <dt>Model providers</dt>
      <dd>
        {(providers ?? []).length === 0 && 'none is configured'}
        {providers?.map(({ name, state, paused_until: pausedUntil }) => (
          <span key={name} className={`health-provider health-${state}`}>
            <bdi>{printName(name)}</bdi> {state}
            {pausedUntil !== null &&
              ` until ${formatSeconds(Date.parse(pausedUntil), zone, Date.parse(now))}`}
          </span>
        ))}
      </dd>
    </dl>
  );
}
