import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import { parseUsdc } from '../../../../src/formats/usd/crate/parse-usdc.ts';
import { serializeUsdc } from '../../../../src/formats/usd/crate/serialize-usdc.ts';
import { isNamespacedName, isPathElement, isTypeName } from '../../../../src/formats/usd/layer/check-names.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';

it.each(['kind', 'primvars:skel:jointIndices', 'ns:2d', 'größe'])('isNamespacedName: accepts %s', (name) => {
  expect(isNamespacedName(name)).toBe(true);
});

it.each(['', 'a b', 'a.b', '1a', 'a:', ':a', 'a"', 'a\nb'])('isNamespacedName: refuses %j', (name) => {
  expect(isNamespacedName(name)).toBe(false);
});

it('isPathElement: accepts names, variants and targets only in their own form', () => {
  expect(isPathElement('Hero', false)).toBe(true);
  expect(isPathElement('skel:joints', false)).toBe(false);
  expect(isPathElement('skel:joints', true)).toBe(true);
  expect(isPathElement('{look=red}', false)).toBe(true);
  expect(isPathElement('{look}', false)).toBe(false);
  expect(isPathElement('[/A.b]', false)).toBe(true);
  expect(isPathElement('[a b]', false)).toBe(false);
});

it('isTypeName: accepts arrays', () => {
  expect(['token[]', 'Mesh', 'Some::EnumValue'].every(isTypeName)).toBe(true);
  expect(['[]', 'a b', 'int[', '', 'a:b'].some(isTypeName)).toBe(false);
});

it('isTypeName: rejects words that start another statement of a text file', () => {
  expect(['def', 'rel', 'rel[]', 'uniform', 'reorder', 'class::Name'].some(isTypeName)).toBe(false);
  expect(['default', 'relative', 'Some::rel', 'add_2'].every(isTypeName)).toBe(true);
});

const LAYER = '#usda 1.0\n\ndef Xform "Hero" (\n    kind = "component"\n)\n{\n    int size = 3\n}\n';

/** The layer in binary, with every occurrence of a text replaced by another one of the same length. */
function forged(from: string, to: string): Uint8Array {
  const swap = (text: string): string => text.replaceAll(from, to);
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return swap(value);
    if (value instanceof Map) return new Map([...value].map(([key, item]) => [walk(key), walk(item)]));
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item)]));
  };
  const { specs } = parseUsda(LAYER);
  return serializeUsdc({ specs: walk(specs) as typeof specs, issues: [] });
}

describe('parseUsdc: refuses names that text files cannot contain', () => {
  it.each([
    ['a prim', 'Hero', 'He o'],
    ['a property', 'size', 'si"e'],
    ['a type', 'Xform', 'X orm'],
    ['a field', 'kind', 'ki d'],
  ])('of %s', (_, from, to) => {
    expect(() => parseUsdc(forged(from, from))).not.toThrow();
    expect(() => parseUsdc(forged(from, to))).toThrow(FormatError);
  });
});
