import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { settle } from '../api/events.js';
import { notesOf, writeNote, type Note } from '../api/notes.js';
import { useConsoleSession, useMay, useServes } from '../api/use-session.js';
import type { PayloadSource } from '../payload/source.js';
import { AnnotatorField } from '../ui/annotator-field.js';
import { Button } from '../ui/button.js';

const MAX_LENGTH = 4_000;

interface Props {
  readonly source: PayloadSource;
  /** Changes when the caret should go into the own note; 0: it should not. */
  readonly focus: number;
}

/** What people have noted about an event, each once. */
export function Notes({ source, focus }: Props) {
  const { project, eventId, version } = source;
  const annotator = useConsoleSession()?.annotator ?? undefined;
  // The control plane serves the console too, and has no events.
  const isServed = useServes('updateEvent');
  const mayWrite = useMay('events:write') && isServed;
  const { data, error } = useQuery({
    queryKey: ['notes', project, eventId, version],
    queryFn: ({ signal }) => notesOf(project, eventId, signal),
  });
  const own = data?.find((note) => note.annotator === annotator)?.text ?? '';
  return (
    <section className="notes" aria-label="Notes">
      <h3>Notes</h3>
      {error !== null && <p className="field-error">The notes could not be read: {error.message}</p>}
      <NoteList notes={data} />
      {mayWrite && annotator === undefined && focus > 0 && <AnnotatorField />}
      {mayWrite && annotator !== undefined && data && (
        <OwnNote key={`${eventId} ${own}`} source={source} focus={focus} before={{ annotator, text: own }} />
      )}
    </section>
  );
}

function NoteList({ notes }: { readonly notes: readonly Note[] | null | undefined }) {
  if (notes === null) return <p>The feedback of this event is too long to look for notes in it.</p>;
  return (
    <dl>
      {notes?.map(({ annotator, text }) => (
        <div key={annotator}>
          <dt>
            <bdi>{annotator}</bdi>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function OwnNote({ source, focus, before }: Props & { readonly before: Note }) {
  const { project, eventId } = source;
  const client = useQueryClient();
  const input = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(before.text);
  const [state, setState] = useState('');
  useEffect(() => {
    if (focus > 0) input.current?.focus();
  }, [focus]);
  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    setState('Saving …');
    try {
      await writeNote(project, eventId, { annotator: before.annotator, text: text.trim() });
      await settle(project);
      await client.invalidateQueries({ queryKey: ['notes', project, eventId] });
      setState('Saved');
    } catch (error) {
      setState(`Not saved: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return (
    <form className="notes-own" onSubmit={(event) => void save(event)}>
      <label className="field">
        <span>Your note, as {before.annotator}</span>
        <textarea
          {...{ ref: input, className: 'input', rows: 2, maxLength: MAX_LENGTH, value: text }}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur();
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save(event);
          }}
        />
      </label>
      <Button type="submit" label="Save the note" isDisabled={text.trim() === before.text} />
      <span role="status">{state}</span>
    </form>
  );
}
