import { describe, expect, it } from 'vitest';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { nodesAroundHips } from '../../../src/core/retarget/hips-position.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import type { HipsPlan, RetargetPlan } from '../../../src/core/retarget/plan-types.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { retargetPose } from '../../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { openFile } from '../../../src/files/node.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { clipOf, type TinyNode, tinyHumanoid, track } from '../../support/make/tiny-humanoid.ts';
import { expectNear } from '../../support/near.ts';
import { aboutAxis, read, type Vector, worldPosition } from '../../support/reference/plain.ts';
import { toCanonical } from '../../support/reference/world-retarget.ts';
import { EXACT, HIPS_STILL } from '../../support/tolerances.ts';

function leg(side: 'left' | 'right', parent: string): TinyNode[] {
  return [
    { name: `${side}UpperLeg`, parent, at: [side === 'left' ? 0.1 : -0.1, -0.05, 0] },
    { name: `${side}LowerLeg`, parent: `${side}UpperLeg`, at: [0, -0.45, 0] },
    { name: `${side}Foot`, parent: `${side}LowerLeg`, at: [0, -0.4, 0] },
  ];
}

/** A humanoid whose legs are below the hips, or below a node between the hips and the legs. */
function humanoid(...between: TinyNode[]): Humanoid {
  const parent = between.at(-1)?.name ?? 'hips';
  return tinyHumanoid(
    { name: 'hips', at: [0, 1, 0] },
    ...between,
    { name: 'spine', parent: 'hips', at: [0, 0.2, 0] },
    { name: 'head', parent: 'spine', at: [0, 0.4, 0] },
    ...leg('left', parent),
    ...leg('right', parent),
  );
}

const plain = humanoid();
const split = humanoid({ name: 'control', parent: 'hips' });

/** Returns the rest pose of a humanoid with other translations, and the hips rotated about the up axis. */
function posed(of: Humanoid, translations: Readonly<Record<string, Vector>>, yaw = 0): Float64Array {
  const local = restPose(of.skeleton);
  for (const [name, at] of Object.entries(translations)) local.set(at, 10 * of.skeleton.names.indexOf(name));
  local.set(aboutAxis([0, 1, 0], yaw), 3);
  return local;
}

/** Returns the position of the hips of `plain` for a pose of a source. */
function hipsFor(source: Humanoid, pose: Float64Array): Vector {
  return read(retargetPose(planRetarget(source, plain), pose, restPose(plain.skeleton)), 0, 3);
}

describe('the hips of a source whose legs move against its hips', () => {
  it.each([0, 2])('follow the legs below a control node, yawed by %s', (yaw) => {
    // The hips node is raised and the legs are lowered: they stay where they are.
    const raised = posed(split, { hips: [0, 1.3, 0], control: [0, -0.3, 0] }, yaw);
    expectNear(hipsFor(split, raised), [0, 1, 0], HIPS_STILL);
    const ahead = posed(split, { control: [0, 0, 0.2] }, yaw);
    expectNear(hipsFor(split, ahead), [0.2 * Math.sin(yaw), 1, 0.2 * Math.cos(yaw)], HIPS_STILL);
  });

  it('follow hip joints that slide, and stay where both slide in opposite directions', () => {
    const slid = (z: number): Float64Array =>
      posed(plain, { leftUpperLeg: [0.1, -0.15, 0.1], rightUpperLeg: [-0.1, -0.15, z] });
    expectNear(hipsFor(plain, slid(0.1)), [0, 0.9, 0.1], HIPS_STILL);
    expectNear(hipsFor(plain, slid(-0.1)), [0, 0.9, 0], HIPS_STILL);
    const apart = posed(plain, { leftUpperLeg: [0.3, -0.05, 0.1], rightUpperLeg: [-0.3, -0.05, -0.1] });
    expectNear(hipsFor(plain, apart), [0, 1, 0], EXACT);
  });

  it('retargetClip gives the poses of retargetPose, and keeps the keys where the legs do not move', () => {
    const plan = planRetarget(split, plain);
    const hips = track(
      split,
      'hips',
      'translation',
      'STEP',
      [0, 1],
      [
        [0, 1, 0],
        [0, 1.1, 0.2],
      ],
    );
    const still = track(
      split,
      'control',
      'translation',
      'LINEAR',
      [0, 1],
      [
        [0, 1e-4, 0],
        [0, 1e-4, 0],
      ],
    );
    const kept = retargetClip(plan, clipOf(hips, still)).tracks.find(({ path }) => path === 'translation');
    expect([kept?.times, kept?.interpolation]).toEqual([hips.times, 'STEP']);

    const turn = track(split, 'hips', 'rotation', 'LINEAR', [0, 1], [[0, 0, 0, 1], aboutAxis([0, 1, 0], 2)]);
    for (const end of [0, -0.3]) {
      const control = track(
        split,
        'control',
        'translation',
        'LINEAR',
        [0, 1],
        [
          [0, 0, 0.3],
          [0, end, 0.3],
        ],
      );
      const clip = clipOf(turn, control);
      const result = retargetClip(plan, clip);
      for (const time of [0, 0.13, 0.5, 0.87, 1]) {
        const [source, target] = [restPose(split.skeleton), restPose(plain.skeleton)];
        sampleClip(clip, time, source);
        sampleClip(result, time, target);
        // Resampled within 1e-5 of the hips height.
        expectNear(read(target, 0, 3), hipsFor(split, source), 1e-5);
      }
    }
  });

  it('do not follow the legs where their translations are retargeted too', () => {
    const nodes = (plan: RetargetPlan): string[] =>
      nodesAroundHips(plan.hips as HipsPlan)
        .map((node) => split.skeleton.names[node])
        .sort();
    expect(nodes(planRetarget(split, split, { translation: true }))).toEqual(['hips']);
    expect(nodes(planRetarget(split, plain))).toEqual(['control', 'hips', 'leftUpperLeg', 'rightUpperLeg']);
  });
});

describe.skipIf(!HAS_ASSETS)('pc_lumberjack.glb', () => {
  it('walks on the ground on another character', async () => {
    const file = await openFile(asset('assets/glb/pc_lumberjack.glb'));
    const source = chooseHumanoid(file, 'source', {}).found!;
    const target = chooseHumanoid(await openFile(asset('assets/glb/m2m_rig-human.glb')), 'target', {}).found!.humanoid;
    const walk = file.asset.clips.find(({ name }) => name === 'Walk')!;
    const plan = planRetarget(source.humanoid, target);
    /** The height of the lowest toe joint in the walk above that of the reference pose, meters. */
    const lowest = (used: RetargetPlan): number => {
      const clip = retargetClip(used, walk.clips[source.index]);
      const local = restPose(target.skeleton);
      const heights = Array.from({ length: 21 }, (_, k) => {
        sampleClip(clip, (walk.duration * k) / 20, local);
        return [BONE.leftToes, BONE.rightToes].map((bone) => {
          const point = worldPosition(target.skeleton.parents, local, target.map.nodes[bone]);
          return toCanonical(target, point)[1] - target.reference.positions[3 * bone + 1];
        });
      });
      return Math.min(...heights.flat());
    };
    // The feet of the lumberjack are a third of its legs: with the same rotations, smaller feet do not reach the ground by some centimeters.
    expect(Math.abs(lowest(plan))).toBeLessThan(0.06);
  });
});
