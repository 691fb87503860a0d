import { createHash } from 'node:crypto';
import type { Document, IndexEntry } from '@assay/document-store';
import { chunks } from '../shared/chunks.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import type { Dataset, DatasetMemberFields, DatasetMemberCollection } from './dataset-document.js';
import { after, type NextPosition } from '../shared/list-position.js';

const PAGE = 1_000;
/** Number of index entries per read. */
const ENTRIES = 10_000;

/**
 * Lists of datapoints in one project. Long lists are read and written page by page, and ids are read from the
 * index only.
 */
export class DatasetMembers {
  private readonly collection: ProjectScopedCollection<DatasetMemberFields>;

  constructor(
    collection: DatasetMemberCollection,
    projectId: string,
    private readonly nextPosition: NextPosition,
  ) {
    this.collection = new ProjectScopedCollection(collection, projectId);
  }

  /** Appends datapoints in order. Existing members keep their position. */
  async add(list: Pick<Dataset, 'id' | 'list_id'>, datapointIds: readonly string[]): Promise<void> {
    const membership = { project_id: this.collection.projectId, dataset_id: list.id, list_id: list.list_id };
    const members = [...new Set(datapointIds)].map((datapoint_id) => ({
      id: memberId(list.list_id, datapoint_id),
      fields: { ...membership, datapoint_id, position: this.nextPosition() },
    }));
    await this.collection.insertMissing(members);
  }

  /** Removes a datapoint. Returns whether the list contained it. */
  remove(list: Pick<Dataset, 'list_id'>, datapointId: string): Promise<boolean> {
    return this.collection.delete(memberId(list.list_id, datapointId));
  }

  /** Returns the members among these datapoints. */
  async membersAmong(
    list: Pick<Dataset, 'list_id'>,
    datapointIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const members = await this.collection.getAll(datapointIds.map((id) => memberId(list.list_id, id)));
    return new Set(members.map(({ datapoint_id }) => datapoint_id));
  }

  /** Returns the ids of all datapoints of a list, in order. */
  async ids(list: Pick<Dataset, 'list_id'>): Promise<string[]> {
    const ids: string[] = [];
    let from = '';
    for (;;) {
      const page = await this.collection.entries(
        { equals: ofList(list), orderBy: 'position', where: [{ field: 'position', from }] },
        ENTRIES,
      );
      ids.push(...(await this.datapointsOf(page)));
      const last = page.at(-1);
      if (!last || page.length < ENTRIES) return ids;
      from = after(String(last.value));
    }
  }

  /** Returns a page of ids after a position, and the position that the next page follows, if there is one. */
  async pageAfter(
    list: Pick<Dataset, 'list_id'>,
    position: string | undefined,
    limit: number,
  ): Promise<{ readonly ids: string[]; readonly next?: string }> {
    const from = position === undefined ? '' : after(position);
    const query = {
      equals: ofList(list),
      orderBy: 'position',
      where: [{ field: 'position', from }],
    } as const;
    const entries = await this.collection.entries(query, limit + 1);
    const page = entries.slice(0, limit);
    const last = entries.length > limit ? page.at(-1) : undefined;
    return { ids: await this.datapointsOf(page), ...(last && { next: String(last.value) }) };
  }

  async page(list: Pick<Dataset, 'list_id'>, offset: number, limit: number): Promise<string[]> {
    return this.datapointsOf(
      await this.collection.entries({ equals: ofList(list), orderBy: 'position', offset }, limit),
    );
  }

  count(list: Pick<Dataset, 'list_id'>): Promise<number> {
    return this.collection.count(ofList(list));
  }

  /** Returns the memberships of these datapoints in all lists, including lists without a dataset. */
  async of(datapointIds: readonly string[]): Promise<Document<DatasetMemberFields>[]> {
    const memberships: Document<DatasetMemberFields>[] = [];
    for (const ids of chunks(datapointIds, PAGE)) {
      const where = [{ field: 'datapoint_id', in: ids }];
      memberships.push(...(await this.everyPage({ where, orderBy: 'datapoint_id' })));
    }
    return memberships;
  }

  /** Removes a datapoint from every list. */
  async removeEverywhere(datapointId: string): Promise<void> {
    for (;;) {
      const page = await this.collection.page({ equals: { datapoint_id: datapointId } }, PAGE);
      await this.collection.deleteAll(page.map(({ id }) => id));
      if (page.length < PAGE) return;
    }
  }

  /** Deletes the members of a list without a dataset. */
  async drop(listId: string): Promise<void> {
    for (;;) {
      const page = await this.collection.entries(
        { equals: ofList({ list_id: listId }), orderBy: 'position' },
        PAGE,
      );
      await this.collection.deleteAll(page.map(({ id }) => id));
      if (page.length < PAGE) return;
    }
  }

  private async everyPage(
    query: Parameters<typeof this.collection.page>[0],
  ): Promise<Document<DatasetMemberFields>[]> {
    const all: Document<DatasetMemberFields>[] = [];
    for (;;) {
      const page = await this.collection.page({ ...query, offset: all.length }, PAGE);
      all.push(...page);
      if (page.length < PAGE) return all;
    }
  }

  /**
   * Reads the datapoints from the entries, and from the documents if the id does not contain the datapoint.
   */
  private async datapointsOf(entries: readonly IndexEntry[]): Promise<string[]> {
    const long = entries.filter(({ id }) => datapointIn(id) === undefined).map(({ id }) => id);
    const members = long.length === 0 ? [] : await this.collection.getAll(long);
    const known = new Map(members.map(({ id, datapoint_id }) => [id, datapoint_id]));
    return entries.flatMap(({ id }) => datapointIn(id) ?? known.get(id) ?? []);
  }
}

function ofList({ list_id }: Pick<Dataset, 'list_id'>): { list_id: string } {
  return { list_id };
}

/**
 * Datapoint ids that fit into the id of a member. Ids chosen by clients may be too long, or change when
 * encoded as UTF-8.
 */
const PLAIN = /^[\x20-\x7e]{1,200}$/;

/**
 * Returns the document id of a member. It contains the datapoint's id if possible, so that a list is read
 * from the index only.
 */
function memberId(listId: string, datapointId: string): string {
  if (PLAIN.test(datapointId)) return `${listId}:=${datapointId}`;
  return `${listId}:${createHash('sha256').update(datapointId).digest('base64url')}`;
}

/** Returns the datapoint's id from a member's id, or undefined if it does not contain it. */
function datapointIn(memberId: string): string | undefined {
  const end = memberId.indexOf(':');
  return memberId.charAt(end + 1) === '=' ? memberId.slice(end + 2) : undefined;
}
