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
  return [
    `# Routes\n\nGenerated from the route catalogue. \`/openapi.json\` describes the bodies.\n`,
    ...sections,
    sizes(),
  ].join('\n');
}

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

function section(tag: string, routes: readonly Route[]): string {
  const head = `## ${tag}\n\n| Route | Alias | Description | Key | Permissions | Served by | Successor |\n| --- | --- | --- | --- | --- | --- | --- |`;
  return `${head}\n${routes.map(row).join('\n')}\n`;
}

function row(route: Route): string {
  const also = (route.aliases ?? []).map((alias) => `\`${alias}\``).join(', ');
  const successor = route.successor === undefined ? '' : `deprecated: ${route.successor}`;
  return `| \`${route.method} ${route.path}\` | ${also} | ${route.summary} | ${route.access} | ${permissionsOf(route)} | ${route.owner} | ${successor} |`;
}

/** The permissions that a restricted key needs; no key of a project may call a route for administrators. */
function permissionsOf(route: Route): string {
  return route.access === 'admin' ? '' : (requiredPermissions(route) ?? []).join(', ');
}
