import { notify } from '../ui/toast.js';
import { Button } from '../ui/button.js';
import { MenuButton } from '../ui/menu.js';
import type { ListView } from '../url/list-view.js';
import type { ListKind } from './columns.js';
import { requestAs, type Language } from './requests.js';
import { pageRequest } from './rows.js';

const LANGUAGES: Readonly<Record<Language, string>> = {
  curl: 'Copy as curl',
  python: 'Copy as Python',
  json: 'Copy as JSON',
};

/** Copies the request of the list, so that a program reads the same rows. */
export function CopyMenu({ kind, view }: { readonly kind: ListKind; readonly view: ListView }) {
  function onAction(id: string): void {
    const language = (Object.keys(LANGUAGES) as Language[]).find((one) => one === id) ?? 'json';
    const text = requestAs(language, location.origin, pageRequest(kind, view));
    void navigator.clipboard.writeText(text).then(() => notify('Request copied'));
  }
  return (
    <MenuButton
      label="Copy the request"
      trigger={<Button icon="copy" label="Copy the request" iconOnly />}
      sections={[{ entries: Object.entries(LANGUAGES).map(([id, label]) => ({ id, label })) }]}
      onAction={onAction}
    />
  );
}
