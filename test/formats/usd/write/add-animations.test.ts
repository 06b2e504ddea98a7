import { describe, expect, it } from 'vitest';
import type { Layer } from '../../../../src/formats/usd/layer/layer.ts';
import { readUsdAsset } from '../../../../src/formats/usd/read/read-usd-asset.ts';
import { readUsdScene } from '../../../../src/formats/usd/read/read-usd-scene.ts';
import { skeletonAnimation } from '../../../../src/formats/usd/skel/bindings.ts';
import { numbersOf } from '../../../../src/formats/usd/skel/typed-values.ts';
import { attributeValue, timeSamplesOf } from '../../../../src/formats/usd/stage/attribute-values.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { primAt } from '../../../../src/formats/usd/stage/stage.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { serializeUsda } from '../../../../src/formats/usd/text/serialize-usda.ts';
import { addAnimations } from '../../../../src/formats/usd/write/add-animations.ts';
import { animation, track } from './small-geometry.ts';

const API = '(prepend apiSchemas = ["SkelBindingAPI"])';
const ONE = '((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))';
const UP = '((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,2,0,1))';

/** The text of a Skeleton with two joints; `more`: further properties and children. */
const skeleton = (name: string, more = ''): string => `
  def Skeleton "${name}" ${API} {
    uniform token[] joints = ["hips", "hips/head"]
    uniform matrix4d[] bindTransforms = [${ONE}, ${UP}]
    uniform matrix4d[] restTransforms = [${ONE}, ${UP}]
    ${more}
  }`;
const WALK = `
  rel skel:animationSource = <Walk>
  def SkelAnimation "Walk" {
    uniform token[] joints = ["hips", "hips/head"]
    float3[] translations.timeSamples = { 101: [(0, 0, 0), (0, 2, 0)], 125: [(1, 0, 0), (0, 2, 0)] }
    quatf[] rotations = [(1, 0, 0, 0), (1, 0, 0, 0)]
    half3[] scales = [(1, 1, 1), (1, 1, 1)]
  }`;
const TIMES = 'timeCodesPerSecond = 24\nstartTimeCode = 101\nendTimeCode = 125\n custom = 3';

function layerOf(text: string, metadata = ''): Layer {
  return parseUsda(`#usda 1.0\n(\n${metadata}\n)\n${text}`);
}

/** Adds clips to a layer that animate all joints of its skeletons. */
function added(layer: Layer, replace = false, clips = ['Jump', 'Nod']) {
  const scene = readUsdScene(openStage(layer));
  const sourceNodes = scene.skeletons.flatMap(({ jointNodes }) => Array.from(jointNodes));
  const animations = clips.map((name) => {
    const tracks = sourceNodes.map((_, k) => track(k, 'translation', [0, 2], [0, 0, 0, k, 3, 0]));
    return animation(name, tracks, { sourceNodes });
  });
  const { layer: out, issues } = addAnimations(scene, layer, animations, { replace });
  return { out, issues, stage: openStage(out), scene };
}

const HERO = `def SkelRoot "Hero" {${skeleton('Skel', WALK)}
  custom int kept = 4
}`;

