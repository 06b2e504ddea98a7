import { describe, expect, it } from 'vitest';
import { copyLayer } from '../../../../src/formats/usd/author/override-prim.ts';
import type { NodeTracks } from '../../../../src/formats/usd/author/sample-tracks.ts';
import { readUsdAsset } from '../../../../src/formats/usd/read/read-usd-asset.ts';
import { readUsdScene } from '../../../../src/formats/usd/read/read-usd-scene.ts';
import type { UsdScene } from '../../../../src/formats/usd/read/scene.ts';
import { attributeValue } from '../../../../src/formats/usd/stage/attribute-values.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { localToWorld, transformOps } from '../../../../src/formats/usd/stage/xform-ops.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { serializeUsda } from '../../../../src/formats/usd/text/serialize-usda.ts';
import { addAnimations } from '../../../../src/formats/usd/write/add-animations.ts';
import { animatedPrimsAbove, animatePrim, canAnimatePrim } from '../../../../src/formats/usd/write/animate-prims.ts';
import { USD_QUATF } from '../../../support/tolerances.ts';
import { animation, track } from './small-geometry.ts';

const HEAD = '#usda 1.0\n(\n timeCodesPerSecond = 1\n)\n';
const CODES = { origin: 0, perSecond: 1 };
const UP: NodeTracks = { translation: track(0, 'translation', [0, 2], [0, 0, 0, 0, 4, 0]) };

function sceneOf(text: string): { layer: ReturnType<typeof parseUsda>; scene: UsdScene } {
  const layer = parseUsda(HEAD + text);
  return { layer, scene: readUsdScene(openStage(layer)) };
}

/** Animates the prim at a path and opens the edited stage. */
function animated(text: string, path: string, tracks = UP) {
  const { layer, scene } = sceneOf(text);
  const out = copyLayer(layer);
  animatePrim(out, scene, scene.prims.indexOf(path), tracks, 2, CODES);
  return { layer: out, stage: openStage(out), before: scene.stage };
}

describe('animatePrim', () => {
  it('overwrites translate, orient and scale ops', () => {
    const text =
      'def Xform "A" {\n double3 xformOp:translate = (1, 2, 3)\n token[] xformOpOrder = ["xformOp:translate"]\n}';
    const { stage } = animated(text, '/A');
    expect(transformOps(stage, '/A')).toEqual(['xformOp:translate', 'xformOp:orient', 'xformOp:scale']);
    expect([0, 1, 2].map((time) => localToWorld(stage, '/A', time)[13])).toEqual([0, 2, 4]);
  });

  it('keeps other ops in the file, and the rest value of paths without a track', () => {
    const text = `def Xform "A" {
  double3 xformOp:translate = (1, 2, 3)
  float3 xformOp:rotateXYZ = (0, 0, 90)
  float3 xformOp:scale = (2, 2, 2)
  token[] xformOpOrder = ["!resetXformStack!", "xformOp:translate", "xformOp:rotateXYZ", "xformOp:scale"]
}`;
    const spin = { rotation: track(0, 'rotation', [0, 2], [0, 0, 0, 1, 0, 0, 1, 0]) };
    const { layer, stage, before } = animated(text, '/A', spin);
    expect(attributeValue(stage, '/A', 'xformOpOrder', 'default')).toMatchObject({
      texts: ['!resetXformStack!', 'xformOp:translate:clip', 'xformOp:orient:clip', 'xformOp:scale:clip'],
    });
    expect(serializeUsda(layer)).toContain('float3 xformOp:rotateXYZ = (0, 0, 90)');
    const [rest, then] = [localToWorld(before, '/A', 'default'), localToWorld(stage, '/A', 'default')];
    for (let c = 0; c < 16; c++) expect(Math.abs(then[c] - rest[c])).toBeLessThan(USD_QUATF);
    expect(Array.from(localToWorld(stage, '/A', 0).subarray(12, 15))).toEqual([1, 2, 3]);
    expect(localToWorld(stage, '/A', 2)[0]).toBeCloseTo(-2, 6);
  });
});

describe('canAnimatePrim', () => {
  it('rejects prims that cannot be animated without loss', () => {
    const samples =
      'float3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 1: (1, 0, 0) }\n token[] xformOpOrder = ["xformOp:translate"]';
    const shear =
      'matrix4d xformOp:transform = ((1,0,0,0),(1,1,0,0),(0,0,1,0),(0,0,0,1))\n token[] xformOpOrder = ["xformOp:transform"]';
    const { scene } = sceneOf(`
def Xform "Free" {
  def Xform "Below" {}
}
def Scope "Scope" {}
def Xform "Moving" {\n ${samples}\n}
def Xform "Sheared" {\n ${shear}\n}
class "Lib" {\n def Xform "Inside" {}\n}
def Xform "Instance" (instanceable = true\n references = </Lib>) {}
`);
    const free = (replace: boolean): string[] => scene.prims.filter((_, node) => canAnimatePrim(scene, node, replace));
    expect(free(false)).toEqual(['/Free', '/Free/Below', '/Instance']);
    expect(free(true)).toEqual(['/Free', '/Free/Below', '/Moving', '/Instance']);
    expect(canAnimatePrim(scene, scene.prims.length, false)).toBe(false);
  });
});

