import { expect, it } from 'vitest';
import type { Spec } from '../../../../src/formats/usd/layer/layer.ts';
import {
  boolField,
  dictionaryField,
  namesField,
  numberField,
  referenceListField,
  textField,
  textListField,
} from '../../../../src/formats/usd/stage/spec-fields.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';

const layer = parseUsda(`#usda 1.0
(
  defaultPrim = "A"
  subLayers = [@x@]
)
def "A" (
  active = false
  customData = { int a = 1 }
  prepend apiSchemas = ["S"]
  references = @r@
)
{
  int n = 3 (
    elementSize = 2
  )
}
`);
const prim = layer.specs.get('/A') as Spec;

it('spec fields: are read as the expected type', () => {
  expect(textField(layer.specs.get('/'), 'defaultPrim')).toBe('A');
  expect(textField(prim, 'specifier')).toBe('def');
  expect(boolField(prim, 'active')).toBe(false);
  expect(numberField(layer.specs.get('/A.n'), 'elementSize')).toBe(2);
  expect(namesField(layer.specs.get('/'), 'subLayers')).toEqual(['x']);
  expect(namesField(prim, 'properties')).toEqual(['n']);
  expect([...(dictionaryField(prim, 'customData')?.entries.keys() ?? [])]).toEqual(['a']);
  expect(textListField(prim, 'apiSchemas')?.prepended).toEqual(['S']);
  expect(referenceListField(prim, 'references')?.explicit).toMatchObject([{ asset: 'r' }]);
});

it('spec fields: are null if missing or of another type', () => {
  expect([
    textField(prim, 'active'),
    boolField(prim, 'specifier'),
    numberField(undefined, 'x'),
    dictionaryField(prim, 'active'),
  ]).toEqual([null, null, null, null]);
  expect([
    textListField(prim, 'references'),
    referenceListField(prim, 'apiSchemas'),
    textListField(prim, 'active'),
  ]).toEqual([null, null, null]);
  expect(namesField(prim, 'active')).toEqual([]);
});
