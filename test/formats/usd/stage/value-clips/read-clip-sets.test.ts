import { describe, expect, it } from 'vitest';
import { timeSamplesOf } from '../../../../../src/formats/usd/stage/attribute-values.ts';
import { EXACT, USD_CLIP_SEAM, USD_QUATF } from '../../../../support/tolerances.ts';
import { plain, stageOf } from '../scene.ts';

const clip = (samples: string): string => `def "C" { double x.timeSamples = { ${samples} } }`;
const set = (name: string, file: string, more = ''): string => `dictionary ${name} = { asset[] assetPaths = [@${file}@]
  double2[] active = [(0, 0)]
  string primPath = "/C"
  ${more} }`;
const problems = (clips: string, files: Record<string, string> = {}): string[] =>
  stageOf(`def "A" (clips = { ${clips} }) { double x }`, { one: clip('0: 1'), ...files }).issues.map(
    ({ code, message }) => `${code} ${message}`,
  );

describe('readClipSets', () => {
  it('orders sets by name or by clipSets, which may omit some', () => {
    const files = { a: clip('0: 1'), b: clip('0: 2') };
    const value = (order: string): unknown =>
      plain(
        stageOf(`def "A" (clips = { ${set('b', 'b')}\n ${set('a', 'a')} }\n ${order}) { double x }`, files),
        '/A',
        'x',
        0,
      );
    expect(value('')).toBe(1);
    expect(value('clipSets = ["b", "a"]')).toBe(2);
    expect(value('delete clipSets = ["a"]')).toBe(2);
  });

  it('is weaker than the layer that declares the files and stronger than the next one', () => {
    const files = {
      a: clip('0: 1, 10: 2'),
      weak: 'def "A" { double x.timeSamples = { 0: 99 } }',
      own: `def "A" (clips = { ${set('default', 'a')} }) { double x = 3 }`,
      set: `over "A" (clips = { ${set('default', 'a')} }) { double x }`,
    };
    expect(plain(stageOf('(subLayers = [@set@, @weak@])', files), '/A', 'x', 10)).toBe(2);
    expect(plain(stageOf('(subLayers = [@own@, @weak@])', files), '/A', 'x', 10)).toBe(3);
    expect(plain(stageOf('(subLayers = [@weak@, @set@])', files), '/A', 'x', 10)).toBe(99);
    expect(plain(stageOf('(subLayers = [@set@, @weak@])\nover "A" { double x = 4 }', files), '/A', 'x', 10)).toBe(4);
  });

  it('composes entries over layers and applies their offsets to times', () => {
    const files = {
      a: clip('0: 0, 10: 10'),
      weak: `def "A" (clips = { ${set('default', 'a', 'double2[] times = [(0, 0), (10, 10)]')} }) { double x }`,
    };
    expect(plain(stageOf('(subLayers = [@weak@ (offset = 100)])', files), '/A', 'x', 104)).toBe(4);
    const over = stageOf(
      '(subLayers = [@weak@])\nover "A" (clips = { dictionary default = { double2[] times = [(0, 10), (10, 0)] } }) {}',
      files,
    );
    expect(plain(over, '/A', 'x', 4)).toBe(6);
  });

  it('applies to all descendants, through references, nearest set first', () => {
    const asset = `def "P" (clips = { ${set('default', 'a')} }) { double x
      def "Q" { double y
        def "R" { double y } } }`;
    const file = `def "C" { double x.timeSamples = { 0: 1 }
      def "Q" { double y.timeSamples = { 0: 2 }
        def "R" { double y.timeSamples = { 0: 3 } } } }`;
    const stage = stageOf('def "W" { def "Hero" (references = @asset@</P>) {} }', { asset, a: file });
    expect([
      plain(stage, '/W/Hero', 'x', 0),
      plain(stage, '/W/Hero/Q', 'y', 0),
      plain(stage, '/W/Hero/Q/R', 'y', 0),
    ]).toEqual([1, 2, 3]);
    expect(plain(stage, '/W/Hero', 'x')).toBeNull();
    const inner = stageOf(
      'def "W" { def "Hero" (references = @asset@</P>) {\n over "Q" (clips = { dictionary mine = { asset[] assetPaths = [@b@]\n double2[] active = [(0, 0)]\n string primPath = "/C" } }) {} } }',
      {
        asset,
        a: file,
        b: 'def "C" { double y.timeSamples = { 0: 20 } }',
      },
    );
    expect(plain(inner, '/W/Hero/Q', 'y', 0)).toBe(20);
  });

  it('a scene may override the times of clips declared in a referenced file', () => {
    const stage = stageOf(
      `def "A" (references = @asset@</P> (offset = 1000)
        clips = { dictionary default = { double2[] times = [(50, 0), (70, 10)]
            double2[] active = [(50, 0)] } }) {}`,
      { asset: `def "P" (clips = { ${set('default', 'a')} }) { double x }`, a: clip('0: 0, 10: 10') },
    );
    expect([50, 60, 70, 99].map((time) => plain(stage, '/A', 'x', time))).toEqual([0, 5, 10, 10]);
  });

  it('reports and ignores invalid sets', () => {
    const base = 'asset[] assetPaths = [@one@]\n string primPath = "/C"';
    expect(problems(`dictionary s = { ${base} }`)[0]).toContain('active');
    expect(problems(`dictionary s = { ${base}\n double2[] active = [(0, 1)] }`)[0]).toContain(
      'active refers to the clip 1; expected 0…0',
    );
    expect(problems(`dictionary s = { ${base}\n double2[] active = [(0, 0), (0, 0)] }`)[0]).toContain('same time');
    expect(
      problems(
        `dictionary s = { ${base}\n double2[] active = [(0, 0)]\n double2[] times = [(0, 0), (0, 1), (0, 2)] }`,
      )[0],
    ).toContain('more than two');
    expect(problems('dictionary s = { asset[] assetPaths = [@one@]\n double2[] active = [(0, 0)] }')[0]).toContain(
      'primPath',
    );
    expect(problems('dictionary s = { string templateAssetPath = "a.#.usd"\n string primPath = "/C" }')[0]).toContain(
      'templateStartTime',
    );
    expect(problems(set('s', 'gone'))[0]).toContain('RESOURCE_MISSING');
    expect(problems(`dictionary s = { ${base}\n double2[] active = [] }`)).toEqual([]);
    expect(problems('dictionary s = { string primPath = "/C" }')).toEqual([]);
  });

  it('finds existing files of a template and applies the offset of their layer', () => {
    const template = `def "A" (clips = { dictionary default = { string templateAssetPath = "./c.##.usd"
      double templateStartTime = 1
      double templateEndTime = 4
      double templateStride = 1
      string primPath = "/C" } }) { double x }`;
    const files = { t: template, 'c.01.usd': clip('1: 1'), 'c.02.usd': clip('2: 20'), 'c.04.usd': clip('4: 40') };
    const stage = stageOf('(subLayers = [@t@ (offset = 10)])', files);
    expect(stage.issues).toEqual([]);
    expect([...timeSamplesOf(stage, '/A', 'x')]).toEqual([11, 12, 14]);
    expect([11, 11.5, 12, 13, 14, 99].map((time) => plain(stage, '/A', 'x', time))).toEqual([1, 10.5, 20, 30, 40, 40]);
  });
});

