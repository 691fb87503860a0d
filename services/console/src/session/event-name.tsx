import { printName } from '../format/name.js';
import { isError } from './select-steps.js';
import { TypeMark } from './type-mark.js';
import type { LoadedSession } from './use-session.js';

interface EventProps {
  readonly loaded: LoadedSession;
  readonly event: number;
}

/** Type, name and what is odd about an event. */
export function EventName({ loaded: { events, layout }, event }: EventProps) {
  const reason = layout.topReasons.get(event);
  const name = events.name[event] ?? '';
  return (
    <>
      <TypeMark type={events.types[events.type[event] ?? -1] ?? ''} />
      <bdi className="tree-label" title={name}>
        {printName(name)}
      </bdi>
      {events.model[event] !== '' && <bdi className="tree-model">{events.model[event]}</bdi>}
      {isError(events, event) && (
        <span className="tree-failed" title={events.errors[event]}>
          ✕ <span className="visually-hidden">error: </span>
          <bdi>{events.errors[event]}</bdi>
        </span>
      )}
      {reason !== undefined && (
        <span className="tree-note">
          {reason === 'cycle' ? 'parents form a cycle' : 'parent not received'}
        </span>
      )}
    </>
  );
}
