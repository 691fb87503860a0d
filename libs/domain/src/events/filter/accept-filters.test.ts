import { acceptFilters, type FilterInput } from './accept-filters.js';

const strict = (...inputs: FilterInput[]) => acceptFilters(inputs, 'strict');
const lenient = (...inputs: FilterInput[]) => acceptFilters(inputs, 'lenient');

describe('an incomplete filter', () => {
  it('defaults to equality, with the type of the value', () => {
    expect(strict({ field: 'source', value: 'x' })).toEqual([
      { field: 'source', operator: 'is', type: 'string', value: 'x' },
    ]);
    expect(strict({ field: 'metrics.a', value: 0.5 })).toEqual([
      { field: 'metrics.a', operator: 'is', type: 'number', value: 0.5 },
    ]);
    expect(strict({ field: 'metrics.a', value: true })).toEqual([
      { field: 'metrics.a', operator: 'is', type: 'boolean', value: true },
    ]);
  });

  it('derives the type from the operator', () => {
    expect(strict({ field: 'metadata.cost', operator: 'greater than', value: '0.5' })).toMatchObject([
      { type: 'number', value: 0.5 },
    ]);
    expect(strict({ field: 'metadata.n', operator: 'contains', value: 5 })).toMatchObject([
      { type: 'string', value: '5' },
    ]);
    expect(strict({ field: 'start_time', operator: 'after', value: '2026-01-01' })).toMatchObject([
      { type: 'datetime', value: 1_767_225_600_000 },
    ]);
    expect(strict({ field: 'metadata.ok', operator: 'is not', value: true })).toMatchObject([
      { type: 'string', value: 'true' },
    ]);
  });

  it('compares text as it is stored, without NUL and halves of surrogate pairs', () => {
    const value = ['\0 nul', 'half \ud800', '😀'];
    expect(strict({ field: 'metadata.text', operator: 'in', value })).toMatchObject([
      { value: ['\ufffd nul', 'half \ufffd', '😀'] },
    ]);
  });

  it('reads text as a number or a time for fields of these types', () => {
    expect(strict({ field: 'duration', value: '12.5' })).toMatchObject([{ type: 'number', value: 12.5 }]);
    expect(strict({ field: 'start_time', value: '2026-01-01' })).toMatchObject([
      { type: 'datetime', value: 1_767_225_600_000 },
    ]);
  });
});

describe('other spellings of an operator', () => {
  const read = (filter: Omit<FilterInput, 'field'>, field = 'metadata.n') =>
    [strict({ field, ...filter }), lenient({ field, ...filter })].map(([one]) => [one!.operator, one!.type]);

  it.each<[string, FilterInput['value'], string, string]>([
    ['=', 'x', 'is', 'string'],
    ['==', 1, 'is', 'number'],
    ['eq', true, 'is', 'boolean'],
    ['!=', 'x', 'is not', 'string'],
    ['<>', 'x', 'is not', 'string'],
    ['ne', 1, 'is not', 'number'],
    ['>', 1, 'greater than', 'number'],
    ['<', '1.5', 'less than', 'number'],
    ['>=', 1, 'greater than or equal', 'number'],
    ['<=', 1, 'less than or equal', 'number'],
    ['gt', '2026-01-01', 'after', 'datetime'],
    ['<', '2026-01-01T00:00:00Z', 'before', 'datetime'],
    ['>=', '2026-01-01', 'greater than or equal', 'datetime'],
    ['is null', null, 'not exists', 'string'],
    ['IS  NOT NULL', undefined, 'exists', 'string'],
    ['Is Not', 'x', 'is not', 'string'],
  ])('%s with %j is read as %s', (operator, value, expected, type) => {
    expect(read({ operator, value })).toEqual([
      [expected, type],
      [expected, type],
    ]);
  });

  it('depends on the field and the type', () => {
    const later = { operator: '>', value: 1_767_225_600_000 };
    expect(read(later, 'start_time')[0]).toEqual(['after', 'datetime']);
    expect(read({ ...later, type: 'datetime' })[0]).toEqual(['after', 'datetime']);
    expect(read({ operator: '<', value: '5', type: 'number' }, 'start_time')[0]).toEqual([
      'less than',
      'number',
    ]);
  });
});

