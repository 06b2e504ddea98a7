/** Random layers as parseUsda returns them. */
import fc from 'fast-check';
import type { FieldValue, Layer, ListOp, Reference, Spec, SpecType } from '../../../../src/formats/usd/layer/layer.ts';
import { emptyListOp, explicitListOp } from '../../../../src/formats/usd/layer/list-op.ts';
import { type NumericValue, TUPLE_WIDTH, type Value } from '../../../../src/formats/usd/layer/value.ts';
import { toTypedNumbers } from '../../../../src/formats/usd/text/parse-value.ts';

const identifier = fc.constantFrom('a', 'B', '_c', 'd1', 'Süß', '存在する', 'true', 'None', 'def');
const propertyName = fc.oneof(identifier, fc.constantFrom('primvars:skel:joints', 'a:0:b', 'x:None'));
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('\0', '')),
  fc.constantFrom('"', "'", '\\', '\n', '\\n', '"\'\n', '"""', '\u0080\x7f\x01', '\udcff\udc80', 'a"', "'''\n"),
);
const assetPath = fc.oneof(
  fc.constantFrom('a.usda', '@', '@@', '@@@', 'a@@@@b', '@a@@@', '\\@@@x', 'ä b', 'x\\', '@@@@@@@'),
  fc.stringMatching(/^[a-c@\\/]{1,12}$/).filter((path) => !(path.includes('@') && /\\@{0,2}$/.test(path))),
);
const primPath = fc.array(identifier, { minLength: 1, maxLength: 3 }).map((names) => `/${names.join('/')}`);

const numericTypes = Object.keys(TUPLE_WIDTH) as NumericValue['type'][];

function numberOf(type: NumericValue['type']): fc.Arbitrary<number> {
  if (type === 'bool') return fc.integer({ min: 0, max: 1 });
  if (type === 'uchar') return fc.integer({ min: 0, max: 255 });
  if (type === 'uint') return fc.integer({ min: 0, max: 2 ** 32 - 1 });
  if (type.startsWith('int')) return fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
  return fc.oneof(fc.double(), fc.float(), fc.integer(), fc.constantFrom(0.1, -0, 1e-7, 65504, 1e15, 123456789));
}

const numeric: fc.Arbitrary<Value> = fc
  .tuple(fc.constantFrom(...numericTypes), fc.boolean(), fc.nat(3))
  .chain(([type, isArray, count]): fc.Arbitrary<Value> => {
    const length = TUPLE_WIDTH[type] * (isArray ? count : 1);
    if (type === 'int64' || type === 'uint64') {
      const range = type === 'int64' ? { min: -(2n ** 63n), max: 2n ** 63n - 1n } : { min: 0n, max: 2n ** 64n - 1n };
      const values = fc.array(fc.bigInt(range), { minLength: length, maxLength: length });
      return values.map((numbers) => {
        return {
          type,
          isArray,
          numbers: type === 'int64' ? BigInt64Array.from(numbers) : BigUint64Array.from(numbers),
        };
      });
    }
    const values = fc.array(numberOf(type), { minLength: length, maxLength: length });
    return values.map((numbers) => ({ type, isArray, numbers: toTypedNumbers(type, Float64Array.from(numbers)) }));
  });

const textual: fc.Arbitrary<Value> = fc
  .tuple(fc.constantFrom('string', 'token', 'asset', 'pathExpression'), fc.boolean(), fc.nat(3))
  .chain(([type, isArray, count]) => {
    const length = isArray ? count : 1;
    const texts = fc.array(type === 'asset' ? assetPath : text, { minLength: length, maxLength: length });
    return texts.map((some): Value => ({ type: type as 'string', isArray, texts: some }));
  });

const plain: fc.Arbitrary<Value> = fc.oneof(numeric, textual);

const { dictionary } = fc.letrec<{ dictionary: Value; entry: Value }>((tie) => ({
  dictionary: fc
    .uniqueArray(fc.tuple(text, tie('entry')), { maxLength: 3, selector: ([name]) => name })
    .map((entries): Value => ({ type: 'dictionary', entries: new Map(entries) })),
  entry: fc.oneof({ maxDepth: 3 }, plain, tie('dictionary')),
}));

