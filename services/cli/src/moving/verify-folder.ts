import { createHash } from 'node:crypto';
import { DOCUMENT_KINDS, isJsonObject, parseExactJson, type JsonObject, type JsonValue } from '@assay/domain';
import type { Output } from '../output.js';
import type { FileKind } from './manifest.js';
import type { Project } from './project.js';
import { valuesOf, type Folder } from './read-folder.js';

/** Fields that name the installation and the project, which an import changes. */
const NAMES_OF_PLACE = ['project', 'project_id', 'org_id', 'workspace_id'];
/** Differences that are printed; the others are counted. */
const MAX_PRINTED = 20;

export interface Comparison {
  /** Events and documents of the folder. */
  readonly compared: number;
  readonly differences: number;
}

/** What is compared of an item: a hash of each field. */
type Fields = ReadonlyMap<string, string>;
type Items = Map<string, Fields>;

/** Events that start at the same time. */
interface Group {
  readonly start: number;
  readonly items: Items;
}

/** Compares a folder with a project, and prints what differs: kind, id and names of fields, never values. */
export async function verifyFolder(folder: Folder, project: Project, output: Output): Promise<Comparison> {
  const differences = new Differences(output);
  for (const kind of DOCUMENT_KINDS) {
    const ours: Items = new Map();
    const theirs: Items = new Map();
    for await (const { value } of valuesOf(folder, kind)) add(ours, parseExactJson(value) as JsonObject);
    for await (const document of project.allDocuments(kind)) add(theirs, document as JsonObject);
    differences.compare(kind, ours, theirs);
  }
  await compareEvents(groupsOf(eventsOfFolder(folder)), groupsOf(eventsOfProject(project)), differences);
  differences.printRest();
  return { compared: differences.compared, differences: differences.count };
}

/** Both sides are ordered by their start, newest first. */
async function compareEvents(
  ours: AsyncGenerator<Group>,
  theirs: AsyncGenerator<Group>,
  differences: Differences,
): Promise<void> {
  let [left, right] = [await nextOf(ours), await nextOf(theirs)];
  while (left !== undefined || right !== undefined) {
    const start = Math.max(left?.start ?? -Infinity, right?.start ?? -Infinity);
    const isLeft = left?.start === start;
    const isRight = right?.start === start;
    differences.compare('events', isLeft ? left?.items : undefined, isRight ? right?.items : undefined);
    if (isLeft) left = await nextOf(ours);
    if (isRight) right = await nextOf(theirs);
  }
}

async function nextOf(groups: AsyncGenerator<Group>): Promise<Group | undefined> {
  const next = await groups.next();
  return next.done === true ? undefined : next.value;
}

async function* groupsOf(events: AsyncIterable<string>): AsyncGenerator<Group> {
  let group: Group | undefined;
  for await (const value of events) {
    const { event, evaluations } = parseExactJson(value) as { event: JsonObject; evaluations: JsonValue };
    const start = Number(event['start_time']);
    if (group && group.start !== start) yield group;
    if (group?.start !== start) group = { start, items: new Map() };
    add(group.items, { ...event, evaluations, id: event['event_id'] ?? null });
  }
  if (group) yield group;
}

async function* eventsOfFolder(folder: Folder): AsyncGenerator<string> {
  for await (const { value } of valuesOf(folder, 'events')) yield value;
}

async function* eventsOfProject(project: Project): AsyncGenerator<string> {
  for await (const batch of project.events()) for (const { value } of batch) yield value;
}

function add(items: Items, item: JsonObject): void {
  const fields = Object.entries(item).filter(([name]) => !NAMES_OF_PLACE.includes(name));
  items.set(item['id'] as string, new Map(fields.map(([name, value]) => [name, hashOf(value)])));
}

function hashOf(value: JsonValue): string {
  return createHash('sha256').update(canonical(value)).digest('base64url').slice(0, 16);
}

/** JSON text with the keys of objects in order: equal for values that mean the same. */
function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.keys(value).sort();
  return `{${entries.map((key) => `${JSON.stringify(key)}:${canonical(value[key] as JsonValue)}`).join(',')}}`;
}

/** Counts and prints differences. */
class Differences {
  count = 0;
  compared = 0;

  constructor(private readonly output: Output) {}

  compare(kind: FileKind, ours: Items = new Map(), theirs: Items = new Map()): void {
    this.compared += ours.size;
    for (const [id, fields] of ours) {
      const other = theirs.get(id);
      if (other === undefined) this.#add(`${kind} ${id} is missing in the project`);
      else this.#compareFields(`${kind} ${id}`, fields, other);
    }
    for (const id of theirs.keys()) if (!ours.has(id)) this.#add(`${kind} ${id} is not in DIR`);
  }

  printRest(): void {
    if (this.count > MAX_PRINTED)
      this.output.progress(`… and ${this.count - MAX_PRINTED} further differences`);
  }

  #compareFields(name: string, ours: Fields, theirs: Fields): void {
    const names = new Set([...ours.keys(), ...theirs.keys()]);
    const different = [...names].filter((field) => ours.get(field) !== theirs.get(field));
    if (different.length > 0) this.#add(`${name} differs in ${different.sort().join(', ')}`);
  }

  #add(text: string): void {
    this.count += 1;
    if (this.count <= MAX_PRINTED) this.output.progress(text);
  }
}