describe('a value', () => {
  it('is read as the named type', () => {
    expect(strict({ field: 'metrics.a', operator: 'is', value: '0.5', type: 'number' })).toMatchObject([
      { value: 0.5 },
    ]);
    expect(strict({ field: 'metrics.a', operator: 'is', value: 'True', type: 'boolean' })).toMatchObject([
      { value: true },
    ]);
    expect(strict({ field: 'metrics.a', operator: 'is', value: 7, type: 'string' })).toMatchObject([
      { value: '7' },
    ]);
    expect(
      strict({ field: 'end_time', operator: 'before', value: 1_767_225_600_000_000, type: 'datetime' }),
    ).toMatchObject([{ value: 1_767_225_600_000 }]);
  });

  it.each<[FilterInput]>([
    [{ field: 'a', value: 'x', type: 'number' }],
    [{ field: 'a', value: '', type: 'number' }],
    [{ field: 'a', value: true, type: 'number' }],
    [{ field: 'a', value: Infinity, type: 'number' }],
    [{ field: 'a', value: 1, type: 'boolean' }],
    [{ field: 'a', value: '2024-13-45', type: 'datetime' }],
    [{ field: 'a', value: { $gt: '' } }],
    [{ field: 'a', value: { $gte: 1, $like: 2 } }],
    [{ field: 'a', value: {} }],
    [{ field: 'a', value: ['x'] }],
    [{ field: 'a', operator: 'in', value: [{}] }],
  ])('is refused when it cannot be read so: %j', (input) => {
    expect(() => strict(input)).toThrow(/^filters\[0\]\.value/);
    expect(() => lenient(input)).toThrow(/^filters\[0\]\.value/);
  });

  it('is required unless the operator takes none', () => {
    expect(() => strict({ field: 'a', operator: 'contains' })).toThrow(
      'filters[0].value is required by the operator contains',
    );
    expect(() => strict({ field: 'a', operator: 'contains', value: null })).toThrow(/required/);
    expect(strict({ field: 'a', operator: 'exists', value: 'ignored' })).toEqual([
      { field: 'a', operator: 'exists', type: 'string', value: null },
    ]);
  });

  it('of null tests for presence', () => {
    expect(strict({ field: 'error', value: null })).toMatchObject([{ operator: 'not exists', value: null }]);
    expect(strict({ field: 'error', operator: 'is not', value: null })).toMatchObject([
      { operator: 'exists', value: null },
    ]);
  });

  it('that is an id is compared in lower case', () => {
    const id = '0B5F9D0C-7F0A-4F6E-9C1B-3F1F8F0A1D2E';
    expect(strict({ field: 'session_id', value: id })).toMatchObject([{ value: id.toLowerCase() }]);
    expect(strict({ field: 'event_id', operator: 'in', value: [id] })).toMatchObject([
      { value: [id.toLowerCase()] },
    ]);
    expect(strict({ field: 'metadata.run_id', value: id })).toMatchObject([{ value: id }]);
  });
});

