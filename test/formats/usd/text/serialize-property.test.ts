import { describe, expect, it } from 'vitest';
import type { FieldValue, Spec } from '../../../../src/formats/usd/layer/layer.ts';
import { emptyListOp, explicitListOp } from '../../../../src/formats/usd/layer/list-op.ts';
import type { NumericValue } from '../../../../src/formats/usd/layer/value.ts';
import { emitProperty } from '../../../../src/formats/usd/text/serialize-property.ts';

const word = (text: string): FieldValue => ({ type: 'word', word: text });
const int = (n: number): NumericValue => ({
  type: 'int',
  isArray: false,
  numbers: Int32Array.of(n),
});
const bool = (n: number): FieldValue => ({ type: 'bool', isArray: false, numbers: Uint8Array.of(n) });

function textOf(spec: Spec, indent: string): string {
  const texts: string[] = [];
  emitProperty(spec, 'x', indent, (text) => texts.push(text));
  return texts.join('');
}

function print(type: Spec['type'], fields: Record<string, FieldValue>): string {
  const typed: Record<string, FieldValue> =
    type === 'attribute' ? { typeName: { type: 'token', isArray: false, texts: ['int'] }, ...fields } : fields;
  return textOf({ type, fields: new Map(Object.entries(typed)) }, '');
}

describe('emitProperty of attributes', () => {
  it('writes a statement per kind of value', () => {
    expect(print('attribute', {})).toBe('int x\n');
    expect(print('attribute', { custom: bool(1), variability: word('uniform'), default: int(1) })).toBe(
      'custom uniform int x = 1\n',
    );
    expect(print('attribute', { custom: bool(0), variability: word('varying') })).toBe('int x\n');
    expect(print('attribute', { connectionPaths: explicitListOp('path', ['/A.b']) })).toBe('int x.connect = </A.b>\n');
    expect(
      print('attribute', {
        timeSamples: { type: 'timeSamples', times: Float64Array.of(1, 2.5), values: [int(1), { type: 'block' }] },
      }),
    ).toBe('int x.timeSamples = {\n    1: 1,\n    2.5: None,\n}\n');
    expect(
      print('attribute', { default: int(1), kind: word('k'), spline: { type: 'unregistered', text: '{ 1: 2 }' } }),
    ).toBe('int x = 1 (\n    kind = k\n)\nint x.spline = { 1: 2 }\n');
  });

  it('writes the type unknown if the type is missing', () => {
    expect(textOf({ type: 'attribute', fields: new Map() }, '  ')).toBe('  unknown x\n');
  });
});

describe('emitProperty of relationships', () => {
  it('writes a statement for each list of targets', () => {
    expect(print('relationship', {})).toBe('rel x\n');
    expect(
      print('relationship', { targetPaths: explicitListOp('path', ['/A', '/B']), variability: word('uniform') }),
    ).toBe('rel x = [\n    </A>,\n    </B>,\n]\n');
    expect(
      print('relationship', { targetPaths: explicitListOp<string>('path', []), variability: word('varying') }),
    ).toBe('varying rel x = None\n');
    expect(
      print('relationship', { targetPaths: { ...emptyListOp<string>('path'), deleted: ['/A'], appended: ['/B'] } }),
    ).toBe('delete rel x = </A>\nappend rel x = </B>\n');
    expect(
      print('relationship', { custom: bool(1), targetPaths: { ...emptyListOp<string>('path'), added: ['/A'] } }),
    ).toBe('custom rel x\nadd rel x = </A>\n');
    expect(print('relationship', { default: { type: 'unregistered', text: '</A>' } })).toBe(
      'rel x\nrel x.default = </A>\n',
    );
  });
});
