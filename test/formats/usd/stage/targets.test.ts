import { describe, expect, it } from 'vitest';
import { connectionsOf, forwardedTargetsOf, targetsOf } from '../../../../src/formats/usd/stage/targets.ts';
import { stageOf } from './scene.ts';

const CHAR = `def "Char" { rel skel:skeleton = </Char/Skel>
  rel out = [</Other>, </Char.x>]
  def "Skel" { rel up = </Char> }
  def "Mat" { token outputs:surface.connect = </Char/Mat/Tex.outputs:rgb>
    def "Tex" {} } }
def "Other" {}`;

describe('targetsOf', () => {
  it('leads into the scene, through references of references, and drops what is not brought along', () => {
    const stage = stageOf('def "W" { def "Hero" (references = @mid@</M/C>) {} }', {
      mid: 'def "M" { def "C" (references = @char@</Char>) {} }',
      char: CHAR,
    });
    expect(targetsOf(stage, '/W/Hero', 'skel:skeleton')).toEqual(['/W/Hero/Skel']);
    expect(targetsOf(stage, '/W/Hero/Skel', 'up')).toEqual(['/W/Hero']);
    expect(targetsOf(stage, '/W/Hero', 'out')).toEqual(['/W/Hero.x']);
    expect(connectionsOf(stage, '/W/Hero/Mat', 'outputs:surface')).toEqual(['/W/Hero/Mat/Tex.outputs:rgb']);
  });

  it('keeps paths to the rest of the file in references within it', () => {
    const stage = stageOf(`${CHAR}\ndef "Hero" (references = </Char>) {}`);
    expect(targetsOf(stage, '/Hero', 'out')).toEqual(['/Other', '/Hero.x']);
  });

  it('does not take a longer name for the same prim', () => {
    const stage = stageOf('def "C" { rel r = [</C/D>, </CD>] }\ndef "CD" {}\ndef "E" (references = </C>) {}');
    expect(targetsOf(stage, '/E', 'r')).toEqual(['/E/D', '/CD']);
  });

  it('are edited over layers', () => {
    const files = { w: 'def "A" { rel r = [</X>, </Y>] }' };
    const of = (text: string): unknown =>
      targetsOf(stageOf(`(subLayers = [@w@])\nover "A" { ${text} }`, files), '/A', 'r');
    expect(of('prepend rel r = </Z>')).toEqual(['/Z', '/X', '/Y']);
    expect(of('delete rel r = </X>')).toEqual(['/Y']);
    expect(of('rel r = None')).toEqual([]);
    expect(of('')).toEqual(['/X', '/Y']);
    expect(targetsOf(stageOf('def "A" { rel r }'), '/A', 'r')).toBeNull();
  });

  it('of classes and variants stand for the prim that has them', () => {
    const stage = stageOf(`class "_C" { rel r = </_C/K> }
      def "A" (inherits = </_C>
        variants = { string v = "x" }
        prepend variantSets = "v") { variantSet "v" = { "x" { rel q = </A/K> } } }`);
    expect([targetsOf(stage, '/A', 'r'), targetsOf(stage, '/A', 'q')]).toEqual([['/A/K'], ['/A/K']]);
  });
});

describe('forwardedTargetsOf', () => {
  it('follows relationships to relationships, each once, also in circles', () => {
    const stage = stageOf('def "A" { rel r = [</A.s>, </X>, </A.t>]\n rel s = [</Y>, </A.r>]\n rel t = </X> }');
    expect(forwardedTargetsOf(stage, '/A', 'r')).toEqual(['/Y', '/X']);
    expect(forwardedTargetsOf(stage, '/A', 'none')).toBeNull();
  });
});