describe('a range as a value', () => {
  it('becomes one filter per bound', () => {
    expect(strict({ field: 'start_time', value: { $gte: '2026-01-01', $lte: 1_767_225_600_001 } })).toEqual([
      { field: 'start_time', operator: 'greater than or equal', type: 'datetime', value: 1_767_225_600_000 },
      { field: 'start_time', operator: 'less than or equal', type: 'datetime', value: 1_767_225_600_001 },
    ]);
    expect(lenient({ field: 'metrics.f1', value: { $gte: '0.5' }, type: 'string' })).toEqual([
      { field: 'metrics.f1', operator: 'greater than or equal', type: 'number', value: 0.5 },
    ]);
  });

  it('may exclude its bounds, and values', () => {
    expect(strict({ field: 'a', value: { $gt: 1, $lt: 5, $ne: 3 } })).toEqual([
      { field: 'a', operator: 'greater than', type: 'number', value: 1 },
      { field: 'a', operator: 'less than', type: 'number', value: 5 },
      { field: 'a', operator: 'is not', type: 'number', value: 3 },
    ]);
    expect(strict({ field: 'start_time', value: { $gt: '2026-01-01', $lt: '2026-01-02' } })).toMatchObject([
      { operator: 'after', type: 'datetime' },
      { operator: 'before', type: 'datetime' },
    ]);
  });

  it('up to a date includes the day', () => {
    for (const sent of [
      { value: { $lte: '2026-01-01' } },
      { operator: '$lte', value: '2026-01-01' },
      { operator: 'less than or equal', value: ' 2026-01-01 ', type: 'datetime' },
    ])
      expect(strict({ field: 'start_time', ...sent })).toEqual([
        {
          field: 'start_time',
          operator: 'less than or equal',
          type: 'datetime',
          value: 1_767_225_600_000 + 86_400_000 - 0.001,
        },
      ]);
  });

  it('is rejected with another operator', () => {
    expect(() => strict({ field: 'a', operator: 'contains', value: { $gte: 1 } })).toThrow(
      /^filters\[0\]\.operator/,
    );
  });
});

describe('an operator', () => {
  it('must be compatible with the type on strict routes', () => {
    const input = { field: 'a', operator: 'contains', value: 'x', type: 'number' };
    expect(() => strict(input)).toThrow(/^filters\[0\]\.operator must be one of: .*; its type is number$/);
    expect(lenient(input)).toMatchObject([{ operator: 'contains', type: 'string', value: 'x' }]);
    expect(() => strict({ field: 'a', operator: 'is not', value: true, type: 'boolean' })).toThrow(
      /its type is boolean/,
    );
    expect(lenient({ field: 'a', operator: 'is not', value: true, type: 'boolean' })).toMatchObject([
      { type: 'string', value: 'true' },
    ]);
    expect(lenient({ field: 'a', operator: 'greater than', value: '5', type: 'string' })).toMatchObject([
      { type: 'number', value: 5 },
    ]);
  });

  it('may be abbreviated', () => {
    expect(strict({ field: 'a', operator: 'gt', value: 1 })).toMatchObject([{ operator: 'greater than' }]);
    expect(strict({ field: 'a', operator: 'lte', value: 1 })).toMatchObject([
      { operator: 'less than or equal', type: 'number' },
    ]);
  });

  it('and a type must be known', () => {
    expect(() => lenient({ field: 'a', operator: 'matches', value: 1 })).toThrow(
      /^filters\[0\]\.operator must be one of: exists/,
    );
    expect(() => lenient({ field: 'a', value: 1, type: 'id' })).toThrow(
      'filters[0].type must be one of: string, number, boolean, datetime',
    );
  });
});

