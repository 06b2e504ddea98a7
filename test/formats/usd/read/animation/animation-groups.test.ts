import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../../../src/core/report/issue.ts';
import { groupAnimations } from '../../../../../src/formats/usd/read/animation/animation-groups.ts';
import { readUsdScene } from '../../../../../src/formats/usd/read/read-usd-scene.ts';
import { messagesOf, stageOf } from '../../skel/scene.ts';
import { animationText, HEAD, skeletonText } from '../clip-scene.ts';

/** Groups the animations of a stage: name of each group, and the animation path by skeleton path. */
function groups(text: string, issues: Issue[] = []): [string, Record<string, string>][] {
  const { stage, skeletons } = readUsdScene(stageOf(HEAD + text));
  return groupAnimations(stage, skeletons, issues).map(({ name, animations }) => [
    name,
    Object.fromEntries([...animations].map(([index, { prim }]) => [skeletons[index].animated.prim, prim])),
  ]);
}

const root = (name: string, ...below: readonly string[]): string => `\ndef SkelRoot "${name}" {${below.join('')}}\n`;
const bound = (name: string, path: string): string => skeletonText(name, ['A'], `rel skel:animationSource = <${path}>`);

describe('groupAnimations', () => {
  it('lists bound animations first, then all others of the stage', () => {
    const text = root('R', animationText('Idle', ['A']), animationText('Walk', ['A']), bound('S', '/R/Walk'));
    expect(groups(text)).toEqual([
      ['Walk', { '/R/S': '/R/Walk' }],
      ['Idle', { '/R/S': '/R/Idle' }],
    ]);
  });

  it('joins animations with the same name on different skeletons, but not on the same', () => {
    const one = root(
      'R1',
      bound('S', '/R1/Walk'),
      animationText('Walk', ['A']),
      '\ndef Scope "More" {',
      animationText('Walk', ['A']),
      '}\n',
    );
    const other = root('R2', bound('S', '/R2/Walk'), animationText('Walk', ['A']));
    expect(groups(one + other)).toEqual([
      ['Walk', { '/R1/S': '/R1/Walk', '/R2/S': '/R2/Walk' }],
      ['Walk', { '/R1/S': '/R1/More/Walk' }],
    ]);
  });

  it('names groups by displayName', () => {
    const named = animationText('Walk_1', ['A']).replace('"Walk_1" {', '"Walk_1" (displayName = "Walk 1") {');
    expect(groups(root('R', bound('S', '/R/Walk_1'), named))[0][0]).toBe('Walk 1');
  });

  it('assigns unbound animations to the nearest skeleton with a shared joint, and to equal ones', () => {
    const near = root(
      'R1',
      skeletonText('S', ['A']),
      skeletonText('Twin', ['A']),
      skeletonText('Unlike', ['A', 'A/B']),
      animationText('Run', ['X', 'A']),
    );
    const far = root('R2', skeletonText('S', ['A']));
    expect(groups(near + far)).toEqual([['Run', { '/R1/S': '/R1/Run', '/R1/Twin': '/R1/Run' }]]);
    expect(groups(far + animationText('Run', ['A']))).toEqual([['Run', { '/R2/S': '/Run' }]]);
  });

  it('counts instances of an animation once per skeleton, and reports them once', () => {
    const shared = `
      def SkelRoot "R" {
        ${skeletonText('S', ['A'])}
        class Scope "Clips" {
          ${animationText('Run', ['A'])}
          ${animationText('Unmatched', ['X'])}
        }
        ${['I1', 'I2', 'I3']
          .map((name) => `def "${name}" (instanceable = true\n references = </R/Clips>) {\n}\n`)
          .join('')}
      }
      `;
    const issues: Issue[] = [];
    expect(groups(shared, issues)).toEqual([['Run', { '/R/S': '/R/I1/Run' }]]);
    expect(messagesOf(issues)).toEqual([
      expect.stringMatching(
        /^SkelAnimation \/R\/I1\/Unmatched is not bound to a skeleton, .* The animation was dropped\./,
      ),
    ]);
  });

  it('drops animations that match no skeleton, with an issue', () => {
    const issues: Issue[] = [];
    expect(groups(root('R', skeletonText('S', ['A']), animationText('Run', ['B'])), issues)).toEqual([]);
    expect(messagesOf(issues)).toEqual([
      'SkelAnimation /R/Run is not bound to a skeleton, and no skeleton shares a joint or blend shape with it. The animation was dropped. Bind it with skel:animationSource.',
    ]);
  });
});
