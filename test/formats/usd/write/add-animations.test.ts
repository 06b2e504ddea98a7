import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../../src/core/report/issue.ts';
import type { Layer } from '../../../../src/formats/usd/layer/layer.ts';
import { readUsdAsset } from '../../../../src/formats/usd/read/read-asset.ts';
import { readUsdScene } from '../../../../src/formats/usd/read/read-scene.ts';
import { skeletonAnimation } from '../../../../src/formats/usd/skel/bindings.ts';
import { numbersOf } from '../../../../src/formats/usd/skel/stage-reading.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { primAt } from '../../../../src/formats/usd/stage/stage.ts';
import { attributeValue, timeSamplesOf } from '../../../../src/formats/usd/stage/values.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { printUsda } from '../../../../src/formats/usd/text/print-usda.ts';
import { addAnimations } from '../../../../src/formats/usd/write/add-animations.ts';
import { animation, track } from './small-geometry.ts';

const API = '(prepend apiSchemas = ["SkelBindingAPI"])';
const ONE = '((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))';
const UP = '((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,2,0,1))';

/** A Skeleton of two joints with what is given below it. */
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

/** The layer with clips of a joint of its last skeleton; its first joint is the last node but one. */
function added(layer: Layer, replace = false, clips = ['Jump', 'Nod']) {
  const issues: Issue[] = [];
  const scene = readUsdScene(openStage(layer));
  const sourceNodes = scene.skeletons.flatMap(({ jointNodes }) => Array.from(jointNodes));
  const animations = clips.map((name) => {
    const tracks = sourceNodes.map((_, k) => track(k, 'translation', [0, 2], [0, 0, 0, k, 3, 0]));
    return animation(name, tracks, { sourceNodes });
  });
  const out = addAnimations(scene, layer, animations, { replace }, issues);
  return { out, issues, stage: openStage(out), scene };
}

const HERO = `def SkelRoot "Hero" {${skeleton('Skel', WALK)}
  custom int kept = 4
}`;

