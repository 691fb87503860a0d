/** The query of an address: a text for each name, or a list of texts where the name is repeated. */
export type Search = Readonly<Record<string, string | readonly string[] | undefined>>;

export function parseSearch(query: string): Record<string, string | string[]> {
  const search: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    const before = Object.hasOwn(search, name) ? search[name] : undefined;
    search[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
  }
  return search;
}

/** Prints what {@link parseSearch} reads. `:` and `,` stay readable; both are allowed in a query. */
export function printSearch(search: Search): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    for (const one of value === undefined ? [] : [value].flat()) parameters.append(name, String(one));
  const query = parameters.toString().replaceAll('%3A', ':').replaceAll('%2C', ',');
  return query === '' ? '' : `?${query}`;
}

/** Returns the values of a name that may be repeated. */
export const all = (search: Search, name: string): readonly string[] => [search[name] ?? []].flat();

/** Returns the first value of a name. */
export const first = (search: Search, name: string): string | undefined => all(search, name)[0];