const RIG = (place = '', bound = ''): string => `def SkelRoot "Hero" {
  def Xform "Rig" {
    ${place}
    def Skeleton "Skel" (prepend apiSchemas = ["SkelBindingAPI"]) {
      uniform token[] joints = ["hips"]
      uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
      uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
      ${bound}
    }
  }
}`;
const DRIFT =
  'float3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 2: (8, 0, 0) }\n token[] xformOpOrder = ["xformOp:translate"]';

/** Adds two clips to a rig; `joint` and `rig` select which clips animate its joint and its Xform. */
function clipsOn(text: string, replace: boolean, joint = [true, true], rig = [true, true]) {
  const { layer, scene } = sceneOf(text);
  const sourceNodes = [scene.prims.indexOf('/Hero/Rig'), scene.joints.indexOf(0)];
  const animations = ['Jump', 'Nod'].map((name, k) => {
    const up = [
      track(0, 'translation', [0, 2], [0, 0, 0, 0, 4, 0]),
      track(1, 'translation', [0, 2], [0, 0, 0, 0, 0, 1]),
    ];
    return animation(
      name,
      up.filter((_, t) => (t === 0 ? rig : joint)[k]),
      { sourceNodes },
    );
  });
  const { layer: out, issues } = addAnimations(scene, layer, animations, { replace });
  const stage = openStage(out);
  const { clips, skeletons } = readUsdAsset(readUsdScene(stage));
  const tracks = clips.map(({ name, clips: [clip] }) => [
    name,
    ...clip.tracks.map(({ target, path }) => `${skeletons[0].skeleton.names[target]} ${path}`),
  ]);
  return { tracks, issues: issues.map(({ code }) => code), stage };
}

describe('addAnimations on non-joint prims', () => {
  it('animates them by the first clip and reports the tracks of others', () => {
    const { tracks, issues } = clipsOn(RIG(), false);
    expect(tracks).toEqual([
      ['Jump', 'Rig translation', 'hips translation'],
      ['Nod', 'hips translation'],
    ]);
    expect(issues).toEqual(['CHANNELS_DROPPED']);
  });

  it('keeps an existing animation unless replace is set', () => {
    const kept = clipsOn(RIG(DRIFT), false);
    expect(localToWorld(kept.stage, '/Hero/Rig', 2)[12]).toBe(8);
    expect(kept.issues).toEqual(['CHANNELS_DROPPED']);
    const replaced = clipsOn(RIG(DRIFT), true, [true, true], [true, false]);
    expect(Array.from(localToWorld(replaced.stage, '/Hero/Rig', 2).subarray(12, 15))).toEqual([0, 4, 0]);
    expect(replaced.issues).toEqual([]);
  });

  it('makes prims static that only the replaced clips animated', () => {
    const { scene } = sceneOf(RIG(DRIFT));
    expect(animatedPrimsAbove(scene, ['/Hero/Rig/Skel']).map((node) => scene.prims[node])).toEqual(['/Hero/Rig']);
    const { stage, tracks } = clipsOn(RIG(DRIFT), true, [true, true], [false, false]);
    expect(localToWorld(stage, '/Hero/Rig', 2)[12]).toBe(0);
    expect(tracks[0]).toEqual(['Jump', 'hips translation']);
  });

  it('drops tracks that would combine with an animation that stays bound', () => {
    const walk = `rel skel:animationSource = <Walk>
      def SkelAnimation "Walk" {
        uniform token[] joints = ["hips"]
        float3[] translations.timeSamples = { 0: [(0, 0, 0)], 2: [(1, 0, 0)] }
        quatf[] rotations = [(1, 0, 0, 0)]
        half3[] scales = [(1, 1, 1)]
      }`;
    const { tracks, issues } = clipsOn(RIG('', walk), false, [false, false]);
    expect(tracks).toEqual([['Walk', 'hips translation']]);
    expect(issues.sort()).toEqual(['CHANNELS_DROPPED', 'CLIP_EMPTY', 'CLIP_EMPTY']);
  });

  it('animates prims of a stage without joints', () => {
    const { layer, scene } = sceneOf('def Xform "Hero" {\n def Xform "Rig" {}\n}');
    const sourceNodes = [scene.prims.indexOf('/Hero/Rig')];
    const clip = animation('Up', [track(0, 'translation', [0, 2], [0, 0, 0, 0, 4, 0])], { sourceNodes });
    const { layer: out, issues } = addAnimations(scene, layer, [clip], { replace: false });
    const stage = openStage(out);
    expect(issues).toEqual([]);
    expect([stage.metrics.startTimeCode, stage.metrics.endTimeCode]).toEqual([0, 2]);
    expect(localToWorld(stage, '/Hero/Rig', 1)[13]).toBe(2);
  });
});
