import { requiredPermissions, type Route, type TSchema } from '@assay/contracts';
import type { JsonValue, Permission } from '@assay/domain';
import type { InProcessResponse } from '@assay/http';

/** A request to a route, in parts. */
export interface RouteRequest {
  readonly params?: Readonly<Record<string, string>>;
  /** Lists and objects are sent as JSON. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: object;
  /** The `Range` header. */
  readonly range?: string;
}

/** A whole response that is no error. */
export interface RouteResponse extends Pick<InProcessResponse, 'status' | 'headers' | 'body'> {
  /** Parses the body, and charges that to the project. */
  parse(): Promise<JsonValue>;
}

/** Calls a route with the credential of the client. @throws ToolError when the response is an error, or too long */
export type CallRoute = (route: Route, request: RouteRequest) => Promise<RouteResponse>;

export type ToolArguments = Readonly<Record<string, unknown>>;

/** JSON text of any size, and sentences about what it lacks. */
export interface ToolResult {
  readonly text: string;
  readonly notes?: readonly string[];
}

/** A tool of agents, which calls routes of the API. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Schema of the arguments, an object. */
  readonly input: TSchema;
  /** The routes that it may call: a key needs the permissions of all. */
  readonly routes: readonly Route[];
  /** How to get what a cut result lacks. */
  readonly rest: string;
  /** @throws ToolError */
  run(args: ToolArguments, call: CallRoute): Promise<ToolResult>;
}

/** A failure that the agent learns of: the message of the API, or of a check of the arguments. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** Whether the tool changes nothing and costs nothing: all its routes only read. */
export function isReadOnly({ routes }: Pick<Tool, 'routes'>): boolean {
  return routes.every(({ method, readOnly }) => method === 'GET' || readOnly === true);
}

/** Returns the permissions that a restricted key needs for a tool. */
export function permissionsOf({ routes }: Pick<Tool, 'routes'>): Permission[] {
  return [...new Set(routes.flatMap((route) => requiredPermissions(route) ?? []))];
}
