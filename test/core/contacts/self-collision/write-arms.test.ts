import { describe, expect, test } from 'vitest';
import { clipWithoutReflections, reflectClip } from '../../../../src/core/animation/reflect-clip.ts';
import { frameGridOf } from '../../../../src/core/contacts/frames/frame-grid.ts';
import { createPosedCharacter } from '../../../../src/core/contacts/frames/posed-character.ts';
import { planContacts } from '../../../../src/core/contacts/plan/plan-contacts.ts';
import {
  BONE_STRIDE,
  FRAME_STRIDE,
  POSITION_OFFSET,
  sampleBoneFrames,
} from '../../../../src/core/contacts/self-collision/bone-frames.ts';
import { findArms } from '../../../../src/core/contacts/self-collision/limb-points.ts';
import { easeShoulder } from '../../../../src/core/contacts/self-collision/move-shoulder.ts';
import { writeArms } from '../../../../src/core/contacts/self-collision/write-arms.ts';
import { BONE, SIDES } from '../../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import { mirrorHumanoid } from '../../../../src/core/humanoid/mirror-humanoid.ts';
import { planRetarget } from '../../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../../src/core/retarget/retarget-clip.ts';
import { demoBody } from '../../../contacts/demo-pair.ts';
import { insertNode, reflect } from '../../../support/make/change-rig.ts';
import { aboutAxis } from '../../../support/reference/plain.ts';

/** Reflects both shoulder bones and the root. */
function reflected(humanoid: Humanoid): Humanoid {
  const shoulders = SIDES.map((side) => humanoid.map.nodes[BONE[`${side}Shoulder`]]);
  const signs = Array.from(humanoid.skeleton.parents, (parent, node) =>
    parent < 0 || shoulders.includes(node) ? [-1, 1, 1] : [1, 1, 1],
  );
  return reflect(humanoid, signs as [number, number, number][]).humanoid;
}

/** Puts a rotated node between a shoulder bone and its upper arm. */
function withNode(humanoid: Humanoid): Humanoid {
  const placing = { translation: [0.02, 0.01, 0], rotation: aboutAxis([0, 0.6, 0.8], 1), scale: 1 } as const;
  return insertNode(humanoid, humanoid.map.nodes[BONE.leftUpperArm], placing).humanoid;
}

const RIGS: readonly (readonly [string, (humanoid: Humanoid) => Humanoid])[] = [
  ['the shoulder bone is the parent of the upper arm', (humanoid) => humanoid],
  ['a node is between them', withNode],
  ['the rig is mirrored', mirrorHumanoid],
  ['scales are negative', reflected],
];

describe('writeArms', () => {
  test.each(RIGS)(
    'puts an upper arm where its shoulder moves it, and keeps its rotation, where %s',
    async (_, change) => {
      const { humanoid: source, surface, walk } = await demoBody();
      const target = change(source);
      const retarget = planRetarget(source, target);
      const plan = planContacts(retarget, source, target, { sourceSurface: surface, targetSurface: surface });
      const { targetSigns } = retarget;
      const plain = clipWithoutReflections(retargetClip(retarget, walk), targetSigns, plan.target.skeleton.rest);
      const grid = frameGridOf(walk, source);
      const character = createPosedCharacter(plan.target, surface);
      const bones = sampleBoneFrames(character, plain, grid);
      const still = { step: grid.step, loops: false, cuts: new Uint8Array(grid.count) };
      const moved = findArms(plan.target, surface).map((arm, k) => {
        const offsets = new Float64Array(3 * grid.count).map((_, c) => [k === 0 ? 0.01 : -0.02, 0.02, 0.01][c % 3]);
        easeShoulder(arm, arm.shoulder!, BONE.upperChest, bones, offsets, still);
        return { arm, unknowns: new Float64Array(4 * grid.count), hand: null, shoulder: offsets };
      });
      expect(moved.map(({ arm }) => arm.side)).toEqual(['left', 'right']);
      const clip = reflectClip(writeArms(plan, plain, grid, character, bones, moved), targetSigns);
      const written = sampleBoneFrames(createPosedCharacter(target, surface), clip, grid);
      for (const frame of [0, 7, grid.count - 1]) {
        for (const { arm, shoulder } of moved) {
          const at = FRAME_STRIDE * frame + BONE_STRIDE * arm.bones[0];
          const offset = shoulder.subarray(3 * frame, 3 * frame + 3);
          expect(Math.hypot(...offset)).toBeGreaterThan(0.01);
          for (const [c, value] of offset.entries()) {
            const k = at + POSITION_OFFSET + c;
            expect(written[k] - bones[k]).toBeCloseTo(value, 5);
          }
          for (let c = 0; c < POSITION_OFFSET; c++) expect(written[at + c]).toBeCloseTo(bones[at + c], 5);
        }
      }
    },
  );
});
