import './type-mark.css';

const LETTERS: Readonly<Record<string, string>> = { session: 'S', chain: 'C', model: 'M', tool: 'T' };

/** Letter and colour of a type of events; the letter says it without the colour. */
export function TypeMark({ type }: { readonly type: string }) {
  const known = Object.hasOwn(LETTERS, type) ? type : 'chain';
  return (
    <span className={`type-mark type-${known}`} title={type}>
      <span aria-hidden="true">{LETTERS[known]}</span>
      <span className="visually-hidden">{type}</span>
    </span>
  );
}
