import { expect, it } from 'vitest';
import type { Layer } from '../../../../src/formats/usd/layer/layer.ts';
import { addSpec, appendName, typeNameValue, wordValue } from '../../../../src/formats/usd/text/specs.ts';
import { createTextCursor } from '../../../../src/formats/usd/text/text-cursor.ts';

it('addSpec and appendName: add specs and the names of their children', () => {
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

it('typeNameValue and wordValue: return one object per name', () => {
  const cursor = createTextCursor('');
  expect(typeNameValue(cursor, 'float')).toBe(typeNameValue(cursor, 'float'));
  expect(typeNameValue(cursor, 'float')).not.toBe(typeNameValue(createTextCursor(''), 'float'));
  expect(wordValue('def')).toBe(wordValue('def'));
  expect(wordValue('mm')).toEqual({ type: 'word', word: 'mm' });
});