describe('addAnimations', () => {
  it('adds clips below the Skeleton at the time codes of the stage, and binds the first one', () => {
    const { stage, issues } = added(layerOf(HERO, TIMES));
    expect(issues).toEqual([]);
    expect(primAt(stage, '/Hero/Skel')?.children).toEqual(['Walk', 'Jump', 'Nod']);
    expect(skeletonAnimation(stage, '/Hero/Skel')).toBe('/Hero/Skel/Jump');
    expect(Array.from(timeSamplesOf(stage, '/Hero/Skel/Jump', 'translations'))).toEqual([101, 149]);
    expect([stage.metrics.startTimeCode, stage.metrics.endTimeCode]).toEqual([101, 149]);
    const last = numbersOf(attributeValue(stage, '/Hero/Skel/Jump', 'translations', 149), 3);
    expect(Array.from(last ?? [])).toEqual([0, 3, 0, 1, 3, 0]);
    const names = readUsdAsset(readUsdScene(stage)).clips.map(({ name, duration }) => [name, duration]);
    expect(names).toEqual([
      ['Jump', 2],
      ['Walk', 1],
      ['Nod', 2],
    ]);
  });

  it('chooses suitable time codes for a static stage without time metadata', () => {
    const still = `def SkelRoot "Hero" {${skeleton('Skel')}\n}`;
    const jump = (metadata: string) => {
      const scene = readUsdScene(openStage(layerOf(still, metadata)));
      const sourceNodes = Array.from(scene.skeletons[0].jointNodes);
      const clip = animation('Jump', [track(1, 'translation', [0, 0.1, 0.7], [0, 0, 0, 0, 3, 0, 0, 0, 0])], {
        sourceNodes,
      });
      const stage = openStage(addAnimations(scene, layerOf(still, metadata), [clip], { replace: false }).layer);
      const { timeCodesPerSecond, startTimeCode, endTimeCode } = stage.metrics;
      const codes = Array.from(timeSamplesOf(stage, '/Hero/Skel/Jump', 'translations'));
      return { timeCodesPerSecond, startTimeCode, endTimeCode, codes: codes.map((code) => Number(code.toFixed(9))) };
    };
    expect(jump('')).toEqual({ timeCodesPerSecond: 30, startTimeCode: 0, endTimeCode: 21, codes: [0, 3, 21] });
    expect(jump('framesPerSecond = 24').codes).toEqual([0, 2.4, 16.8]);
  });

  it('changes neither other specs nor the input layer', () => {
    const layer = layerOf(HERO, TIMES);
    const before = serializeUsda(layer);
    const { out } = added(layer);
    expect(serializeUsda(layer)).toBe(before);
    const changed = [...layer.specs].filter(
      ([path, spec]) =>
        out.specs.get(path)?.fields.size !== spec.fields.size ||
        [...spec.fields].some(([name, value]) => out.specs.get(path)?.fields.get(name) !== value),
    );
    expect(changed.map(([path]) => path)).toEqual(['/', '/Hero/Skel', '/Hero/Skel.skel:animationSource']);
    const fresh = [...out.specs.keys()].filter((path) => !layer.specs.has(path));
    expect(fresh.every((path) => /^\/Hero\/Skel\/(Jump|Nod)/.test(path))).toBe(true);
  });

  it('deactivates the old animations with replace', () => {
    const { stage } = added(layerOf(HERO, TIMES), true);
    expect(primAt(stage, '/Hero/Skel/Walk')?.isActive).toBe(false);
    const asset = readUsdAsset(readUsdScene(stage));
    expect(asset.clips.map(({ name }) => name)).toEqual(['Jump', 'Nod']);
  });

  it('makes clip names unique', () => {
    const { stage } = added(layerOf(HERO, TIMES), false, ['Walk', 'Walk']);
    expect(primAt(stage, '/Hero/Skel')?.children).toEqual(['Walk', 'Walk_1', 'Walk_2']);
    expect(
      readUsdAsset(readUsdScene(stage))
        .clips.map(({ name }) => name)
        .sort(),
    ).toEqual(['Walk', 'Walk', 'Walk']);
  });

  it('adds over specs for prims that references define', () => {
    const { out, stage } = added(layerOf(`def "Hero" (references = </Lib/Hero>) {}\nclass "Lib" {${HERO}}`));
    expect(skeletonAnimation(stage, '/Hero/Skel')).toBe('/Hero/Skel/Jump');
    expect(out.specs.get('/Hero/Skel')?.fields.get('specifier')).toEqual({ type: 'word', word: 'over' });
    expect(primAt(stage, '/Hero/Skel')?.typeName).toBe('Skeleton');
  });

  it('binds clips at an instance, which remains one, for a Skeleton in an instance', () => {
    const lib = `class "Lib" { def SkelRoot "Hero" {${skeleton('Skel')}} }`;
    const one = (name: string): string => `def "${name}" (instanceable = true\nreferences = </Lib/Hero>) {}`;
    const { stage } = added(layerOf(`${lib}\ndef "Crowd" {${one('A')}\n${one('B')}}`));
    for (const name of ['A', 'B']) {
      expect(primAt(stage, `/Crowd/${name}`)?.isInstance).toBe(true);
      expect(skeletonAnimation(stage, `/Crowd/${name}/Skel`)).toBe(`/Crowd/${name}_animations/Jump`);
    }
    // Unbound animations are equally near to both skeletons.
    expect(readUsdAsset(readUsdScene(stage)).clips.map(({ name }) => name)).toEqual(['Jump', 'Nod', 'Nod']);
  });

  it('makes an instance an ordinary prim if it contains an animation binding', () => {
    const lib = `class "Lib" {${HERO}}`;
    const { stage } = added(
      layerOf(`${lib}\ndef "Crowd" { def "A" (instanceable = true\nreferences = </Lib/Hero>) {} }`),
    );
    expect(primAt(stage, '/Crowd/A')?.isInstance).toBe(false);
    expect(skeletonAnimation(stage, '/Crowd/A/Skel')).toBe('/Crowd/A/Skel/Jump');
  });

  it('drops clips that animate no joint, with an issue', () => {
    const layer = layerOf(HERO, TIMES);
    const scene = readUsdScene(openStage(layer));
    const clip = animation('Slide', [track(0, 'translation', [0, 1], [0, 0, 0, 1, 0, 0])], { sourceNodes: [0] });
    const { layer: out, issues } = addAnimations(scene, layer, [clip], { replace: false });
    expect(issues.map(({ code }) => code).sort()).toEqual(['CHANNELS_DROPPED', 'CLIP_EMPTY']);
    expect(serializeUsda(out)).toBe(serializeUsda(layer));
  });

  it('merges in-between weights into the weight of their blend shape', () => {
    const face = `def Mesh "Face" ${API} {
      rel skel:skeleton = </Hero/Skel>
      point3f[] points = [(0, 0, 0)]
      uniform token[] skel:blendShapes = ["smile"]
      rel skel:blendShapeTargets = </Hero/Face/smile>
      def BlendShape "smile" {
        uniform vector3f[] offsets = [(0, 0, 2)]
        uniform vector3f[] inbetweens:half = [(0, 0, 3)] (weight = 0.5)
      }
    }`;
    const layer = layerOf(`def SkelRoot "Hero" {${skeleton('Skel')}\n${face}}`);
    const scene = readUsdScene(openStage(layer));
    const values = Float32Array.of(0, 0, 0, 1, 1, 0, 0.5, 0.5);
    const times = Float64Array.of(0, 1, 2, 3);
    const node = scene.prims.indexOf('/Hero/Face');
    const morph = {
      sourceNode: node,
      nodeName: 'Face',
      targetCount: 2,
      interpolation: 'LINEAR',
      times,
      values,
    } as const;
    const clips = [animation('Smile', [], { morphs: [morph] })];
    const stage = openStage(addAnimations(scene, layer, clips, { replace: false }).layer);
    const weights = [0, 24, 48, 72].map((code) => {
      return numbersOf(attributeValue(stage, '/Hero/Skel/Smile', 'blendShapeWeights', code), 1)?.[0];
    });
    expect(weights).toEqual([0, 0.5, 1, 0.75]);
    expect(skeletonAnimation(stage, '/Hero/Skel')).toBe('/Hero/Skel/Smile');
  });
});
