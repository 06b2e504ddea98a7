import { describe, expect, it } from 'vitest';
import { primAt } from '../../../../src/formats/usd/stage/stage.ts';
import { plain, stageOf } from './scene.ts';

describe('variants', () => {
  const CHAR = `def "Char" (
      variants = { string look = "red" }
      prepend variantSets = ["look", "size"]) {
      int own = 1
      variantSet "look" = {
        "red" (variants = { string shade = "dark" }
          prepend variantSets = "shade") { int a = 1\n int own = 9\n def "Hat" { int h = 1 }
          variantSet "shade" = { "dark" { int s = 1 } "light" { int s = 2 } } }
        "blue" (references = </Blue>) { int a = 2 }
      }
      variantSet "size" = { "big" { int z = 1 } "small" { int z = 2 } }
    }
    def "Blue" { int ref = 5 }`;

  it('are composed as selected, weaker than local opinions', () => {
    const stage = stageOf(CHAR);
    expect(['a', 'own', 'z', 's'].map((name) => plain(stage, '/Char', name))).toEqual([1, 1, null, 1]);
    expect(plain(stage, '/Char/Hat', 'h')).toBe(1);
    expect([...(primAt(stage, '/Char')?.variants ?? [])]).toEqual([
      ['look', 'red'],
      ['shade', 'dark'],
    ]);
  });

  it('are selected by the strongest layer, also for sets inside of variants and referenced files', () => {
    const stage = stageOf(
      'def "A" (references = @c.usda@</Char>\n variants = { string shade = "light"\n string size = "small" }) {}',
      { 'c.usda': CHAR },
    );
    expect(['s', 'z'].map((name) => plain(stage, '/A', name))).toEqual([2, 2]);
    const blue = stageOf('def "A" (references = @c.usda@</Char>\n variants = { string look = "blue" }) {}', {
      'c.usda': CHAR,
    });
    expect(['a', 'ref', 's'].map((name) => plain(blue, '/A', name))).toEqual([2, 5, null]);
    expect(primAt(blue, '/A/Hat')).toBeNull();
  });

  it('fall back to the first variant only if requested', () => {
    expect(plain(stageOf(CHAR, {}, { variantFallback: 'first' }), '/Char', 'z')).toBe(1);
    expect(plain(stageOf(CHAR, {}, { variantFallback: 'first' }), '/Char', 'a')).toBe(1);
  });

  it('with a missing selection add nothing', () => {
    const stage = stageOf(
      'def "A" (variants = { string v = "x" }\n prepend variantSets = "v") { variantSet "v" = { "y" { int a = 1 } } }',
    );
    expect(plain(stage, '/A', 'a')).toBeNull();
    expect(stage.issues).toEqual([]);
  });
});
