import { createHash } from 'node:crypto';
import type { Document } from '@assay/document-store';
import { RecordsInProject } from '../records/records-in-project.js';
import type { Dataset, MemberFields, MemberRecords } from './dataset-records.js';
import { after, type NextPosition } from './positions.js';

const PAGE = 1_000;

/** The lists of datapoints in one project. Reads and writes go a page at a time, whatever the length of a list. */
export class Members {
  private readonly records: RecordsInProject<MemberFields>;

  constructor(
    records: MemberRecords,
    projectId: string,
    private readonly nextPosition: NextPosition,
  ) {
    this.records = new RecordsInProject(records, projectId);
  }

  /** Adds datapoints at the end, in order. Those that are in the list already keep their place. */
  async add(list: Pick<Dataset, 'id' | 'list_id'>, datapointIds: readonly string[]): Promise<void> {
    const place = { project_id: this.records.projectId, dataset_id: list.id, list_id: list.list_id };
    const members = [...new Set(datapointIds)].map((datapoint_id) => ({
      id: memberId(list.list_id, datapoint_id),
      fields: { ...place, datapoint_id, position: this.nextPosition() },
    }));
    await this.records.insertMissing(members);
  }

  /** False when the list does not hold the datapoint. */
  remove(list: Pick<Dataset, 'list_id'>, datapointId: string): Promise<boolean> {
    return this.records.delete(memberId(list.list_id, datapointId));
  }

  async holds(list: Pick<Dataset, 'list_id'>, datapointId: string): Promise<boolean> {
    return (await this.records.get(memberId(list.list_id, datapointId))) !== undefined;
  }

  /** All datapoints of a list, in order. */
  async ids(list: Pick<Dataset, 'list_id'>): Promise<string[]> {
    const ids: string[] = [];
    let from = '';
    for (;;) {
      const page = await this.records.page({ equals: ofList(list), orderBy: 'position', where: [{ field: 'position', from }] }, PAGE);
      ids.push(...page.map(({ datapoint_id }) => datapoint_id));
      const last = page.at(-1);
      if (!last || page.length < PAGE) return ids;
      from = after(last.position);
    }
  }

  async page(list: Pick<Dataset, 'list_id'>, offset: number, limit: number): Promise<string[]> {
    const page = await this.records.page({ equals: ofList(list), orderBy: 'position', offset }, limit);
    return page.map(({ datapoint_id }) => datapoint_id);
  }

  count(list: Pick<Dataset, 'list_id'>): Promise<number> {
    return this.records.count(ofList(list));
  }

  /** The places of a datapoint in all lists, also those that no dataset names any more. */
  of(datapointId: string): Promise<Document<MemberFields>[]> {
    return this.records.all({ equals: { datapoint_id: datapointId } });
  }

  /** Takes a datapoint out of every list. */
  async removeEverywhere(datapointId: string): Promise<void> {
    for (;;) {
      const page = await this.records.page({ equals: { datapoint_id: datapointId } }, PAGE);
      await this.records.deleteAll(page.map(({ id }) => id));
      if (page.length < PAGE) return;
    }
  }

  /** Empties a list that no dataset names any more. */
  async drop(listId: string): Promise<void> {
    for (;;) {
      const page = await this.records.page({ equals: ofList({ list_id: listId }), orderBy: 'position' }, PAGE);
      await this.records.deleteAll(page.map(({ id }) => id));
      if (page.length < PAGE) return;
    }
  }
}

function ofList({ list_id }: Pick<Dataset, 'list_id'>): { list_id: string } {
  return { list_id };
}

/** One document for each datapoint of a list; a hash, because a client's own ids may be longer than a key. */
function memberId(listId: string, datapointId: string): string {
  return `${listId}:${createHash('sha256').update(datapointId).digest('base64url')}`;
}
