import { beforeAll, describe, expect, test } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { createPosedCharacter } from '../../../../src/core/contacts/frames/posed-character.ts';
import { allowedDepths, CLEARANCE } from '../../../../src/core/contacts/self-collision/allowed-depths.ts';
import { findArmCuts } from '../../../../src/core/contacts/self-collision/arm-cuts.ts';
import { isArmLoop } from '../../../../src/core/contacts/self-collision/arm-loop.ts';
import { trunkBoneOf } from '../../../../src/core/contacts/self-collision/arm-pose.ts';
import {
  BONE_STRIDE,
  FRAME_STRIDE,
  sampleBoneFrames,
} from '../../../../src/core/contacts/self-collision/bone-frames.ts';
import { COLLISION_BONES, findArms, findParts } from '../../../../src/core/contacts/self-collision/limb-points.ts';
import { solveArm } from '../../../../src/core/contacts/self-collision/solve-arm.ts';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import { ADULT } from '../../../../src/demo/figure/proportions.ts';
import { type DemoBody, demoBody } from '../../../contacts/demo-pair.ts';
import { aboutAxis, product, rotationOf } from '../../../support/reference/plain.ts';

const GRID = { start: 0, count: 21, step: 0.05 };
let body: DemoBody;
let clip: Clip;
let all: Float64Array;

/** A stout character walks with its left arm inside its trunk. */
beforeAll(async () => {
  body = await demoBody({ ...ADULT, girth: 2, hipWidth: 0.3 });
  const { humanoid, surface, walk } = body;
  const target = humanoid.map.nodes[BONE.leftUpperArm];
  const lowered = product(aboutAxis([0, 0, 1], (-80 * Math.PI) / 180), rotationOf(humanoid.skeleton.rest, target));
  const values = Float64Array.from(lowered);
  const held = { target, path: 'rotation', interpolation: 'LINEAR', times: Float64Array.of(0), values } as const;
  const moving = walk.tracks.filter((track) => track.target !== target || track.path !== 'rotation');
  clip = { ...walk, tracks: [...moving, held] };
  all = sampleBoneFrames(createPosedCharacter(humanoid, surface), clip, GRID);
});

describe('sampleBoneFrames', () => {
  test('writes the same numbers for some bones as for all, and zeros for the others', () => {
    const { humanoid, surface } = body;
    const wanted = [BONE.leftHand, BONE.head];
    const some = sampleBoneFrames(createPosedCharacter(humanoid, surface), clip, GRID, wanted);
    const expected = all.map((value, k) => (wanted.includes(Math.floor((k % FRAME_STRIDE) / BONE_STRIDE)) ? value : 0));
    expect(some).toEqual(expected);
  });

  test('self-collision reads no bones but those that it lists', () => {
    const { humanoid, surface } = body;
    const trunkBone = trunkBoneOf(humanoid.map.nodes);
    const [of, from] = [all, all.map((value, k) => (isListed(k) ? value : Number.NaN))].map((bones) => {
      const character = createPosedCharacter(humanoid, surface);
      const timing = {
        step: GRID.step,
        loops: isArmLoop(humanoid, trunkBone, bones),
        cuts: findArmCuts(trunkBone, bones, GRID.step),
      };
      return findArms(humanoid, surface).map((arm) => {
        const depths = allowedDepths(arm, { character, surface }, { humanoid, surface, bones });
        const allowed = new Float64Array(depths.length);
        return {
          depths,
          unknowns: solveArm({
            arm,
            trunkBone,
            parts: findParts(surface),
            bones,
            allowed,
            clearance: CLEARANCE,
            timing,
          }),
        };
      });
    });
    expect(of[0].unknowns.some((angle) => angle !== 0)).toBe(true);
    expect(from).toEqual(of);
  });
});

function isListed(k: number): boolean {
  return COLLISION_BONES.includes(Math.floor((k % FRAME_STRIDE) / BONE_STRIDE));
}
