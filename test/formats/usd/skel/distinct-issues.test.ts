import { expect, it } from 'vitest';
import { issue } from '../../../../src/core/report/issue.ts';
import { readUsdScene } from '../../../../src/formats/usd/read/read-usd-scene.ts';
import { distinctIssues } from '../../../../src/formats/usd/skel/distinct-issues.ts';
import { describeUsdSkel } from '../../../../src/formats/usd/skel/report/describe-usd-skel.ts';
import type { Stage } from '../../../../src/formats/usd/stage/stage.ts';
import { messagesOf, stageOf } from './scene.ts';

/** Instances of a character without its API schema, whose mesh has influences of no use and whose animation has too many translations. */
function crowd(count: number, own: (index: number) => string = () => ''): Stage {
  const names = Array.from(
    { length: count },
    (_, i) => `def "I${i}" (instanceable = true\n references = </P>) {\n${own(i)}\n}`,
  );
  return stageOf(`
    class SkelRoot "P" {
      rel skel:skeleton = </P/S>
      def Skeleton "S" {
        uniform token[] joints = ["a"]
        rel skel:animationSource = </P/A>
      }
      def SkelAnimation "A" {
        uniform token[] joints = ["a"]
        float3[] translations = [(0, 0, 0), (1, 1, 1)]
        quatf[] rotations = [(1, 0, 0, 0)]
        half3[] scales = [(1, 1, 1)]
      }
      def Mesh "M" {
        int[] primvars:skel:jointIndices = [0] (interpolation = "uniform")
        float[] primvars:skel:jointWeights = [1] (interpolation = "uniform")
      }
    }
    def Xform "Crowd" {
      ${names.join('\n')}
    }`);
}

it('distinctIssues: reports common issues of instances once', () => {
  const one = [
    '/Crowd/I0 has skel:skeleton, but SkelBindingAPI is not applied. It is used here, but other software ignores it. Apply the API schema.',
    '/Crowd/I0/S has skel:animationSource, but SkelBindingAPI is not applied. It is used here, but other software ignores it. Apply the API schema.',
    '/Crowd/I0/M has primvars:skel:jointIndices, but SkelBindingAPI is not applied. It is used here, but other software ignores it. Apply the API schema.',
    '/Crowd/I0/M is not skinned: joint influences are uniform, expected constant or vertex.',
  ];
  const stage = crowd(12);
  expect(messagesOf(readUsdScene(stage).issues).slice(0, 4)).toEqual(one);
  for (const told of [(of: Stage) => readUsdScene(of).issues, (of: Stage) => describeUsdSkel(of).issues]) {
    const expected = messagesOf(told(crowd(1)));
    expect(expected.length).toBeGreaterThanOrEqual(one.length);
    expect(messagesOf(told(stage))).toEqual(expected);
  }
});

it('distinctIssues: keeps issues of a single instance', () => {
  const stage = crowd(12, (i) => (i === 11 ? 'rel skel:skeleton = </Gone>' : ''));
  const told = messagesOf(readUsdScene(stage).issues);
  expect(told.filter((message) => message.includes('/Crowd/I1'))).toEqual([
    'skel:skeleton of /Crowd/I11 targets /Gone, which does not exist; expected a Skeleton. The binding is ignored.',
  ]);
});

it('distinctIssues: does not match longer names with the same beginning', () => {
  const stage = crowd(11);
  const told = (path: string) => issue('USD_BINDING_INVALID', `${path} beside /Crowd/I10`, { pointer: path });
  const issues = [told('/Crowd/I0'), told('/Crowd/I1'), told('/Crowd/I1'), issue('USD_LIMIT', 'nowhere')];
  expect(messagesOf(distinctIssues(stage, issues))).toEqual(['/Crowd/I0 beside /Crowd/I10', 'nowhere']);
});
