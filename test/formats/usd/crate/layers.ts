/** Layers for tests: small ones by hand, and random ones with values of every type. */

import fc from 'fast-check';
import { roundToHalf } from '../../../../src/formats/usd/layer/half.ts';
import type { FieldValue, Layer, ListOp, Reference, Spec, SpecType } from '../../../../src/formats/usd/layer/layer.ts';
import { ARRAYS, formOf, type NumericValue, TUPLE_WIDTH, type Value } from '../../../../src/formats/usd/layer/value.ts';

/** A layer with specs of the root, of one prim, and of an attribute with these fields. */
export function layerWith(fields: Record<string, FieldValue>): Layer {
  const spec = (type: SpecType, entries: [string, FieldValue][]): Spec => ({ type, fields: new Map(entries) });
  return {
    specs: new Map([
      ['/', spec('pseudoRoot', [['primChildren', { type: 'names', names: ['A'] }]])],
      [
        '/A',
        spec('prim', [
          ['specifier', { type: 'word', word: 'def' }],
          ['properties', { type: 'names', names: ['x'] }],
        ]),
      ],
      ['/A.x', spec('attribute', Object.entries(fields))],
    ]),
    issues: [],
  };
}

/** Lists all specs and fields of a layer, in order, for comparison. */
export function saidBy(layer: Layer): unknown[] {
  return [...layer.specs].map(([path, { type, fields }]) => [path, type, [...fields]]);
}

/** The fields of the attribute of {@link layerWith}. */
export function fieldsOf(layer: Layer): Record<string, FieldValue> {
  return Object.fromEntries((layer.specs.get('/A.x') as Spec).fields);
}

const NUMERIC = Object.keys(TUPLE_WIDTH) as NumericValue['type'][];

/** Numbers of a type. Many are equal, integers, or special values like minus zero and NaN. */
export function numbersArbitrary(type: NumericValue['type'], length: number): fc.Arbitrary<NumericValue['numbers']> {
  const form = formOf(type);
  const few = fc.constantFrom(0, 1, 2, -1, 127, -128, 128, 0.5, -0, 40_000);
  const any = fc.double();
  const big = fc.oneof(fc.bigInt(-5n, 5n), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n));
  const one: fc.Arbitrary<number | bigint> =
    form === 'int64' || form === 'uint64' ? big : fc.boolean().chain((b) => (b ? few : any));
  return fc
    .oneof(
      fc.array(one, { minLength: length, maxLength: length }),
      one.map((value) => Array(length).fill(value)),
      few.map((v) => Array(length).fill(v)),
    )
    .map((values) => {
      const out = new ARRAYS[form](length);
      values.forEach((value, i) => {
        if (out instanceof BigInt64Array || out instanceof BigUint64Array)
          out[i] = BigInt(Math.trunc(Number(value)) === value ? value : typeof value === 'bigint' ? value : 0);
        else if (type === 'bool') out[i] = Number(value) > 0 ? 1 : 0;
        else out[i] = form === 'half' ? roundToHalf(Number(value)) : Number(value);
      });
      return out;
    });
}

const TEXT = fc.oneof(
  fc.constantFrom('', 'a', 'Hips/Spine', '☃'),
  fc.string({ maxLength: 8 }).map((text) => text.replaceAll('\0', '')),
);

const NUMBERS: fc.Arbitrary<Value> = fc
  .record({
    type: fc.constantFrom(...NUMERIC),
    isArray: fc.boolean(),
    count: fc.oneof(fc.nat(6), fc.integer({ min: 14, max: 70 })),
  })
  .chain(({ type, isArray, count }) =>
    numbersArbitrary(type, isArray ? count * TUPLE_WIDTH[type] : TUPLE_WIDTH[type]).map((numbers) => ({
      type,
      isArray,
      numbers,
    })),
  );

const TEXTS: fc.Arbitrary<Value> = fc
  .record({
    type: fc.constantFrom('string', 'token', 'asset', 'pathExpression'),
    isArray: fc.boolean(),
    texts: fc.array(TEXT, { minLength: 1, maxLength: 4 }),
  })
  .map(({ type, isArray, texts }) => ({ type, isArray, texts: isArray ? texts : texts.slice(0, 1) }) as Value);

