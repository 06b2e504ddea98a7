import { describe, expect, it } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { describeBody } from '../../../src/core/measure/body.ts';
import { measureResult } from '../../../src/core/measure/ruler.ts';
import { judgeFigures } from '../../../src/core/measure/verdict.ts';
import { POSE_STRIDE, type Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { openDemo } from '../../support/make/demo-files.ts';
import { aboutAxis, product, read } from '../../support/reference/plain.ts';

/** A walk, and the same walk in a file whose rest pose is on all fours, in the air. */
async function walks() {
  const file = await openDemo('walk.glb');
  const { humanoid, index } = chooseHumanoid(file, 'source', {}).found!;
  const { skeleton, map } = humanoid;
  const rest = skeleton.rest.slice();
  const turn = (bone: number, axis: readonly [number, number, number], angle: number): void => {
    const at = POSE_STRIDE * map.nodes[bone] + 3;
    rest.set(product(aboutAxis([...axis], angle), read(rest, at, 4)), at);
  };
  turn(BONE.hips, [1, 0, 0], 1.5);
  for (const bone of [BONE.leftUpperLeg, BONE.rightUpperLeg]) turn(bone, [1, 0, 0], -1.5);
  for (const bone of [BONE.leftLowerLeg, BONE.rightLowerLeg]) turn(bone, [1, 0, 0], 1.5);
  rest[POSE_STRIDE * map.nodes[BONE.hips] + 1] += 0.7;
  const clip = file.asset.clips[0].clips[index];
  const moved = new Set(clip.tracks.map(({ target, path }) => `${target} ${path}`));
  // The clip moves everything that was changed.
  for (const bone of [BONE.hips, BONE.leftUpperLeg, BONE.rightLowerLeg])
    expect(moved.has(`${map.nodes[bone]} rotation`)).toBe(true);
  const bodyOf = (one: Skeleton) => describeBody({ skeleton: one, nodes: map.nodes });
  return {
    standing: { body: bodyOf(skeleton), clip },
    fallen: { body: bodyOf({ ...skeleton, rest, bind: null }), clip },
  };
}

describe('measureResult of a source whose rest pose does not stand', () => {
  it('finds up and ground in the clip', async () => {
    const { standing, fallen } = await walks();
    expect(fallen.body.isStanding).toBe(false);
    const { figures } = measureResult(fallen, standing);
    for (const limb of Object.values(figures.limbs)) expect(limb?.max ?? 0).toBeLessThan(0.01);
    expect(judgeFigures(figures)).toEqual({ level: 'good', findings: [] });
  });
});
