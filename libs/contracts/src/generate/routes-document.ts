import type { Route } from '../route.js';
import { formatBytes, MAX_RESOURCE_BYTES } from '../resource-limits.js';
import { requiredPermissions } from '../route-permissions.js';
import { inDocumentOrder, ROUTES } from '../route-catalogue.js';

/** Returns the tables of the routes in Markdown, for `docs/routes.md`. */
export function routesDocument(declared: readonly Route[] = ROUTES): string {
  const routes = inDocumentOrder(declared);
  const tags = [...new Set(routes.map((route) => route.tag))];
  const sections = tags.map((tag) =>
    section(
      tag,
      routes.filter((route) => route.tag === tag),
    ),
  );
  return [HEAD, ...sections, sizes()].join('\n');
}

const HEAD = `# Routes

Generated from the route catalogue. \`/openapi.json\` describes the bodies. A route with \u2020 is also served without \`/v1\`. Key: that of a \`project\`;
\`ingest\`: also an ingestion key; \`admin\`: the administrator token; \`admin-or-project\`: either.
`;

/** Sizes of resources that one request may write. */
function sizes(): string {
  const kinds = Object.entries(MAX_RESOURCE_BYTES).map(
    ([kind, bytes]) => `| ${kind} | ${formatBytes(bytes)} |`,
  );
  const rest = [
    '| datapoints of a dataset, events of a queue, versions of a metric | documents of their own, not part of the size |',
    '| project, key, data plane | bound by their fields: names of 200, descriptions of 1,000 characters, 1,000 project ids |',
    '| event, with all its updates | 16 MB; the create or update beyond it becomes a dead letter |',
    '| request body | 50 MB after decompression; four times the resource where a route writes one |',
  ];
  return [
    '## Sizes\n',
    'JSON of the fields that clients set, as UTF-8. A create, update or merge beyond it gets 413 `PAYLOAD_TOO_LARGE`, which names the largest field.\n',
    '| What | Maximum |',
    '| --- | --- |',
    ...kinds,
    ...rest,
    '',
  ].join('\n');
}

/** A column of a table of routes; one whose cells are all the same is a sentence above the table. */
interface Column {
  readonly title: string;
  readonly cell: (route: Route) => string;
}

const COLUMNS: readonly Column[] = [
  { title: 'Key', cell: ({ access }) => access },
  { title: 'Permissions', cell: permissionsOf },
  { title: 'Served by', cell: ({ owner }) => owner },
];

function section(tag: string, routes: readonly Route[]): string {
  const isUniform = ({ cell }: Column) => new Set(routes.map(cell)).size === 1;
  const sentences = COLUMNS.filter(isUniform)
    .map(({ title, cell }) => ({ title, text: cell(routes[0]!) }))
    .filter(({ text }) => text !== '')
    .map(({ title, text }) => `${title}: ${text}.`);
  const columns = COLUMNS.filter((column) => !isUniform(column));
  const titles = ['Route', 'Description', ...columns.map(({ title }) => title)];
  const lines = routes.map((route) => [
    nameOf(route),
    descriptionOf(route),
    ...columns.map(({ cell }) => cell(route)),
  ]);
  const table = [titles, titles.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`);
  return [
    `## ${tag}`,
    ...(sentences.length === 0 ? [] : [sentences.join(' ')]),
    `${table.join('\n')}\n`,
  ].join('\n\n');
}

function nameOf(route: Route): string {
  return `\`${route.method} ${route.path}\`${(route.aliases ?? []).some((alias) => alias === shortPath(route)) ? '\u2020' : ''}`;
}

/** The path without its version; an alias of most routes. */
function shortPath({ path }: Route): string {
  return path.replace(/^\/v1(?=\/)/, '');
}

function descriptionOf(route: Route): string {
  const also = (route.aliases ?? [])
    .filter((alias) => alias !== shortPath(route))
    .map((alias) => `\`${alias}\``);
  const aliases = also.length === 0 ? '' : `; also ${also.join(', ')}`;
  const successor = route.successor === undefined ? '' : `; deprecated: ${route.successor}`;
  return `${route.summary}${aliases}${successor}`;
}

/** The permissions that a restricted key needs; no key of a project may call a route for administrators. */
function permissionsOf(route: Route): string {
  return route.access === 'admin' ? '' : (requiredPermissions(route) ?? []).join(', ');
}
