import type { PayloadAddress } from '../api/payload-stream.js';
import { rootEntry } from './byte-index.js';
import { describeRow, type RowView } from './describe-row.js';
import { DocumentCache, type PayloadDocument } from './document-cache.js';
import type { Exchange } from './message.js';
import { printPath } from './print-path.js';
import { readRaw, readTextPart, type TextPart } from './read-text.js';
import { readValue, type CutRange, type Value } from './read-value.js';
import { freshMessages } from './repeated-history.js';
import { searchBytes } from './search-bytes.js';
import { toExchange } from './to-messages.js';

/** A payload as one state of its event has it. */
export interface DocumentRequest extends PayloadAddress {
  /** Changes when the event does. */
  readonly version: string;
}

/** A document and how many rows of it are visible. */
export interface DocumentView {
  readonly bytes: number;
  readonly rows: number;
  readonly isEmpty: boolean;
}

type EventRequest = Omit<DocumentRequest, 'field'>;

export interface StepRequest extends EventRequest {
  /** Model calls before the step, the last one first. */
  readonly before: readonly EventRequest[];
}

export interface StepView extends Exchange {
  /** Messages that one of these calls had already. */
  readonly repeated: number;
}

type At<Fields> = DocumentRequest & Fields;

/** Longest text that is put on the clipboard. */
export const MAX_COPIED_BYTES = 20_000_000;

/** What the payload worker does for the page. Documents stay in the worker; the page sees rows and texts of bounded length. */
export class PayloadFunctions {
  private readonly documents = new DocumentCache();

  readonly open = async (request: DocumentRequest): Promise<DocumentView> => viewOf(await this.get(request));

  readonly rows = async (request: At<{ from: number; to: number }>): Promise<readonly RowView[]> => {
    const { index, rows } = await this.get(request);
    return rows.slice(request.from, request.to).map((row, at) => describeRow(index, row, request.from + at));
  };

  readonly toggle = async (request: At<{ row: number }>): Promise<DocumentView> => {
    const document = await this.get(request);
    document.rows.toggle(request.row);
    return viewOf(document);
  };

  /** Offsets of the matches. */
  readonly search = async (request: At<{ query: string }>): Promise<readonly number[]> =>
    searchBytes((await this.get(request)).index.bytes, request.query);

  /** Opens what is around an offset. Returns its row. */
  readonly reveal = async (
    request: At<{ offset: number }>,
  ): Promise<DocumentView & { readonly row: number }> => {
    const document = await this.get(request);
    const row = document.rows.reveal(request.offset);
    return { ...viewOf(document), row };
  };

  readonly path = async (request: At<{ row: number }>): Promise<string> => {
    const { index, rows } = await this.get(request);
    return printPath(index.bytes, request.field, rows.pathTo(request.row));
  };

  /** The stored bytes of a row, as they are. */
  readonly raw = async (request: At<{ row: number }>): Promise<string> => {
    const { index, rows } = await this.get(request);
    const { start, end } = rows.at(request.row)?.entry ?? rootEntry(index);
    return readRaw(index.bytes, start, Math.min(end, start + MAX_COPIED_BYTES));
  };

  /** The next part of a text that was cut. */
  readonly textPart = async (request: At<{ range: CutRange; maxBytes: number }>): Promise<TextPart> => {
    const { index } = await this.get(request);
    return readTextPart(index.bytes, request.range.shownTo, request.range.end, request.maxBytes);
  };

  /** The whole text of a range, such as a data URL. */
  readonly wholeText = async (request: At<{ range: CutRange }>): Promise<string> => {
    const { index } = await this.get(request);
    return readTextPart(index.bytes, request.range.start, request.range.end, Infinity).text;
  };

  readonly exchange = async (request: EventRequest): Promise<Exchange> => {
    const [inputs, outputs] = await Promise.all([
      this.get({ ...request, field: 'inputs' }),
      this.get({ ...request, field: 'outputs' }),
    ]);
    return toExchange(valueOf(inputs), valueOf(outputs));
  };

  /** The messages of a step that none of the calls before it has had. */
  readonly step = async ({ before, ...request }: StepRequest): Promise<StepView> => {
    const [{ asked, answered }, earlier] = await Promise.all([
      this.exchange(request),
      Promise.all(before.map(this.exchange)),
    ]);
    const options = [undefined, ...earlier].map((one) => freshMessages(asked, one));
    const { repeated, fresh } = options.reduce((best, one) => (one.repeated > best.repeated ? one : best));
    return { repeated, asked: fresh, answered };
  };

  private get({ version, ...address }: DocumentRequest): Promise<PayloadDocument> {
    return this.documents.get(address, version);
  }
}

function viewOf({ index, rows }: PayloadDocument): DocumentView {
  return { bytes: index.bytes.length, rows: rows.length, isEmpty: index.counts[0] === 0 };
}

function valueOf({ index }: PayloadDocument): Value {
  return readValue(index, rootEntry(index));
}
