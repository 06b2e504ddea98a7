import { describe, expect, it } from 'vitest';
import {
  connectionsOf,
  forwardedTargetsOf,
  targetsOf,
} from '../../../../src/formats/usd/stage/relationship-targets.ts';
import { stageOf } from './scene.ts';

const CHAR = `def "Char" { rel skel:skeleton = </Char/Skel>
  rel out = [</Other>, </Char.x>]
  def "Skel" { rel up = </Char> }
  def "Mat" { token outputs:surface.connect = </Char/Mat/Tex.outputs:rgb>
    def "Tex" {} } }
def "Other" {}`;

describe('targetsOf', () => {
  it('maps targets through nested references and drops those outside', () => {
    const stage = stageOf('def "W" { def "Hero" (references = @mid@</M/C>) {} }', {
      mid: 'def "M" { def "C" (references = @char@</Char>) {} }',
      char: CHAR,
    });
    expect(targetsOf(stage, '/W/Hero', 'skel:skeleton')).toEqual(['/W/Hero/Skel']);
    expect(targetsOf(stage, '/W/Hero/Skel', 'up')).toEqual(['/W/Hero']);
    expect(targetsOf(stage, '/W/Hero', 'out')).toEqual(['/W/Hero.x']);
    expect(connectionsOf(stage, '/W/Hero/Mat', 'outputs:surface')).toEqual(['/W/Hero/Mat/Tex.outputs:rgb']);
  });

  it('keeps paths to other prims for references inside of a layer', () => {
    const stage = stageOf(`${CHAR}\ndef "Hero" (references = </Char>) {}`);
    expect(targetsOf(stage, '/Hero', 'out')).toEqual(['/Other', '/Hero.x']);
  });

  it('does not match longer names with the same beginning', () => {
    const stage = stageOf('def "C" { rel r = [</C/D>, </CD>] }\ndef "CD" {}\ndef "E" (references = </C>) {}');
    expect(targetsOf(stage, '/E', 'r')).toEqual(['/E/D', '/CD']);
  });

  it('composes list edits over layers', () => {
    const files = { w: 'def "A" { rel r = [</X>, </Y>] }' };
    const of = (text: string): unknown =>
      targetsOf(stageOf(`(subLayers = [@w@])\nover "A" { ${text} }`, files), '/A', 'r');
    expect(of('prepend rel r = </Z>')).toEqual(['/Z', '/X', '/Y']);
    expect(of('delete rel r = </X>')).toEqual(['/Y']);
    expect(of('rel r = None')).toEqual([]);
    expect(of('')).toEqual(['/X', '/Y']);
    expect(targetsOf(stageOf('def "A" { rel r }'), '/A', 'r')).toBeNull();
  });

  it('maps targets of classes and variants to the prim that uses them', () => {
    const stage = stageOf(`class "_C" { rel r = </_C/K> }
      def "A" (inherits = </_C>
        variants = { string v = "x" }
        prepend variantSets = "v") { variantSet "v" = { "x" { rel q = </A/K> } } }`);
    expect([targetsOf(stage, '/A', 'r'), targetsOf(stage, '/A', 'q')]).toEqual([['/A/K'], ['/A/K']]);
  });
});

describe('targetsOf with a limit', () => {
  const first = (text: string, most?: number): unknown => targetsOf(stageOf(`def "A" {\n${text}\n}`), '/A', 'r', most);

  it.each(['', 'add ', 'prepend ', 'append '])('returns the first targets: %srel', (word) => {
    expect(first(`${word}rel r = [</X>, </Y>, </Z>]`, 2)).toEqual(['/X', '/Y']);
    expect(first(`${word}rel r = [</X>, </Y>, </Z>]`)).toEqual(['/X', '/Y', '/Z']);
  });

  it('returns the first targets of several edits', () => {
    expect(first('append rel r = [</X>, </Y>]\n    prepend rel r = </Z>', 2)).toEqual(['/Z', '/X']);
    const stage = stageOf('def "A" {\n rel r = </A.s>\n rel s = [</X>, </Y>]\n}');
    expect(forwardedTargetsOf(stage, '/A', 'r', 1)).toEqual(['/X']);
  });

  it('is fast for very many targets of very many prims', () => {
    const targets = Array.from({ length: 20_000 }, (_, k) => `</M${k}>`).join(', ');
    const users = Array.from({ length: 500 }, (_, k) => `def "U${k}" (inherits = </C>) {}`).join('\n');
    const stage = stageOf(`class "C" {\n rel r = [${targets}] }\n${users}`);
    for (let k = 0; k < 500; k++) expect(forwardedTargetsOf(stage, `/U${k}`, 'r', 1)).toEqual(['/M0']);
  });
});

describe('forwardedTargetsOf', () => {
  it('returns all targets without a limit', () => {
    const targets = Array.from({ length: 3000 }, (_, k) => `/A/S${k}`);
    const stage = stageOf(`def "A" {\n rel r = [${targets.map((path) => `<${path}>`).join(', ')}] }`);
    expect(forwardedTargetsOf(stage, '/A', 'r')).toEqual(targets);
  });

  it('follows relationships to relationships, each once, also in cycles', () => {
    const stage = stageOf('def "A" { rel r = [</A.s>, </X>, </A.t>]\n rel s = [</Y>, </A.r>]\n rel t = </X> }');
    expect(forwardedTargetsOf(stage, '/A', 'r')).toEqual(['/Y', '/X']);
    expect(forwardedTargetsOf(stage, '/A', 'none')).toBeNull();
  });
});
