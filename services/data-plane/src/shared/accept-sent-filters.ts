import { acceptFilters, type Filter, type FilterInput, type JsonValue } from '@assay/domain';

interface SentFilter {
  readonly field: string;
  readonly operator?: string | null;
  readonly value?: JsonValue;
  readonly type?: string | null;
}

/** Checks the filters of a query string. A null operator or type means absent. @throws AppError `VALIDATION_ERROR` */
export function acceptSentFilters(sent: readonly SentFilter[] = []): Filter[] {
  return acceptFilters(sent.map(toInput), 'lenient');
}

function toInput({ field, operator, value, type }: SentFilter): FilterInput {
  return { field, operator: operator ?? undefined, value, type: type ?? undefined };
}