const reference: fc.Arbitrary<Reference> = fc.record({
  asset: fc.oneof(fc.constant(''), assetPath),
  path: fc.oneof(fc.constant(''), primPath),
  offset: fc.constantFrom(0, 1.5, -3),
  scale: fc.constantFrom(1, 2, 0.1),
  customData: dictionary.map((value) => (value as Extract<Value, { type: 'dictionary' }>).entries),
});

function listOp<Item>(of: ListOp<Item>['of'], item: fc.Arbitrary<Item>): fc.Arbitrary<ListOp<Item>> {
  const items = fc.uniqueArray(item, { minLength: 1, maxLength: 3 });
  const edits = fc.record(
    { added: items, prepended: items, appended: items, deleted: items, ordered: items },
    { requiredKeys: ['added'] },
  );
  const edit = edits.map((some) => ({ ...emptyListOp<Item>(of), ...some }));
  // Text does not distinguish an explicit list of unknown values from a list value.
  if (of === 'unregistered') return edit;
  return fc.oneof(
    fc.uniqueArray(item, { maxLength: 3 }).map((some) => explicitListOp(of, some)),
    edit,
  );
}

function value<T extends FieldValue>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<FieldValue> {
  return arbitrary;
}

const oneText = (type: 'string' | 'token'): fc.Arbitrary<FieldValue> =>
  text.map((some): FieldValue => ({ type, isArray: false, texts: [some] }));

const metadata: Readonly<Record<string, fc.Arbitrary<FieldValue>>> = {
  comment: oneText('string'),
  documentation: oneText('string'),
  kind: oneText('token'),
  hidden: fc.constant({ type: 'bool', isArray: false, numbers: Uint8Array.of(1) }),
  customData: value(dictionary),
  permission: fc.constant({ type: 'word', word: 'private' }),
  symmetryFunction: fc
    .constantFrom('', 'mirror')
    .map((word): FieldValue => ({ type: 'token', isArray: false, texts: [word] })),
  mine: fc
    .constantFrom('1', '"a"', '[1, (2, 3)]', 'None')
    .map((some): FieldValue => ({ type: 'unregistered', text: some })),
  yours: value(listOp('unregistered', fc.constantFrom('1', '"a"', '(1, [2])'))),
};

const arcs: Readonly<Record<string, fc.Arbitrary<FieldValue>>> = {
  references: value(listOp('reference', reference)),
  payload: value(
    listOp(
      'payload',
      reference.map((some) => ({ ...some, customData: new Map() })),
    ),
  ),
  inheritPaths: value(listOp('path', primPath)),
  apiSchemas: value(listOp('token', text)),
  variantSetNames: value(listOp('string', text)),
  variantSelection: fc
    .uniqueArray(fc.tuple(text, fc.constantFrom('', 'red', '.a', '1-2')), { maxLength: 2, selector: ([name]) => name })
    .map((some): FieldValue => ({ type: 'variantSelections', selections: new Map(some) })),
  relocates: fc
    .array(fc.tuple(primPath, fc.oneof(primPath, fc.constant(''))), { maxLength: 2 })
    .map((pairs): FieldValue => ({ type: 'relocates', pairs })),
};

/** A random subset of fields. */
function some(fields: Readonly<Record<string, fc.Arbitrary<FieldValue>>>): fc.Arbitrary<Map<string, FieldValue>> {
  return fc
    .record(fields, { requiredKeys: [] })
    .map((chosen) => new Map(Object.entries(chosen) as [string, FieldValue][]));
}

const CUSTOM = fc.constant<FieldValue>({ type: 'bool', isArray: false, numbers: Uint8Array.of(1) });

function sampled(values: fc.Arbitrary<Value>): fc.Arbitrary<FieldValue> {
  const samples = fc.uniqueArray(
    fc.tuple(
      fc.double({ noNaN: true }).map((time) => time + 0),
      values,
    ),
    {
      maxLength: 3,
      selector: ([time]) => time,
    },
  );
  return samples.map((all): FieldValue => {
    const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      type: 'timeSamples',
      times: Float64Array.from(sorted, ([time]) => time),
      values: sorted.map(([, one]) => one),
    };
  });
}

const BLOCK: Value = { type: 'block' };

