import { expect, it } from 'vitest';
import type { Layer } from '../../../../src/formats/usd/layer/layer.ts';
import { cursorAt } from '../../../../src/formats/usd/text/cursor.ts';
import { addSpec, appendName, tokenValue } from '../../../../src/formats/usd/text/specs.ts';

it('specs are added with the names of their children', () => {
  const layer: Layer = { specs: new Map(), issues: [] };
  const spec = addSpec(cursorAt(''), layer, '/A', 'prim');
  for (const name of ['a', 'b']) appendName(spec, 'properties', name);
  spec.fields.set('kind', tokenValue('k'));
  expect(Object.fromEntries(layer.specs.get('/A')?.fields ?? [])).toEqual({
    properties: { type: 'names', names: ['a', 'b'] },
    kind: { type: 'token', isArray: false, texts: ['k'] },
  });
});
