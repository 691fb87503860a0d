import { useEffect, useState, type FormEvent } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { useCommands } from '../keyboard/dispatch.js';
import { Button } from '../ui/button.js';
import { Field } from '../ui/field.js';
import { Icon } from '../ui/icon.js';
import { Panel } from '../ui/panel.js';
import { printListView, readListView, type ListView } from '../url/list-view.js';
import { parseSearch, printSearch } from '../url/search.js';
import type { ListSearch } from '../url/searches.js';
import { useProject } from '../url/use-project.js';
import { chipText } from './chip-text.js';
import type { ListKind } from './columns.js';
import { MAX_NAME, withLast, withNamed, withoutNamed, type ListQuery } from './saved-views.js';
import { LIST_PATHS } from './use-list-view.js';
import { changeViews, useSavedViews } from './view-storage.js';

interface Props {
  readonly kind: ListKind;
  readonly view: ListView;
}

/** Views that a person has named in this browser, and the filters that were used last. */
export function ViewsPanel(props: Props) {
  const [isOpen, setOpen] = useState(false);
  useCommands({ views: () => setOpen(true) });
  useRemembered(props);
  return (
    <Panel
      {...{ isOpen, onOpenChange: setOpen, label: 'Views' }}
      trigger={<Button icon="views" label="Views" />}
    >
      {(close) => <Views {...props} onDone={close} />}
    </Panel>
  );
}

function Views({ kind, view, onDone }: Props & { readonly onDone: () => void }) {
  const project = useProject();
  const { named, last } = useSavedViews(project);
  const open = useOpen(onDone);
  const ofKind = named.filter((one) => one.kind === kind);
  const filters = last.filter((one) => one.kind === kind);
  return (
    <div className="views">
      <SaveForm kind={kind} view={view} />
      {ofKind.length > 0 && (
        <ul className="value-list" aria-label="Named views">
          {ofKind.map((one) => (
            <li key={one.name} className="view-line">
              <button type="button" onClick={() => open(one)}>
                <bdi className="value-text">{one.name}</bdi>
              </button>
              <button
                {...{ type: 'button', className: 'chip-remove', 'aria-label': `Remove view ${one.name}` }}
                onClick={() => changeViews((all) => withoutNamed(all, project, one))}
              >
                <Icon name="close" size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {filters.length > 0 && (
        <>
          <h3 className="views-title">Last filters</h3>
          <ul className="value-list" aria-label="Last filters">
            {filters.map((one) => (
              <li key={one.query}>
                <button type="button" onClick={() => open(one)}>
                  <bdi className="value-text">{readOut(one)}</bdi>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function SaveForm({ kind, view }: Props) {
  const project = useProject();
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    const trimmed = name.trim();
    if (trimmed === '') return setError('A view needs a name');
    const query = queryOf({ ...view, live: false });
    const isKept = changeViews((all) => withNamed(all, project, { name: trimmed, kind, query }));
    setError(isKept ? undefined : 'This browser keeps nothing for this page');
    if (isKept) setName('');
  }
  return (
    <form className="views-save" onSubmit={onSubmit}>
      <Field
        {...{ label: 'Name of this view', value: name, error, maxLength: MAX_NAME, autoComplete: 'off' }}
        autoFocus
        onChange={setName}
      />
      <Button type="submit" label="Save" />
    </form>
  );
}

/** Remembers the filters of the list once they have stayed for a moment. */
function useRemembered({ kind, view }: Props): void {
  const project = useProject();
  const query = printSearch({ f: printListView(view).f }).slice(1);
  useEffect(() => {
    if (query !== '') changeViews((all) => withLast(all, project, { kind, query }));
  }, [project, kind, query]);
}

export function useOpen(onDone?: () => void): (one: ListQuery) => void {
  const navigate = useNavigate();
  const project = useProject();
  return ({ kind, query }) => {
    const search = printListView(readListView(parseSearch(query))) as ListSearch;
    void navigate({ to: LIST_PATHS[kind], params: { project }, search });
    onDone?.();
  };
}

const queryOf = (view: ListView) => printSearch(printListView(view)).slice(1);

/** Filters as their chips say them. */
const readOut = ({ query }: ListQuery) => readListView(parseSearch(query)).filters.map(chipText).join(' · ');