/** Animations as a studio publishes them: one SkelAnimation a file, all of the same joints, each from time 0. */
const walk = `def SkelAnimation "Anim" { uniform token[] joints = ["Hips", "Hips/Spine"]
  float3[] translations.timeSamples = { 0: [(0, 1, 0), (0, 0.5, 0)], 10: [(0, 1, 1), (0, 0.5, 0)] }
  quatf[] rotations.timeSamples = { 0: [(1, 0, 0, 0), (1, 0, 0, 0)], 5: [(1, 0, 0, 0), (0.70710678, 0, 0.70710678, 0)], 10: [(1, 0, 0, 0), (1, 0, 0, 0)] }
  half3[] scales.timeSamples = { 0: [(1, 1, 1), (1, 1, 1)] } }`;
const wave = `def SkelAnimation "Anim" { uniform token[] joints = ["Hips", "Hips/Spine"]
  float3[] translations.timeSamples = { 0: [(0, 2, 0), (0, 0.5, 0)], 8: [(0, 2, 4), (0, 0.5, 0)] }
  quatf[] rotations.timeSamples = { 0: [(0, 1, 0, 0), (1, 0, 0, 0)] }
  half3[] scales.timeSamples = { 0: [(1, 1, 1), (1, 1, 1)] } }`;

