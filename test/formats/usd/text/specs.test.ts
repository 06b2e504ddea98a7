import { expect, it } from 'vitest';
import type { Layer } from '../../../../src/formats/usd/layer/layer.ts';
import { createTextCursor } from '../../../../src/formats/usd/text/text-cursor.ts';
import { addSpec, appendName, typeNameValue, wordValue } from '../../../../src/formats/usd/text/specs.ts';

it('specs are added with the names of their children', () => {
  const layer: Layer = { specs: new Map(), issues: [] };
  const cursor = createTextCursor('');
  const spec = addSpec(cursor, layer, '/A', 'prim');
  for (const name of ['a', 'b']) appendName(spec, 'properties', name);
  spec.fields.set('typeName', typeNameValue(cursor, 'Mesh'));
  expect(Object.fromEntries(layer.specs.get('/A')?.fields ?? [])).toEqual({
    properties: { type: 'names', names: ['a', 'b'] },
    typeName: { type: 'token', isArray: false, texts: ['Mesh'] },
  });
});

it('type names and words that very many specs have are one object each', () => {
  const cursor = createTextCursor('');
  expect(typeNameValue(cursor, 'float')).toBe(typeNameValue(cursor, 'float'));
  expect(typeNameValue(cursor, 'float')).not.toBe(typeNameValue(createTextCursor(''), 'float'));
  expect(wordValue('def')).toBe(wordValue('def'));
  expect(wordValue('mm')).toEqual({ type: 'word', word: 'mm' });
});