describe('filters are limited', () => {
  const many = (count: number): FilterInput[] =>
    Array.from({ length: count }, () => ({ field: 'source', value: 'x' }));

  it('in number', () => {
    expect(strict(...many(50))).toHaveLength(50);
    expect(() => strict(...many(51))).toThrow('filters must hold at most 50 filters');
  });

  it('in depth and length of a path', () => {
    expect(() => strict({ field: Array(33).fill('a').join('.'), value: 1 })).toThrow(/32 segments/);
    expect(() => strict({ field: 'a'.repeat(1_001), value: 1 })).toThrow(/1000 characters/);
    expect(() => strict({ field: '', value: 1 })).toThrow(/^filters\[0\]\.field/);
  });

  it('in values of a list', () => {
    const list = (length: number) =>
      strict({ field: 'source', operator: 'in', value: Array.from({ length }, () => 'x') });
    expect(list(1_000)).toHaveLength(1);
    expect(() => list(1_001)).toThrow(/1000 values/);
    expect(() => strict({ field: 'source', operator: 'in', value: 'x' })).toThrow(
      'filters[0].value must be a list',
    );
  });

  it('in the sum of the values of a list', () => {
    const list = (count: number, text: string) => ({
      field: 'source',
      operator: 'in',
      value: Array<string>(count).fill(text),
    });
    expect(strict(list(16, 'x'.repeat(65_536)))).toHaveLength(1);
    const error = 'filters[0].value must not have more than 1 MB of values';
    expect(() => strict(list(17, 'x'.repeat(65_536)))).toThrow(error);
    expect(() => strict(list(17, 'é'.repeat(32_768)))).toThrow(error);
    expect(() => lenient(list(1, 'x'.repeat(42_000_000)))).toThrow(error);
  });

  it('in the sum of the values of all filters', () => {
    const list = { field: 'source', operator: 'in', value: Array<string>(16).fill('x'.repeat(65_536)) };
    const lists = Array<typeof list>(10).fill(list);
    expect(acceptFilters(lists, 'strict')).toHaveLength(10);
    expect(() => acceptFilters([...lists, { field: 'source', value: 'x' }], 'strict')).toThrow(
      'filters must not have more than 10 MB of values',
    );
  });

  it('in length of a text', () => {
    expect(() => strict({ field: 'source', value: 'x'.repeat(65_537) })).toThrow(/65536 characters/);
  });
});

describe('a path into a list', () => {
  it.each(['inputs.messages.0.content', 'metadata.tags.12', 'metadata.0[0]', 'inputs.a[0].1'])(
    'has its index in brackets: %s is refused',
    (field) => {
      for (const accept of [strict, lenient])
        expect(() => accept({ field, value: 'x' })).toThrow(
          'filters[0].field must name an item of a list in brackets, such as inputs.messages[0].content',
        );
      expect(acceptFilters([{ field, value: 'x' }], 'stored')).toMatchObject([{ field }]);
    },
  );

  it.each([
    'inputs.messages[0].content',
    'metadata["gen_ai.prompt.0.role"]',
    'metadata.v1.5x',
    'metadata.a0',
  ])('is accepted as %s', (field) => {
    expect(strict({ field, value: 'x' })).toMatchObject([{ field }]);
  });

  it('may be the text of an event, which can only be searched', () => {
    expect(strict({ field: 'text', operator: 'contains', value: 'x' })).toEqual([
      { field: 'text', operator: 'contains', type: 'string', value: 'x' },
    ]);
    for (const accept of [strict, lenient])
      for (const operator of [undefined, 'is', 'exists', 'in', '>'])
        expect(() =>
          accept({ field: 'text', ...(operator !== undefined && { operator }), value: 'x' }),
        ).toThrow('filters[0].operator must be one of: contains, not contains; its field is text');
    // An earlier release has stored it, and it finds nothing, as before.
    expect(acceptFilters([{ field: 'text', operator: 'is', value: 'x' }], 'stored')).toHaveLength(1);
  });

  it('may be asked for a member', () => {
    expect(strict({ field: 'metadata.tags', operator: 'has', value: 'red' })).toEqual([
      { field: 'metadata.tags[*]', operator: 'is', type: 'string', value: 'red' },
    ]);
    expect(strict({ field: 'metadata.tags', operator: ' HAS ', value: 7 })).toMatchObject([
      { field: 'metadata.tags[*]', type: 'number', value: 7 },
    ]);
    expect(() => strict({ field: 'metadata.tags', operator: 'has', value: ['red'] })).toThrow(
      /^filters\[0\]\.value/,
    );
  });
});