const attribute: fc.Arbitrary<Spec> = plain.chain((first) => {
  const { type, isArray } = first as NumericValue;
  const same = fc.oneof(fc.constant(first), fc.constant(BLOCK));
  const fields = some({
    default: value(same),
    timeSamples: sampled(same),
    custom: CUSTOM,
    variability: fc.constant({ type: 'word', word: 'uniform' }),
    connectionPaths: value(
      listOp(
        'path',
        primPath.map((path) => `${path}.x`),
      ),
    ),
    ...metadata,
  });
  const typeName: FieldValue = { type: 'token', isArray: false, texts: [`${type}${isArray ? '[]' : ''}`] };
  return fields.map((chosen) => ({ type: 'attribute', fields: new Map([...chosen, ['typeName', typeName]]) }));
});

const relationship: fc.Arbitrary<Spec> = some({
  targetPaths: value(listOp('path', primPath)),
  custom: CUSTOM,
  variability: fc.constant({ type: 'word', word: 'varying' }),
  ...metadata,
}).map((fields) => ({ type: 'relationship', fields }));

interface Body {
  readonly fields: Map<string, FieldValue>;
  readonly properties: readonly (readonly [string, Spec])[];
  readonly children: readonly (readonly [string, Body])[];
  readonly sets: readonly (readonly [string, readonly (readonly [string, Body])[]])[];
}

function named<T>(name: fc.Arbitrary<string>, item: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<[string, T][]> {
  return fc.uniqueArray(fc.tuple(name, item), { maxLength, selector: ([key]) => key });
}

const { prim } = fc.letrec<{ prim: Body; variant: Body }>((tie) => {
  const body = (fields: fc.Arbitrary<Map<string, FieldValue>>): fc.Arbitrary<Body> =>
    fc.record({
      fields,
      properties: named(propertyName, fc.oneof(attribute, relationship), 3),
      children: fc.oneof({ maxDepth: 2 }, fc.constant([]), named(identifier, tie('prim'), 2)),
      sets: fc.oneof(
        { maxDepth: 2 },
        fc.constant([]),
        named(identifier, named(fc.constantFrom('blue', 'red', '.x', '1|2'), tie('variant'), 2), 2),
      ),
    });
  const specifier = fc.constantFrom('def', 'over', 'class').map((word): FieldValue => ({ type: 'word', word }));
  const order = fc.uniqueArray(identifier, { maxLength: 3 }).map((names): FieldValue => ({ type: 'names', names }));
  return {
    prim: body(
      fc
        .tuple(specifier, some({ ...metadata, ...arcs, primOrder: order, propertyOrder: order }))
        .map(([word, fields]) => {
          return new Map([...fields, ['specifier', word]]);
        }),
    ),
    variant: body(some({ ...metadata, ...arcs })),
  };
});

function addNames(spec: Spec, field: string, items: readonly (readonly [string, unknown])[]): void {
  if (items.length > 0) spec.fields.set(field, { type: 'names', names: items.map(([name]) => name) });
}

function addBody(specs: Map<string, Spec>, path: string, type: SpecType, body: Body): void {
  const spec: Spec = { type, fields: new Map(body.fields) };
  specs.set(path, spec);
  addNames(spec, 'properties', body.properties);
  addNames(spec, 'primChildren', body.children);
  addNames(spec, 'variantSetChildren', body.sets);
  for (const [name, property] of body.properties)
    specs.set(`${path}.${name}`, { ...property, fields: new Map(property.fields) });
  const isOpen = path.endsWith('}') || path === '/';
  for (const [name, child] of body.children) addBody(specs, `${path}${isOpen ? '' : '/'}${name}`, 'prim', child);
  for (const [set, variants] of body.sets) {
    const setSpec: Spec = { type: 'variantSet', fields: new Map() };
    specs.set(`${path}{${set}=}`, setSpec);
    addNames(setSpec, 'variantChildren', variants);
    for (const [name, inner] of variants) addBody(specs, `${path}{${set}=${name}}`, 'variant', inner);
  }
}

/** A random layer. */
export const randomLayer: fc.Arbitrary<Layer> = fc
  .tuple(
    some({ comment: metadata['comment'], customLayerData: value(dictionary), mine: metadata['mine'] }),
    named(identifier, prim, 3),
  )
  .map(([fields, children]) => {
    const specs = new Map<string, Spec>();
    addBody(specs, '/', 'pseudoRoot', { fields, properties: [], children, sets: [] });
    return { specs, issues: [] };
  });

export { plain as randomValue };
