import { describe, expect, it } from 'vitest';
import type { FieldValue, Reference, Spec } from '../../../../src/formats/usd/layer/layer.ts';
import { emptyListOp, explicitListOp } from '../../../../src/formats/usd/layer/list-op.ts';
import { listOpEdits, serializeMetadata } from '../../../../src/formats/usd/text/serialize-metadata.ts';

function print(fields: Record<string, FieldValue>, type: Spec['type'] = 'prim'): string {
  return serializeMetadata({ type, fields: new Map(Object.entries(fields)) }, '');
}

const reference: Reference = { asset: 'a', path: '', offset: 0, scale: 1, customData: new Map() };
const string = (text: string): FieldValue => ({ type: 'string', isArray: false, texts: [text] });

describe('serializeMetadata', () => {
  it('returns an empty text for structural fields only', () => {
    expect(print({})).toBe('');
    expect(
      print({
        specifier: { type: 'word', word: 'def' },
        typeName: string('X'),
        primChildren: { type: 'names', names: ['a'] },
      }),
    ).toBe('');
  });

  it('writes the comment first, then fields by name, under their names in text', () => {
    expect(
      print({
        kind: string('k'),
        comment: string('c'),
        documentation: string('d'),
        hidden: { type: 'bool', isArray: false, numbers: Uint8Array.of(0) },
      }),
    ).toBe('(\n    "c"\n    doc = "d"\n    hidden = false\n    kind = "k"\n)');
  });

  it('writes a line for every list of a list op', () => {
    const op = {
      ...emptyListOp<Reference>('reference'),
      prepended: [reference],
      deleted: [{ ...reference, path: '/B', offset: 2 }],
    };
    expect(print({ references: op })).toBe(
      '(\n    delete references = @a@</B> (offset = 2)\n    prepend references = @a@\n)',
    );
    expect(print({ inheritPaths: explicitListOp('path', ['/A', '/B']) })).toBe(
      '(\n    inherits = [\n        </A>,\n        </B>\n    ]\n)',
    );
    expect(print({ inheritPaths: explicitListOp<string>('path', []) })).toBe('(\n    inherits = None\n)');
    expect(print({ apiSchemas: explicitListOp('token', ['A']) })).toBe('(\n    apiSchemas = ["A"]\n)');
    expect(print({ ints: explicitListOp('int', [1, 2]) })).toBe('(\n    ints = [1, 2]\n)');
    expect(listOpEdits(emptyListOp<string>('token'))).toEqual([]);
  });

  it('writes relocates, variant selections, substitutions and offsets of sub-layers', () => {
    expect(print({ layerRelocates: { type: 'relocates', pairs: [['/A', '']] } }, 'pseudoRoot')).toBe(
      '(\n    relocates = {\n        </A>: <>\n    }\n)',
    );
    expect(print({ variantSelection: { type: 'variantSelections', selections: new Map([['v', 'red']]) } })).toBe(
      '(\n    variants = {\n        string v = "red"\n    }\n)',
    );
    expect(
      print({
        prefixSubstitutions: {
          type: 'dictionary',
          entries: new Map([['$L', { type: 'string', isArray: false, texts: ['R'] }]]),
        },
      }),
    ).toBe('(\n    prefixSubstitutions = {\n        "$L": "R"\n    }\n)');
    const subLayers: FieldValue = { type: 'string', isArray: true, texts: ['a', 'b'] };
    const subLayerOffsets: FieldValue = { type: 'layerOffsets', offsets: [{ offset: 0, scale: 2 }] };
    expect(print({ subLayers, subLayerOffsets }, 'pseudoRoot')).toBe(
      '(\n    subLayers = [\n        @a@ (scale = 2),\n        @b@\n    ]\n)',
    );
  });

  it('writes values of fields that only binary files have', () => {
    expect(
      print({
        x: { type: 'names', names: ['a'] },
        y: { type: 'paths', paths: ['/A'] },
        z: { type: 'doubles', numbers: Float64Array.of(0.5) },
      }),
    ).toBe('(\n    x = ["a"]\n    y = [</A>]\n    z = [0.5]\n)');
  });

  it('throws for time samples', () => {
    expect(() => print({ x: { type: 'timeSamples', times: Float64Array.of(), values: [] } })).toThrow(RangeError);
  });
});
