import { acceptFilters, type FilterInput } from '../filter/accept-filters.js';
import { decidesOnStored } from './decides-on-stored.js';
import { acceptRedaction, NO_REDACTION } from './redaction.js';

const redacting = acceptRedaction({ redactValues: true });
const decides = (input: FilterInput, redaction = redacting) =>
  decidesOnStored(acceptFilters([input], 'strict')[0]!, redaction);

describe('a filter of a backfill', () => {
  it.each<[FilterInput, boolean]>([
    [{ field: 'event_type', operator: 'is', value: 'model' }, true],
    [{ field: 'start_time', operator: 'after', value: '2026-11-01' }, true],
    [{ field: 'event_name', operator: 'is', value: 'answer' }, true],
    [{ field: 'source', operator: 'contains', value: 'prod' }, true],
    [{ field: 'event_name', operator: 'is', value: '' }, false],
    [{ field: 'event_name', operator: 'is not', value: 'answer' }, false],
    [{ field: 'event_name', operator: 'not contains', value: 'salary' }, false],
    [{ field: 'parent_id', operator: 'is not', value: 'x' }, false],
    [{ field: 'children_ids', operator: 'contains', value: 'x' }, false],
    [{ field: 'metadata.model', operator: 'is', value: 'gpt-4o' }, false],
    [{ field: 'config.template', operator: 'exists' }, false],
    [{ field: 'inputs.question', operator: 'contains', value: 'salary' }, false],
    [{ field: 'error', operator: 'is', value: 'x' }, false],
    [{ field: 'session_name', operator: 'is', value: 'chat' }, false],
    [{ field: 'session_name', operator: 'is not', value: 'chat' }, false],
  ])('is evaluated on the stored event only if that reveals nothing: %j', (input, expected) => {
    expect(decides(input)).toBe(expected);
    expect(decides(input, NO_REDACTION)).toBe(true);
  });

  it.each(['metadata', 'event_name', 'inputs'])('about the name of a session sees rules on %s', (field) => {
    const redaction = acceptRedaction({ redactValues: false, redactFields: [field] });
    expect(decides({ field: 'session_name', operator: 'is', value: 'chat' }, redaction)).toBe(
      field === 'inputs',
    );
  });
});
