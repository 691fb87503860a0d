import type { Route } from '@assay/contracts';
import { sampleRequest } from '../conformance/sample-request.js';
import { exampleOf, itemsOf, mayBe, propertiesOf, type Described } from './described.js';
import { FILTERS, LISTS, listOf, OBJECTS, TEXTS, type WorstValue } from './worst-values.js';

/** What is large in a body, and a function that makes it: the bodies are too large to hold all of them. */
export interface WorstBody {
  readonly name: string;
  /** `own` replaces fields of the example, such as the id of a resource that exists. */
  readonly make: (own: object) => string;
}

/** Enough for different kinds of values, few enough that the walk over all routes takes about a minute. */
const BODIES_OF_ROUTE = 3;
const MAX_BYTES = 10_000_000;
/** More of them are events whose storing takes longer than the walk may. */
const MAX_ITEMS = 10_000;
/** Left for the other fields of a body. */
const SPARE_BYTES = 4_000;
/** Fields that are objects whose own fields matter. */
const NESTED = ['event', 'metric', 'content', 'session', 'model_event'];

/** A worst value, as the whole body or in one of its fields. */
interface LargeValue {
  readonly kind: string;
  readonly value: WorstValue;
  readonly field?: string;
  /** Of the object that is in `field`. */
  readonly innerField?: string;
}

/**
 * Returns bodies of a route, each as large as the route takes: one that is a worst value itself, and some with one in a field. Routes that
 * have the same fields get other values in other fields: `turn` is the number of the route.
 */
export function worstBodies(route: Route, turn: number): WorstBody[] {
  const whole = ofKinds({ ...OBJECTS, ...LISTS });
  const inFields = Object.entries(propertiesOf((route.body ?? {}) as Described)).flatMap(valuesInField);
  const kinds = [...new Set(inFields.map(({ kind }) => kind))];
  const large = Array.from({ length: Math.min(BODIES_OF_ROUTE - 1, kinds.length) }, (_, count) => {
    const number = turn * (BODIES_OF_ROUTE - 1) + count;
    const ofKind = inFields.filter(({ kind }) => kind === kinds[number % kinds.length]);
    return ofKind[number % ofKind.length] as LargeValue;
  });
  return [whole[turn % whole.length] as LargeValue, ...large].map((one) => bodyWith(route, one));
}

function bodyWith(route: Route, { kind, value, field, innerField }: LargeValue): WorstBody {
  const bytes = Math.min(route.limits?.maxBodyBytes ?? MAX_BYTES, MAX_BYTES);
  const length = bytes - Math.min(SPARE_BYTES, bytes / 4);
  const sample = sampleRequest(route, route.path).body ?? {};
  const name = [kind, field, innerField].filter(Boolean).join(' in ');
  if (field === undefined) return { name, make: () => value(length) };
  const properties = propertiesOf(route.body ?? {});
  return {
    name,
    make: (own) => {
      const inner = innerField === undefined ? undefined : (exampleOf(properties[field] ?? {}) as object);
      const json = inner ? withField(inner, innerField ?? '', value(length)) : value(length);
      return withField({ ...sample, ...own }, field, json);
    },
  };
}

function valuesInField([field, schema]: [string, Described]): LargeValue[] {
  const inner = NESTED.includes(field) ? Object.entries(propertiesOf(schema)) : [];
  return [
    ...valuesOf(schema).map((one) => ({ ...one, field })),
    ...(field.toLowerCase().includes('filter') ? ofKinds(FILTERS) : []).map((one) => ({ ...one, field })),
    ...inner.flatMap(([innerField, one]) =>
      valuesOf(one).map((large) => ({ ...large, kind: `inner ${large.kind}`, field, innerField })),
    ),
  ];
}

function valuesOf(schema: Described): LargeValue[] {
  const items = itemsOf(schema);
  return ofKinds({
    ...(mayBe(schema, 'object') && OBJECTS),
    ...(mayBe(schema, 'array') && LISTS),
    ...(mayBe(schema, 'string') && TEXTS),
    ...(items && {
      'many items': (length: number) => listOf(JSON.stringify(exampleOf(items)), length, MAX_ITEMS),
    }),
  });
}

function ofKinds(values: Readonly<Record<string, WorstValue>>): LargeValue[] {
  return Object.entries(values).map(([kind, value]) => ({ kind, value }));
}

function withField(object: object, field: string, json: string): string {
  const { [field]: _, ...others } = object as Record<string, unknown>;
  const rest = JSON.stringify(others).slice(1, -1);
  return `{${rest}${rest === '' ? '' : ','}${JSON.stringify(field)}:${json}}`;
}
