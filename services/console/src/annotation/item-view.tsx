import { useState } from 'react';
import { JsonRows } from '../payload/json-rows.js';
import { documentOf } from '../payload/source.js';
import { Conversation, StepMessages } from '../session/conversation.js';
import { useSession } from '../session/use-session.js';
import { Failure } from '../ui/failure.js';
import { sourceOf, type WorkItem } from './item.js';

interface Props {
  readonly project: string;
  readonly item: WorkItem;
  /** The stored JSON instead of messages. */
  readonly isRaw: boolean;
  /** The conversation of the session that the event is in. */
  readonly isWhole: boolean;
}

/** The event of an item as in the page of its session: messages first. */
export function ItemView({ project, item, isRaw, isWhole }: Props) {
  const source = sourceOf(project, item);
  if (isRaw)
    return (
      <div className="work-raw">
        <JsonRows document={documentOf(source, 'inputs')} />
        <JsonRows document={documentOf(source, 'outputs')} />
        <JsonRows document={documentOf(source, 'metadata')} />
      </div>
    );
  if ((isWhole || item.type === 'session') && item.sessionId !== '')
    return <WholeSession project={project} sessionId={item.sessionId} />;
  return (
    <div className="work-messages" tabIndex={0} role="group" aria-label="Messages">
      <StepMessages source={source} before={[]} />
    </div>
  );
}

function WholeSession({ project, sessionId }: { readonly project: string; readonly sessionId: string }) {
  const { data, error, refetch } = useSession({ project, sessionId, pageCount: 1 });
  const [cursor, setCursor] = useState(0);
  const [onVisible] = useState(() => () => undefined);
  if (data === undefined && error !== null)
    return <Failure title="The session could not be read" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="step-loading">Reading the session …</p>;
  return <Conversation {...{ project, loaded: data, cursor, onVisible, onMove: setCursor }} />;
}