/** Values that dictionaries and time samples hold. */
export const VALUE: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    NUMBERS,
    TEXTS,
    fc.constant<Value>({ type: 'block' }),
    TEXT.map((text): Value => ({ type: 'unregistered', text })),
    fc
      .array(fc.tuple(TEXT, tie('value')), { maxLength: 3 })
      .map((entries): Value => ({ type: 'dictionary', entries: new Map(entries) })),
  ),
})).value;

const PATH = fc.constantFrom(
  '/',
  '/A',
  '/A/B',
  '/A.x',
  '/A{look=red}B.x',
  '/A.x[/B/C].weight',
  '/C/D/E.primvars:st',
  '',
);
const NAMES = fc.array(TEXT, { maxLength: 4 });
const OFFSET = fc.record({ offset: fc.constantFrom(0, 10.5, -0), scale: fc.constantFrom(1, 0.1) });
const ENTRIES = fc.array(fc.tuple(TEXT, VALUE), { maxLength: 2 }).map((entries) => new Map(entries));
const ARC = fc.record({
  asset: TEXT,
  path: PATH,
  offset: fc.constantFrom(0, 1),
  scale: fc.constantFrom(1, 2),
  customData: fc.constant(new Map<string, Value>()),
});
const REFERENCE: fc.Arbitrary<Reference> = fc.record({
  asset: TEXT,
  path: PATH,
  offset: fc.constantFrom(0, 1),
  scale: fc.constant(1),
  customData: ENTRIES,
});

function listOp<Item>(of: ListOp<Item>['of'], item: fc.Arbitrary<Item>): fc.Arbitrary<FieldValue> {
  const items = fc.array(item, { maxLength: 3 });
  return fc
    .record({
      explicit: fc.option(items),
      added: items,
      prepended: items,
      appended: items,
      deleted: items,
      ordered: items,
    })
    .map((lists) => ({ type: 'listOp', of, ...lists }) as unknown as FieldValue);
}

/** Values of every type that a field can have. */
export const FIELD: fc.Arbitrary<FieldValue> = fc.oneof(
  VALUE,
  VALUE,
  VALUE,
  fc
    .uniqueArray(
      fc.double({ noNaN: true }).map((time) => time + 0),
      { maxLength: 5 },
    )
    .chain((times) =>
      fc
        .array(VALUE, { minLength: times.length, maxLength: times.length })
        .map((values): FieldValue => ({ type: 'timeSamples', times: Float64Array.from(times).sort(), values })),
    ),
  listOp('token', TEXT),
  listOp('string', TEXT),
  listOp('path', PATH),
  listOp('reference', REFERENCE),
  listOp('payload', ARC),
  listOp('int', fc.integer()),
  listOp('uint', fc.nat()),
  listOp('int64', fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)),
  listOp('uint64', fc.bigInt(0n, 2n ** 64n - 1n)),
  listOp('unregistered', TEXT),
  NAMES.map((names): FieldValue => ({ type: 'names', names })),
  fc.array(PATH, { maxLength: 3 }).map((paths): FieldValue => ({ type: 'paths', paths })),
  fc.array(OFFSET, { maxLength: 3 }).map((offsets): FieldValue => ({ type: 'layerOffsets', offsets })),
  fc
    .array(fc.double(), { maxLength: 3 })
    .map((numbers): FieldValue => ({ type: 'doubles', numbers: Float64Array.from(numbers) })),
  fc
    .array(fc.tuple(TEXT, TEXT), { maxLength: 3 })
    .map((pairs): FieldValue => ({ type: 'variantSelections', selections: new Map(pairs) })),
  fc.array(fc.tuple(PATH, PATH), { maxLength: 3 }).map((pairs): FieldValue => ({ type: 'relocates', pairs })),
);

/** Fields that text files never have at an attribute: whether text can contain their values is not checked. */
const UNWRITTEN = ['primOrder', 'propertyOrder', 'mapperChildren', 'expressionChildren', 'subLayerOffsets'];

/** Layers whose attribute has random fields. */
export const LAYER: fc.Arbitrary<Layer> = fc.dictionary(fc.constantFrom(...UNWRITTEN), FIELD).map(layerWith);