describe('clips for a USD character that is there', () => {
  it('stand below its Skeleton beside those it has, the first one bound, at the time codes of the stage', () => {
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

  it('get time codes that suit them where the file says nothing of time and stands still', () => {
    const still = `def SkelRoot "Hero" {${skeleton('Skel')}\n}`;
    const jump = (metadata: string) => {
      const scene = readUsdScene(openStage(layerOf(still, metadata)));
      const sourceNodes = Array.from(scene.skeletons[0].jointNodes);
      const clip = animation('Jump', [track(1, 'translation', [0, 0.1, 0.7], [0, 0, 0, 0, 3, 0, 0, 0, 0])], {
        sourceNodes,
      });
      const stage = openStage(addAnimations(scene, layerOf(still, metadata), [clip], { replace: false }, []));
      const { timeCodesPerSecond, startTimeCode, endTimeCode } = stage.metrics;
      const codes = Array.from(timeSamplesOf(stage, '/Hero/Skel/Jump', 'translations'));
      return { timeCodesPerSecond, startTimeCode, endTimeCode, codes: codes.map((code) => Number(code.toFixed(9))) };
    };
    expect(jump('')).toEqual({ timeCodesPerSecond: 30, startTimeCode: 0, endTimeCode: 21, codes: [0, 3, 21] });
    expect(jump('framesPerSecond = 24').codes).toEqual([0, 2.4, 16.8]);
  });

  it('leave everything else of the layer as it is, and the layer that was given', () => {
    const layer = layerOf(HERO, TIMES);
    const before = printUsda(layer);
    const { out } = added(layer);
    expect(printUsda(layer)).toBe(before);
    const changed = [...layer.specs].filter(
      ([path, spec]) =>
        out.specs.get(path)?.fields.size !== spec.fields.size ||
        [...spec.fields].some(([name, value]) => out.specs.get(path)?.fields.get(name) !== value),
    );
    expect(changed.map(([path]) => path)).toEqual(['/', '/Hero/Skel', '/Hero/Skel.skel:animationSource']);
    const fresh = [...out.specs.keys()].filter((path) => !layer.specs.has(path));
    expect(fresh.every((path) => /^\/Hero\/Skel\/(Jump|Nod)/.test(path))).toBe(true);
  });

  it('make inactive what was there where they replace it', () => {
    const { stage } = added(layerOf(HERO, TIMES), true);
    expect(primAt(stage, '/Hero/Skel/Walk')?.isActive).toBe(false);
    const asset = readUsdAsset(readUsdScene(stage));
    expect(asset.clips.map(({ name }) => name)).toEqual(['Jump', 'Nod']);
  });

  it('get names that are not taken', () => {
    const { stage } = added(layerOf(HERO, TIMES), false, ['Walk', 'Walk']);
    expect(primAt(stage, '/Hero/Skel')?.children).toEqual(['Walk', 'Walk_1', 'Walk_2']);
    expect(
      readUsdAsset(readUsdScene(stage))
        .clips.map(({ name }) => name)
        .sort(),
    ).toEqual(['Walk', 'Walk', 'Walk']);
  });

  it('are opinions over prims that come from elsewhere', () => {
    const { out, stage } = added(layerOf(`def "Hero" (references = </Lib/Hero>) {}\nclass "Lib" {${HERO}}`));
    expect(skeletonAnimation(stage, '/Hero/Skel')).toBe('/Hero/Skel/Jump');
    expect(out.specs.get('/Hero/Skel')?.fields.get('specifier')).toEqual({ type: 'word', word: 'over' });
    expect(primAt(stage, '/Hero/Skel')?.typeName).toBe('Skeleton');
  });

  it('are bound at an instance, which stays one, where its Skeleton is shared', () => {
    const lib = `class "Lib" { def SkelRoot "Hero" {${skeleton('Skel')}} }`;
    const one = (name: string): string => `def "${name}" (instanceable = true\nreferences = </Lib/Hero>) {}`;
    const { stage } = added(layerOf(`${lib}\ndef "Crowd" {${one('A')}\n${one('B')}}`));
    for (const name of ['A', 'B']) {
      expect(primAt(stage, `/Crowd/${name}`)?.isInstance).toBe(true);
      expect(skeletonAnimation(stage, `/Crowd/${name}/Skel`)).toBe(`/Crowd/${name}_animations/Jump`);
    }
    // What nothing is bound to stands as near to one as to the other.
    expect(readUsdAsset(readUsdScene(stage)).clips.map(({ name }) => name)).toEqual(['Jump', 'Nod', 'Nod']);
  });

  it('end the sharing of an instance that binds an animation inside', () => {
    const lib = `class "Lib" {${HERO}}`;
    const { stage } = added(
      layerOf(`${lib}\ndef "Crowd" { def "A" (instanceable = true\nreferences = </Lib/Hero>) {} }`),
    );
    expect(primAt(stage, '/Crowd/A')?.isInstance).toBe(false);
    expect(skeletonAnimation(stage, '/Crowd/A/Skel')).toBe('/Crowd/A/Skel/Jump');
  });

  it('are left out where they move no joint, with an issue', () => {
    const layer = layerOf(HERO, TIMES);
    const issues: Issue[] = [];
    const scene = readUsdScene(openStage(layer));
    const clip = animation('Slide', [track(0, 'translation', [0, 1], [0, 0, 0, 1, 0, 0])], { sourceNodes: [0] });
    const out = addAnimations(scene, layer, [clip], { replace: false }, issues);
    expect(issues.map(({ code }) => code).sort()).toEqual(['CHANNELS_DROPPED', 'CLIP_EMPTY']);
    expect(printUsda(out)).toBe(printUsda(layer));
  });

  it('give weights of in-betweens back to their blend shape', () => {
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
    const out = addAnimations(scene, layer, [animation('Smile', [], { morphs: [morph] })], { replace: false }, []);
    const stage = openStage(out);
    const weights = [0, 24, 48, 72].map((code) => {
      return numbersOf(attributeValue(stage, '/Hero/Skel/Smile', 'blendShapeWeights', code), 1)?.[0];
    });
    expect(weights).toEqual([0, 0.5, 1, 0.75]);
    expect(skeletonAnimation(stage, '/Hero/Skel')).toBe('/Hero/Skel/Smile');
  });
});
