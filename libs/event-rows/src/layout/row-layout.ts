import { EVENT_SHAPE, type EventShape, type FieldName, type NamedField } from '@assay/domain';
import { isPayloadField } from '../leaves/index-leaves.js';

/** Bytes of the field types whose encoding has a fixed width. */
const FIXED_WIDTHS: Readonly<Partial<Record<NamedField['type'], number>>> = { uuid: 16, number: 8 };

/** Columns that are derived from the event: those of fixed width with their bytes, and those of the index. */
const DERIVED_FIXED = { start_at: 8, start_hour: 4, complete: 1 } as const;
const DERIVED_INDEX = ['attrs', 'nums', 'run_id', 'datapoint_id'] as const;

/**
 * The order of the values in the bytes of a row, which is part of the format of the log's records: fields of
 * fixed width first, so that ids and times are at known offsets, then the remaining fields in the order of
 * their declaration, and the columns of the index. Fields that were declared after the first release follow
 * at the end, so that rows of earlier releases are a prefix.
 */
export interface RowLayout {
  /** Fields of fixed width; the derived columns of fixed width follow them. */
  readonly fixed: readonly NamedField[];
  readonly variable: readonly NamedField[];
  /** Fields declared later, in the order of their migrations; absent from rows of earlier releases. */
  readonly added: readonly NamedField[];
  /** Bytes of `fixed` and of the derived columns of fixed width. */
  readonly fixedBytes: number;
  /** Bytes of the derived columns of fixed width. */
  readonly derivedBytes: number;
  /** Objects in the order in which their leaves fill the index. */
  readonly indexed: readonly FieldName[];
  /** Names of all columns of a row, in the order of its bytes. The store appends {@link VERSION_COLUMNS}. */
  readonly columns: readonly string[];
  /** Those of `columns` that do not belong to the payload. */
  readonly narrowColumns: readonly string[];
  /** Those of `columns` that locate a row, then those of the payload. */
  readonly payloadColumns: readonly string[];
  /** Columns of the sort key. */
  readonly keyColumns: readonly string[];
  /** Bytes of the fields at the beginning of a row that locate it. */
  readonly idBytes: number;
  /** Where the time of the sort key is in a row, of which its hour is the end. */
  readonly sortTime: { readonly start: number; readonly hourStart: number; readonly end: number };
}

/** The field of variable width that locates a row. */
export const PROJECT_FIELD = 'project_id';
/** Columns of the time of the sort key. */
const SORT_TIME = ['start_at', 'start_hour'] as const;

/** The columns that the store appends to a row. */
export const VERSION_COLUMNS = ['ver', 'is_deleted'] as const;

export function rowLayout({ fields }: EventShape): RowLayout {
  const released = fields.filter(({ addedIn }) => addedIn === undefined);
  const fixed = released.filter(({ type }) => type in FIXED_WIDTHS);
  const variable = released.filter(({ type }) => !(type in FIXED_WIDTHS));
  const added = fields
    .filter(({ addedIn }) => addedIn !== undefined)
    .sort((one, other) => (one.addedIn ?? 0) - (other.addedIn ?? 0));
  const derivedBytes = sum(Object.values(DERIVED_FIXED));
  const widthsOf = (some: readonly NamedField[]) => some.map(({ type }) => FIXED_WIDTHS[type] ?? 0);
  const fixedBytes = sum(widthsOf(fixed)) + derivedBytes;
  const ids = fixed.filter(({ type }) => type === 'uuid');
  const sortStart = fixedBytes - derivedBytes;
  const names = (some: readonly NamedField[]) => some.map(({ name }) => name);
  const columns = [
    ...names(fixed),
    ...Object.keys(DERIVED_FIXED),
    ...names(variable),
    ...DERIVED_INDEX,
    ...names(added),
  ];
  return {
    fixed,
    variable,
    added,
    fixedBytes,
    derivedBytes,
    indexed: names(
      fields
        .filter(({ type }) => type === 'object')
        .sort((one, other) => (one.indexRank ?? Infinity) - (other.indexRank ?? Infinity)),
    ),
    columns,
    narrowColumns: columns.filter((name) => !isPayloadField(name)),
    payloadColumns: [...names(ids), ...SORT_TIME, PROJECT_FIELD, ...columns.filter(isPayloadField)],
    keyColumns: [...names(ids), 'start_hour', PROJECT_FIELD],
    idBytes: sum(widthsOf(ids)),
    sortTime: {
      start: sortStart,
      hourStart: sortStart + DERIVED_FIXED.start_at,
      end: sortStart + DERIVED_FIXED.start_at + DERIVED_FIXED.start_hour,
    },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

export const ROW_LAYOUT = rowLayout(EVENT_SHAPE);
