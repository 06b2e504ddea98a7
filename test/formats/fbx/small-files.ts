import fc from 'fast-check';
import type { FbxProperty, FbxRecord, FbxTree } from '../../../src/formats/fbx/document/fbx-tree.ts';
import { rec, type WrittenFbx } from './fbx-bytes.ts';

/** A file with one of everything that the records of real files have. */
export function smallFbx(version: number): WrittenFbx {
  const times = BigInt64Array.from({ length: 30 }, (_, i) => BigInt(i) * 1539538600n);
  return {
    version,
    records: [
      rec('FBXHeaderExtension', [], [rec('FBXHeaderVersion', [1003]), rec('FBXVersion', [version])]),
      rec(
        'Objects',
        [],
        [
          rec(
            'Model',
            [140251, 'Hips\0\x01Model', 'LimbNode'],
            [
              rec('Version', [232]),
              rec(
                'Properties70',
                [],
                [
                  rec('P', ['Lcl Translation', 'Lcl Translation', '', 'A', 0, 98.5, -1e-5]),
                  rec('P', ['Note', 'KString', '', 'U', 'a, {b}: "c"; d\nC:\\new\\']),
                ],
              ),
              rec('Shading', ['Y']),
              rec('Culling', ['CullingOff']),
            ],
          ),
          rec(
            'AnimationCurve',
            [9007199254740993n, '\0\x01AnimCurve', ''],
            [
              rec('KeyVer', [4009]),
              rec('KeyTime', [times]),
              rec('KeyValueFloat', [Float32Array.from(times, (_, i) => i / 8)]),
              rec('KeyAttrFlags', [Int32Array.of(24836)]),
              rec('Transform', [new Float64Array(20).fill(0.1)]),
              rec('Empty', [new Float64Array(0)]),
            ],
          ),
        ],
      ),
      rec('Connections', [], [rec('C', ['OO', 140251, 0]), rec('C', ['OP', 9007199254740993n, 140251, 'd|X'])]),
      rec('Takes', [], [rec('Current', [''])]),
    ],
  };
}

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/);
const numbers = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double(),
  fc.constantFrom(0, -0, 1e-5, 1e21, 1e300, 2 ** 31, -(2 ** 31), Number.MAX_SAFE_INTEGER),
);
const integers = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
/** Any text but what the text form has other words for: `&quot;` and names in two halves. */
const strings = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('a,b', '{', 'x: 1', '"', ';', '}\r\n', '*3 {', ''),
  )
  .filter((text) => !/&(?:quot|lf|cr);|::/.test(text) && !text.includes('\0\x01'));
const arrays = fc.oneof(
  fc.int32Array({ maxLength: 40 }),
  fc.float32Array({ maxLength: 40 }),
  fc.float64Array({ maxLength: 40 }),
  fc.bigInt64Array({ maxLength: 40 }),
);

/** Any properties of a record that both forms can hold. */
const properties = fc.array(fc.oneof<fc.Arbitrary<FbxProperty>[]>(numbers, integers, strings, arrays), {
  maxLength: 5,
});

const { records } = fc.letrec<{ records: FbxRecord[]; record: FbxRecord }>((tie) => ({
  records: fc.array(tie('record'), { maxLength: 4, depthIdentifier: 'fbx' }),
  record: fc
    .tuple(name, properties, fc.oneof({ depthIdentifier: 'fbx', maxDepth: 6 }, fc.constant([]), tie('records')))
    .map(([named, values, inside]) => rec(named, values, inside)),
}));

/** Any file that both forms can hold. */
export const writtenFbx: fc.Arbitrary<WrittenFbx> = fc
  .tuple(fc.constantFrom(6000, 6100, 7000, 7400, 7499, 7500, 7700, 7999), records)
  .map(([version, inside]) => ({
    version,
    records: [rec('FBXHeaderExtension', [], [rec('FBXVersion', [version])]), ...inside],
  }));

/** What text keeps of a value: integers of 64 bits that are safe are numbers, arrays have no type. */
function asText(value: FbxProperty): FbxProperty {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value !== 'object' || value instanceof Uint8Array) return value;
  return value instanceof BigInt64Array ? Float64Array.from(value, Number) : Float64Array.from(value);
}

/** The records as they come out of a text, of both forms. */
export function recordsAsText(inside: readonly FbxRecord[]): FbxRecord[] {
  return inside.map((record) => rec(record.name, record.properties.map(asText), recordsAsText(record.records)));
}

/** Number of records of a tree; throws where something in it is none of its kinds. */
export function countSound(tree: FbxTree): number {
  if (!Number.isFinite(tree.version)) throw new Error(`version ${tree.version}`);
  const left = [...tree.records];
  let count = 0;
  for (let record = left.pop(); record !== undefined; record = left.pop()) {
    count++;
    if (typeof record.name !== 'string' || record.name === '') throw new Error('a record without a name');
    for (const value of record.properties) {
      const isPlain = ['number', 'bigint', 'boolean', 'string'].includes(typeof value);
      if (!isPlain && !ArrayBuffer.isView(value)) throw new Error(`a property is ${String(value)}`);
    }
    left.push(...record.records);
  }
  return count;
}
