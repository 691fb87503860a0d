import type { Route } from '../route.js';
import { formatBytes, MAX_RESOURCE_BYTES } from '../resource-limits.js';
import { requiredPermissions } from '../route-permissions.js';
import { requiredRole } from '../route-roles.js';
import { inDocumentOrder, ROUTES } from '../route-catalogue.js';

/** Returns the lists of the routes in Markdown, for `docs/routes.md`. */
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
\`ingest\`: also an ingestion key; \`admin\`: the token of an administrator; \`admin-or-project\`: either.
In parentheses: the key, the role that an administrator and the permissions that a restricted key needs, and the process that serves the route.
`;

/** Sizes of resources that one request may write. */
function sizes(): string {
  const kinds = Object.entries(MAX_RESOURCE_BYTES).map(([kind, bytes]) => `- ${kind}: ${formatBytes(bytes)}`);
  const rest = [
    '- datapoints of a dataset, events of a queue, versions of a metric: documents of their own, not part of the size',
    '- project, key, data plane: bound by their fields: names of 200, descriptions of 1,000 characters, 1,000 project ids',
    '- event, with all its updates: 16 MB; the create or update beyond it becomes a dead letter',
    '- request body: 50 MB after decompression; four times the resource where a route writes one',
  ];
  return [
    '## Sizes\n',
    'Maximum of the fields that clients set, as JSON in UTF-8. A create, update or merge beyond it gets 413 `PAYLOAD_TOO_LARGE`, which names the largest field.\n',
    ...kinds,
    ...rest,
    '',
  ].join('\n');
}

/** A fact of a route; one that all routes of a section share is a sentence above the list. */
interface Fact {
  readonly title: string;
  readonly of: (route: Route) => string;
}

const FACTS: readonly Fact[] = [
  { title: 'Key', of: ({ access }) => access },
  { title: 'Role', of: roleOf },
  { title: 'Permissions', of: permissionsOf },
  { title: 'Served by', of: ({ owner }) => owner },
];

function section(tag: string, routes: readonly Route[]): string {
  const isShared = ({ of }: Fact) => new Set(routes.map(of)).size === 1;
  const sentences = FACTS.filter(isShared)
    .map(({ title, of }) => ({ title, text: of(routes[0]!) }))
    .filter(({ text }) => text !== '')
    .map(({ title, text }) => `${title}: ${text}.`);
  const others = FACTS.filter((fact) => !isShared(fact));
  const items = routes.map((route) => {
    const facts = others.map(({ of }) => of(route)).filter((text) => text !== '');
    const end = facts.length === 0 ? '' : ` (${facts.join('; ')})`;
    return `- ${nameOf(route)}: ${descriptionOf(route)}${end}`;
  });
  return [
    `## ${tag}`,
    ...(sentences.length === 0 ? [] : [sentences.join(' ')]),
    `${items.join('\n')}\n`,
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
  return `${PLAIN.exec(route.summary)?.[1] ?? route.summary}${aliases}${successor}`;
}

/** A summary that says no more of what the path names than what is done with it. */
const PLAIN =
  /^(List|Read|Create|Change|Delete)(?: (?:an?|one|the))?(?: (?:annotation )?[a-z]+)(?: of the project)?$/;

/** The role that an administrator needs. */
function roleOf(route: Route): string {
  return route.access.startsWith('admin') ? requiredRole(route) : '';
}

/** The permissions that a restricted key needs; no key of a project may call a route for administrators. */
function permissionsOf(route: Route): string {
  return route.access === 'admin' ? '' : (requiredPermissions(route) ?? []).join(', ');
}