describe('value clips that sequence animations: a walk twice, then a wave at half speed', () => {
  const stage = stageOf(
    `def SkelRoot "Hero" {
      def Skeleton "Skel" { rel skel:animationSource = </Hero/Anim> }
      def SkelAnimation "Anim" (clips = { dictionary default = {
          asset[] assetPaths = [@./walk.usda@, @./wave.usda@]
          double2[] active = [(100, 0), (120, 1)]
          double2[] times = [(100, 0), (110, 10), (110, 0), (120, 10), (120, 0), (136, 8)]
          string primPath = "/Anim" } }) {
        uniform token[] joints = ["Hips", "Hips/Spine"]
        float3[] translations
        quatf[] rotations
        half3[] scales } }`,
    { 'walk.usda': walk, 'wave.usda': wave },
  );
  const hips = (time: number): number[] => (plain(stage, '/Hero/Anim', 'translations', time) as number[]).slice(0, 3);

  it('repeat the walk from its start', () => {
    expect([100, 105, 110, 115].map(hips)).toEqual([
      [0, 1, 0],
      [0, 1, 0.5],
      [0, 1, 0],
      [0, 1, 0.5],
    ]);
    const spine = (time: number): number[] => (plain(stage, '/Hero/Anim', 'rotations', time) as number[]).slice(4);
    expect(spine(105)).toEqual(spine(115));
    const eighth = spine(102.5);
    expect(Math.abs(eighth[1] / eighth[3] - Math.tan(Math.PI / 8))).toBeLessThan(USD_QUATF);
  });

  it('play the wave slower and hold its end', () => {
    expect([120, 128, 136, 999].map(hips)).toEqual([
      [0, 2, 0],
      [0, 2, 2],
      [0, 2, 4],
      [0, 2, 4],
    ]);
    expect((plain(stage, '/Hero/Anim', 'rotations', 130) as number[]).slice(0, 4)).toEqual([1, 0, 0, 0]);
  });

  it('have samples where the files have them, and at every seam', () => {
    const times = [...timeSamplesOf(stage, '/Hero/Anim', 'rotations')];
    const seams = [100, 105, 110, 110, 115, 120, 120, 136];
    expect(times).toHaveLength(seams.length);
    for (const [i, time] of times.entries()) expect(Math.abs(time - seams[i])).toBeLessThan(USD_CLIP_SEAM);
    // The left side of a seam is the end of the walk.
    expect(Math.abs(hips(times[2])[2] - 1)).toBeLessThan(EXACT);
  });

  it('leave joints, which the scene authors, unchanged', () => {
    expect(plain(stage, '/Hero/Anim', 'joints', 105)).toEqual(['Hips', 'Hips/Spine']);
    expect(stage.issues).toEqual([]);
  });
});

describe('value clips of several referenced characters with other times, by template and manifest', () => {
  const character = `def SkelRoot "Char" (clips = { dictionary motion = { string primPath = "/Char"
        asset manifestAssetPath = @manifest.usda@
        string templateAssetPath = "./frame.#.usda"
        double templateStartTime = 1
        double templateEndTime = 3
        double templateStride = 1
        double templateActiveOffset = -0.5 } }) {
      def SkelAnimation "Anim" { float[] blendShapeWeights
        uniform token[] blendShapes = ["smile"] } }`;
  const frame = (time: number, weight: number): string =>
    `def "Char" { def "Anim" { float[] blendShapeWeights.timeSamples = { ${time}: [${weight}] }\n float[] other.timeSamples = { ${time}: [9] } } }`;
  const stage = stageOf(
    `def "Crowd" {
      def "A" (references = @char.usda@</Char>) {}
      def "B" (references = @char.usda@</Char> (offset = 100; scale = 2)) {}
      def "C" (references = @char.usda@</Char>) { over "Anim" { float[] blendShapeWeights = [0.125] } } }`,
    {
      'char.usda': character,
      'manifest.usda': 'def "Char" { def "Anim" { float[] blendShapeWeights } }',
      'frame.1.usda': frame(1, 0),
      'frame.2.usda': frame(2, 0.5),
      'frame.3.usda': frame(3, 1),
    },
  );
  const smile = (who: string, time: number): unknown =>
    (plain(stage, `/Crowd/${who}/Anim`, 'blendShapeWeights', time) as number[])[0];

  it('show each frame file at its time', () => {
    expect(stage.issues).toEqual([]);
    expect([1, 2, 3, 10].map((time) => smile('A', time))).toEqual([0, 0.5, 1, 1]);
  });

  it('follow the layer offset of the reference', () => {
    expect([102, 104, 106].map((time) => smile('B', time))).toEqual([0, 0.5, 1]);
  });

  it('can be overridden by the scene; undeclared attributes are ignored', () => {
    expect(smile('C', 2)).toBe(0.125);
    expect(plain(stage, '/Crowd/A/Anim', 'other', 2)).toBeNull();
  });
});
