import { createHash } from 'node:crypto';
import type { Document, IndexEntry } from '@assay/document-store';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import type { Dataset, DatasetMemberFields, DatasetMemberCollection } from './dataset-document.js';
import { after, type NextPosition } from '../shared/list-position.js';

const PAGE = 1_000;
/** Entries of the index that are read together. */
const ENTRIES = 10_000;

/** The lists of datapoints in one project. Reads and writes go a page at a time, whatever the length of a list, and ids are read from the index. */
export class DatasetMembers {
  private readonly collection: ProjectScopedCollection<DatasetMemberFields>;

  constructor(
    collection: DatasetMemberCollection,
    projectId: string,
    private readonly nextPosition: NextPosition,
  ) {
    this.collection = new ProjectScopedCollection(collection, projectId);
  }

  /** Adds datapoints at the end, in order. Those that are in the list already keep their place. */
  async add(list: Pick<Dataset, 'id' | 'list_id'>, datapointIds: readonly string[]): Promise<void> {
    const place = { project_id: this.collection.projectId, dataset_id: list.id, list_id: list.list_id };
    const members = [...new Set(datapointIds)].map((datapoint_id) => ({
      id: memberId(list.list_id, datapoint_id),
      fields: { ...place, datapoint_id, position: this.nextPosition() },
    }));
    await this.collection.insertMissing(members);
  }

  /** False when the list does not hold the datapoint. */
  remove(list: Pick<Dataset, 'list_id'>, datapointId: string): Promise<boolean> {
    return this.collection.delete(memberId(list.list_id, datapointId));
  }

  /** Those of these datapoints that the list holds. */
  async held(list: Pick<Dataset, 'list_id'>, datapointIds: readonly string[]): Promise<ReadonlySet<string>> {
    const members = await this.collection.getAll(datapointIds.map((id) => memberId(list.list_id, id)));
    return new Set(members.map(({ datapoint_id }) => datapoint_id));
  }

  /** All datapoints of a list, in order, read from the index. */
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

  async page(list: Pick<Dataset, 'list_id'>, offset: number, limit: number): Promise<string[]> {
    return this.datapointsOf(
      await this.collection.entries({ equals: ofList(list), orderBy: 'position', offset }, limit),
    );
  }

  count(list: Pick<Dataset, 'list_id'>): Promise<number> {
    return this.collection.count(ofList(list));
  }

  /** The places of datapoints in all lists, also those that no dataset names any more. */
  async of(datapointIds: readonly string[]): Promise<Document<DatasetMemberFields>[]> {
    const places: Document<DatasetMemberFields>[] = [];
    for (let start = 0; start < datapointIds.length; start += PAGE) {
      const where = [{ field: 'datapoint_id', in: datapointIds.slice(start, start + PAGE) }];
      places.push(...(await this.everyPage({ where, orderBy: 'datapoint_id' })));
    }
    return places;
  }

  /** Takes a datapoint out of every list. */
  async removeEverywhere(datapointId: string): Promise<void> {
    for (;;) {
      const page = await this.collection.page({ equals: { datapoint_id: datapointId } }, PAGE);
      await this.collection.deleteAll(page.map(({ id }) => id));
      if (page.length < PAGE) return;
    }
  }

  /** Empties a list that no dataset names any more. */
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

  /** Read out of the entries, but for ids that are too long to be part of one. */
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

/** All ids that are made here are like this. A client's own may be too long for a document's id, or change when it is stored as UTF-8. */
const PLAIN = /^[\x20-\x7e]{1,200}$/;

/** Id of the document that puts a datapoint into a list: it says itself which one, so that a list is read from the index alone. */
function memberId(listId: string, datapointId: string): string {
  if (PLAIN.test(datapointId)) return `${listId}:=${datapointId}`;
  return `${listId}:${createHash('sha256').update(datapointId).digest('base64url')}`;
}

/** The datapoint that the id says; undefined when that is in the document only. */
function datapointIn(memberId: string): string | undefined {
  const end = memberId.indexOf(':');
  return memberId.charAt(end + 1) === '=' ? memberId.slice(end + 2) : undefined;
}
