import { inputOf } from './input-schema.js';
import { MAX_RESULT_BYTES } from './fit/fit-response.js';
import { isJsonObject, type JsonValue } from '@assay/domain';
import type { Route } from '@assay/contracts';
import type { RouteRequest, Tool, ToolArguments, ToolResult } from './tool.js';

interface RouteTool extends Pick<Tool, 'name' | 'title' | 'description' | 'rest'> {
  readonly route: Route;
  /** Arguments that have this value when they are absent. */
  readonly defaults?: ToolArguments;
  /** Field of the response with the list whose length the argument `limit` bounds, where `next_cursor` continues. */
  readonly pageOf?: string;
}

/** Share of the bytes that a page of fewer items aims at, because items differ. */
const AIM = 0.8;

/** Returns the tool that calls one route: its arguments are the parameters and the fields of the route, under their names. */
export function routeTool({ route, defaults, pageOf, ...described }: RouteTool): Tool {
  const toRequest = (args: ToolArguments) => splitArguments(route, { ...defaults, ...args });
  return {
    ...described,
    input: inputOf(route),
    routes: [route],
    async run(args, call): Promise<ToolResult> {
      const whole = await call(route, toRequest(args));
      const { body } = whole;
      const isLong = body.length > MAX_RESULT_BYTES && pageOf !== undefined;
      const length = isLong ? lengthOf(await whole.parse(), pageOf) : 0;
      if (length < 2) return { text: body.toString() };
      // The cursor of a page that were cut here would skip what was cut.
      const limit = Math.max(1, Math.floor((length * AIM * MAX_RESULT_BYTES) / body.length));
      const fewer = await call(route, toRequest({ ...args, limit }));
      const note = `Only ${limit} of the ${length} ${pageOf} of the page, to stay below ${MAX_RESULT_BYTES} bytes; next_cursor continues after them.`;
      return { text: fewer.body.toString(), notes: [note] };
    },
  };
}

function lengthOf(value: JsonValue, list: string): number {
  const items = isJsonObject(value) ? value[list] : undefined;
  return Array.isArray(items) ? items.length : 0;
}

/** Distributes arguments over the path, the query and the body of a route. */
export function splitArguments(route: Route, args: ToolArguments): RouteRequest {
  const pick = (schema: Route['params']) => {
    const names = Object.keys((schema?.['properties'] as object | undefined) ?? {});
    return Object.fromEntries(
      names.flatMap((name) => (Object.hasOwn(args, name) ? [[name, args[name]]] : [])),
    );
  };
  return {
    params: pick(route.params) as Record<string, string>,
    query: pick(route.query),
    ...(route.body && { body: pick(route.body) }),
  };
}
