import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { remove, replay, type DeadLetter } from '../../api/dead-letters.js';
import { formatBytes } from '../../format/bytes.js';
import { printName } from '../../format/name.js';
import { formatCount } from '../../format/number.js';
import { formatTime, isoTime } from '../../format/time.js';
import { usePreferences } from '../../theme/preferences.js';
import { Button } from '../../ui/button.js';
import { Failure } from '../../ui/failure.js';
import { notify } from '../../ui/toast.js';
import { useProject } from '../../url/use-project.js';
import { HealthTable } from './health-table.js';
import { DEAD_LETTERS, useDeadLetters } from './use-dead-letters.js';

const TITLES = ['Reader', 'Reason', 'Event', 'Project', 'Record', 'Size', 'Since'];

/** Records on which a reader of the log failed permanently. Their content stays in the log: what is shown is where it is, and why. */
export function DeadLetters() {
  const { data, error, refetch, fetchNextPage, hasNextPage } = useDeadLetters();
  if (error !== null)
    return <Failure {...{ title: 'Dead letters could not be read', error }} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="health-note">Reading dead letters …</p>;
  const letters = data.pages.flatMap((page) => page.dead_letters);
  if (letters.length === 0) return <p className="health-note">There are none: every record was processed.</p>;
  return (
    <>
      <LetterActions letters={letters} />
      <HealthTable titles={TITLES}>
        {letters.map((letter) => (
          <LetterRow key={letter.id} letter={letter} />
        ))}
      </HealthTable>
      {hasNextPage && <Button label="Show more" onPress={() => void fetchNextPage()} />}
    </>
  );
}

/** Replays or deletes all letters that the page shows, and no others. */
function LetterActions({ letters }: { readonly letters: readonly DeadLetter[] }) {
  const client = useQueryClient();
  const [isDeleting, setDeleting] = useState(false);
  const [isPending, setPending] = useState(false);
  const ids = letters.slice(0, 1_000).map(({ id }) => id);
  const count = formatCount(ids.length);
  async function run(work: () => Promise<string>): Promise<void> {
    setPending(true);
    notify(await work().catch((error: Error) => `Not done: ${error.message}`));
    setPending(false);
    setDeleting(false);
    await client.invalidateQueries({ queryKey: DEAD_LETTERS });
  }
  const onReplay = () => run(async () => `${formatCount((await replay(ids)).replayed)} replayed`);
  const onDelete = () => run(async () => `${formatCount((await remove(ids)).deleted)} deleted`);
  return (
    <p className="health-actions">
      <Button {...{ label: `Replay ${count}`, isDisabled: isPending }} onPress={() => void onReplay()} />
      {isDeleting ? (
        <>
          <span>Their records are lost.</span>
          <Button
            {...{
              kind: 'danger',
              icon: 'trash',
              label: `Delete ${count} permanently`,
              isDisabled: isPending,
            }}
            onPress={() => void onDelete()}
          />
          <Button label="Cancel" onPress={() => setDeleting(false)} />
        </>
      ) : (
        <Button
          {...{ label: `Delete ${count} …`, isDisabled: isPending }}
          onPress={() => setDeleting(true)}
        />
      )}
    </p>
  );
}

function LetterRow({ letter }: { readonly letter: DeadLetter }) {
  const project = useProject();
  const { zone } = usePreferences();
  const at = Date.parse(letter.at);
  const isOwn = letter.project_id === project;
  const search = { f: [`event_id:is:${letter.event_id}`] };
  return (
    <tr>
      <th scope="row">{printName(letter.group)}</th>
      <td>{printName(letter.error_class)}</td>
      <td title={letter.event_id}>
        {isOwn ? (
          <Link to="/p/$project/events" params={{ project }} search={search}>
            {printName(letter.event_id)}
          </Link>
        ) : (
          printName(letter.event_id)
        )}
      </td>
      <td>{letter.project_id === null ? 'not known' : isOwn ? 'this one' : letter.project_id}</td>
      <td>
        {letter.partition}:{formatCount(letter.offset)}
      </td>
      <td>{formatBytes(letter.bytes)}</td>
      <td title={isoTime(at)}>{formatTime(at, zone, Date.now())}</td>
    </tr>
  );
}
