import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../../src/core/report/issue.ts';
import {
  animationTimes,
  animationTransforms,
  animationWeights,
  readSkelAnimation,
} from '../../../../src/formats/usd/skel/skel-animation.ts';
import { expectNear } from '../../../support/near.ts';
import { USD_REFERENCE } from '../../../support/tolerances.ts';
import { componentsText, randomFrames } from './random-poses.ts';
import { messagesOf, stageOf } from './scene.ts';

const TRANSLATIONS = 'float3[] translations.timeSamples = { 1: [(1, 2, 3)], 3: [(3, 2, 3)] }';
const ROTATIONS = 'quatf[] rotations = [(0.5, 0.5, 0.5, 0.5)]';
const SCALES = 'half3[] scales.timeSamples = { 2: [(2, 3, 4)] }';

function animate(...attributes: string[]): ReturnType<typeof run> {
  return run(attributes, 2);
}

function run(attributes: readonly string[], time: number | 'default'): { rows: number[][] | null; messages: string[] } {
  const stage = stageOf(`def SkelAnimation "A" {\n uniform token[] joints = ["j"]\n ${attributes.join('\n ')}\n}`);
  const { transforms: matrix, issues } = animationTransforms(stage, readSkelAnimation(stage, '/A'), time);
  const rows = matrix && [0, 4, 8, 12].map((at) => [...matrix.subarray(at, at + 3)]);
  return { rows, messages: messagesOf(issues) };
}

describe('testUsdSkelAnimQuery', () => {
  it('reads back authored matrices and weights at ten frames', () => {
    const frames = randomFrames(10, 3, 100);
    const weights = frames.map((_, frame) => [0.1, 0.77, 0.3].map((weight) => (weight * (frame + 1)) % 1));
    const stage = stageOf(`def SkelAnimation "Anim" {
      uniform token[] joints = ["/A", "/B", "/C"]
      uniform token[] blendShapes = ["shapeA", "shapeB", "shapeC"]
      ${componentsText(frames)}
      float[] blendShapeWeights.timeSamples = { ${weights.map((list, frame) => `${frame}: [${list}]`).join(', ')} }
    }`);
    const animation = readSkelAnimation(stage, '/Anim');
    expect(animation).toEqual({
      prim: '/Anim',
      joints: ['/A', '/B', '/C'],
      blendShapes: ['shapeA', 'shapeB', 'shapeC'],
    });
    expect([...animationTimes(stage, animation)]).toEqual(frames.map((_, frame) => frame));
    const issues: Issue[] = [];
    for (const [frame, matrices] of frames.entries()) {
      const found = animationTransforms(stage, animation, frame);
      issues.push(...found.issues);
      const expected = matrices.flatMap((matrix) => [...matrix]);
      expectNear(found.transforms ?? [], expected, USD_REFERENCE);
      expectNear(animationWeights(stage, animation, frame) ?? [], weights[frame], USD_REFERENCE);
    }
    expect(issues).toEqual([]);
  });
});

describe('animationTransforms', () => {
  it('apply scale, then rotation, then translation', () => {
    expect(animate(TRANSLATIONS, ROTATIONS, SCALES)).toEqual({
      rows: [
        [0, 2, 0],
        [0, 0, 3],
        [4, 0, 0],
        [2, 2, 3],
      ],
      messages: [],
    });
  });

  it('are null without a reason if a component has no value', () => {
    expect(animate(TRANSLATIONS, ROTATIONS)).toEqual({ rows: null, messages: [] });
    expect(animate(TRANSLATIONS, SCALES)).toEqual({ rows: null, messages: [] });
    expect(animate('float3[] translations = None', ROTATIONS, SCALES)).toEqual({ rows: null, messages: [] });
    expect(run([TRANSLATIONS, ROTATIONS, SCALES], 'default')).toEqual({ rows: null, messages: [] });
  });

  it('are null with an issue if sizes do not match', () => {
    const two = 'quatf[] rotations = [(1, 0, 0, 0), (1, 0, 0, 0)]';
    expect(animate(TRANSLATIONS, two, SCALES).messages).toEqual([
      'SkelAnimation /A at 2: there are 1 translations, 2 rotations and 1 scales; author one of each per joint (1 joints). The rest pose was used.',
    ]);
    const twice = TRANSLATIONS.replaceAll('[(', '[(0, 0, 0), (');
    const twoScales = 'half3[] scales = [(1, 1, 1), (1, 1, 1)]';
    expect(animate(twice, two, twoScales).messages).toEqual([
      'SkelAnimation /A at 2: there are 2 transforms for 1 joints; author one per joint. The rest pose was used.',
    ]);
    const none = ['float3[] translations = []', 'quatf[] rotations = []', 'half3[] scales = []'];
    expect(animate(...none)).toEqual({ rows: null, messages: [] });
  });

  it('animationTimes: merges the times of all components and weights', () => {
    const weights = 'float[] blendShapeWeights.timeSamples = { 10: [0], 5: [1] }';
    const stage = stageOf(
      `def SkelAnimation "A" {\n uniform token[] blendShapes = ["b"]\n ${TRANSLATIONS}\n ${SCALES}\n ${weights}\n}`,
    );
    const animation = readSkelAnimation(stage, '/A');
    expect(animation).toEqual({ prim: '/A', joints: [], blendShapes: ['b'] });
    expect([...animationTimes(stage, animation)]).toEqual([1, 2, 3, 5, 10]);
    expect(Array.from(animationWeights(stage, animation, 6) ?? []).map((weight) => weight.toFixed(4))).toEqual([
      '0.8000',
    ]);
    expect(animationWeights(stageOf('def SkelAnimation "A" {\n}'), animation, 6)).toBeNull();
  });
});
