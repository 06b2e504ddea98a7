import { describe, expect, it, test } from 'vitest';
import { BONE, BONES } from '../../../../src/core/humanoid/bones.ts';
import { describeHumanoid } from '../../../../src/core/humanoid/describe-humanoid.ts';
import { bodyPositions } from '../../../../src/core/humanoid/rigs/body-proportions.ts';
import { createRigSkeleton } from '../../../../src/core/humanoid/rigs/create-rig-skeleton.ts';
import { STANDARD_RIG_NAMES, type StandardRigName } from '../../../../src/core/humanoid/rigs/rig-names.ts';
import { STANDARD_RIGS } from '../../../../src/core/humanoid/rigs/standard-rigs.ts';
import { type ModelPose, toModelPose } from '../../../../src/core/humanoid/t-pose/model-pose.ts';
import { restPose } from '../../../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../../../src/core/skeleton/skeleton.ts';
import { validateTopology } from '../../../../src/core/skeleton/topology.ts';
import { findHumanoid, openFile } from '../../../../src/files/node.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { tPoseHumanoid } from '../../../support/make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../support/near.ts';
import { aboutAxis, angle, product, type Quaternion, read, rotated } from '../../../support/reference/plain.ts';
import { EXACT_CHAIN, RIG_AXES_DEGREES } from '../../../support/tolerances.ts';

const ADULT = bodyPositions(null);

function modelPose({ parents, rest }: Skeleton): ModelPose {
  return toModelPose('rest', parents, Float64Array.from(rest));
}

function parentNames({ names, parents }: Skeleton): [name: string, parent: string][] {
  return names.map((name, node) => [name, parents[node] < 0 ? '' : names[parents[node]]]);
}

/** Degrees between the world axes of joints of the same name at rest, by name. */
function axesApart(a: Skeleton, b: Skeleton): Map<string, number> {
  const [poseA, poseB] = [modelPose(a), modelPose(b)];
  return new Map(
    a.names.map((name, node) => {
      const other = b.names.indexOf(name);
      return [name, (angle(read(poseA.rotations, 4 * node, 4), read(poseB.rotations, 4 * other, 4)) * 180) / Math.PI];
    }),
  );
}

/** Name of the joint on the other side; null in the middle. */
function mirrored(name: string): string | null {
  const other = name.replace(/Left|left|_l$/, (side) => ({ Left: 'Right', left: 'right', _l: '_r' })[side] ?? side);
  return other === name ? null : other;
}

describe.each(STANDARD_RIG_NAMES)('the standard rig %s', (rig) => {
  const skeleton = createRigSkeleton(rig, ADULT);
  const { positions } = modelPose(skeleton);
  const { humanoid } = describeHumanoid(skeleton, { metersPerUnit: 1 });

  it('has unique names, and parents before children', () => {
    expect(validateTopology(skeleton.parents, skeleton.names).reasons).toEqual([]);
    expect(new Set(skeleton.names).size).toBe(skeleton.names.length);
  });

  it('is recognized by the names of its convention, without an issue', () => {
    // vrm1 and ext_skeleton_humanoid have the same names.
    const from = rig === 'vrm' ? 'ext_skeleton_humanoid' : STANDARD_RIGS[rig].convention;
    expect(humanoid?.map.from).toBe(from);
    expect(humanoid?.issues).toEqual([]);
    const missing = BONES.filter((bone) => (humanoid?.map.nodes[BONE[bone]] ?? -1) < 0);
    expect(missing).toEqual(rig === 'mixamo' || rig === 'ue5' ? ['leftEye', 'rightEye', 'jaw'] : []);
  });

  it('faces +Z and stands on the ground as high as an adult', () => {
    expectSameRotation(humanoid?.frame ?? [], [0, 0, 0, 1], EXACT_CHAIN);
    expect(humanoid?.ground).toBe(0);
    const lowest = Math.min(
      ...['leftToes', 'rightToes'].map(
        (bone) => positions[3 * (humanoid?.map.nodes[BONE[bone as 'leftToes']] ?? 0) + 1],
      ),
    );
    expect(lowest).toBeGreaterThan(0);
    expect(lowest).toBeLessThan(0.05);
    expect(humanoid?.height).toBeGreaterThan(1.4);
    expect(humanoid?.height).toBeLessThan(1.6);
  });

  it('is symmetric', () => {
    for (const [node, name] of skeleton.names.entries()) {
      const other = mirrored(name);
      if (other === null || name.startsWith('ik_hand')) continue;
      const [x, y, z] = read(positions, 3 * skeleton.names.indexOf(other), 3);
      const [ownX, ownY, ownZ] = read(positions, 3 * node, 3);
      expect(Math.hypot(ownX + x, ownY - y, ownZ - z), name).toBeLessThan(EXACT_CHAIN);
    }
  });
});

test('SMPL-X has its 55 joints in the published order with the published parents', () => {
  const { names, parents } = createRigSkeleton('smplx', ADULT);
  expect(names.slice(0, 25)).toEqual(
    (
      'pelvis left_hip right_hip spine1 left_knee right_knee spine2 left_ankle right_ankle spine3 left_foot right_foot neck left_collar right_collar ' +
      'head left_shoulder right_shoulder left_elbow right_elbow left_wrist right_wrist jaw left_eye_smplhf right_eye_smplhf'
    ).split(' '),
  );
  expect(names.slice(25, 40)).toEqual(
    ['index', 'middle', 'pinky', 'ring', 'thumb'].flatMap((finger) => [1, 2, 3].map((k) => `left_${finger}${k}`)),
  );
  expect(Array.from(parents)).toEqual([
    ...[-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19, 15, 15, 15],
    ...[20, 25, 26, 20, 28, 29, 20, 31, 32, 20, 34, 35, 20, 37, 38],
    ...[21, 40, 41, 21, 43, 44, 21, 46, 47, 21, 49, 50, 21, 52, 53],
  ]);
});

describe('the rig ue5', () => {
  /**
   * Rotations relative to the parent of Manny's reference pose as Unreal stores them, xyzw: of a left-handed space with z up. Not the source of the
   * table, which has angles of a right-handed space.
   */
  const UNREAL: Readonly<Record<string, Quaternion>> = {
    pelvis: [-0.02241495, 0.7067514, 0.02241495, -0.7067514],
    spine_01: [0, 0, -0.1258295, -0.9920519],
    spine_02: [0, 0, 0.0302285943, -0.999543],
    spine_03: [0, 0, 0.09537736, -0.9954412],
    spine_04: [0, 0, 0.0511767268, -0.9986896],
    spine_05: [0, 0, 0.00594620872, -0.9999823],
    neck_01: [0, 0, -0.207300514, -0.9782773],
    neck_02: [0, 0, 0.0166979115, -0.9998606],
    head: [0, 0, 0.103488415, -0.994630635],
    clavicle_l: [0.08327832, -0.7545604, -0.0412900075, -0.6496141],
    clavicle_r: [0.7545604, 0.08327832, -0.6496141, 0.0412900075],
    upperarm_l: [-0.0199478511, -0.391730756, -0.020190157, -0.919642031],
    upperarm_r: [-0.0199478511, -0.391730756, -0.020190157, -0.919642031],
    lowerarm_l: [0, 0, -0.333632648, -0.9427032],
    lowerarm_r: [0, 0, -0.333632648, -0.9427032],
    hand_l: [-0.557586849, -0.001678249, 0.02056061, -0.829862237],
    hand_r: [-0.557586849, -0.001678249, 0.02056061, -0.829862237],
    thigh_l: [0.072405, 0.0294620469, -0.0289694928, -0.9965191],
    thigh_r: [0.0294620469, -0.072405, 0.9965191, -0.0289694928],
    calf_l: [0, 0, -0.0436616242, -0.9990464],
    calf_r: [0, 0, -0.0436616242, -0.9990464],
    foot_l: [-0.000665655651, -0.026877109, 0.0232392959, -0.99936837],
    foot_r: [-0.000665655651, -0.026877109, 0.0232392959, -0.99936837],
    ball_l: [0, 0, -0.707106769, -0.707106769],
    ball_r: [0, 0, -0.707106769, -0.707106769],
  };
  const skeleton = createRigSkeleton('ue5', ADULT);
  const { rotations, positions } = modelPose(skeleton);
  const nodeOf = (name: string): number => skeleton.names.indexOf(name);

  it("has the axes of Manny's reference pose in Unreal", () => {
    // y is reflected, then z up becomes y up.
    const toYUp = aboutAxis([1, 0, 0], -Math.PI / 2);
    const worldOf = (name: string): Quaternion => {
      if (name === 'root') return [0, 0, 0, 1];
      const [x, y, z, w] = UNREAL[name];
      const parent = skeleton.names[skeleton.parents[nodeOf(name)]];
      return product(worldOf(parent), [-x, y, -z, w]);
    };
    for (const name of Object.keys(UNREAL)) {
      const apart = angle(product(toYUp, worldOf(name)), read(rotations, 4 * nodeOf(name), 4));
      expect((apart * 180) / Math.PI, name).toBeLessThan(RIG_AXES_DEGREES);
    }
  });

  it('rests in an A-pose, x along the bones of the left side and against those of the right', () => {
    for (const [bone, child, sign] of [
      ['upperarm_l', 'lowerarm_l', 1],
      ['upperarm_r', 'lowerarm_r', -1],
      ['lowerarm_l', 'hand_l', 1],
      ['thigh_l', 'calf_l', -1],
      ['thigh_r', 'calf_r', 1],
      ['spine_03', 'spine_04', 1],
    ] as const) {
      const [from, to] = [read(positions, 3 * nodeOf(bone), 3), read(positions, 3 * nodeOf(child), 3)];
      const length = Math.hypot(...to.map((value, axis) => value - from[axis]));
      const along = rotated(read(rotations, 4 * nodeOf(bone), 4), [sign, 0, 0]);
      for (const axis of [0, 1, 2]) expect(to[axis]).toBeCloseTo(from[axis] + length * along[axis], 9);
    }
    const [from, to] = [read(positions, 3 * nodeOf('upperarm_l'), 3), read(positions, 3 * nodeOf('hand_l'), 3)];
    const down = (Math.atan2(from[1] - to[1], Math.hypot(to[0] - from[0], to[2] - from[2])) * 180) / Math.PI;
    expect(down).toBeGreaterThan(35);
    expect(down).toBeLessThan(55);
  });

  it('has 89 joints, of which the IK joints rest at hands and feet', () => {
    expect(skeleton.names.length).toBe(89);
    const parents = new Map(parentNames(skeleton));
    for (const [joint, parent, at] of [
      ['ik_foot_l', 'ik_foot_root', 'foot_l'],
      ['ik_foot_r', 'ik_foot_root', 'foot_r'],
      ['ik_hand_gun', 'ik_hand_root', 'hand_r'],
      ['ik_hand_l', 'ik_hand_gun', 'hand_l'],
      ['ik_hand_r', 'ik_hand_gun', 'hand_r'],
    ]) {
      expect(parents.get(joint)).toBe(parent);
      expectNear(read(positions, 3 * nodeOf(joint), 3), read(positions, 3 * nodeOf(at), 3), EXACT_CHAIN);
      expectSameRotation(read(rotations, 4 * nodeOf(joint), 4), read(rotations, 4 * nodeOf(at), 4), EXACT_CHAIN);
    }
    expect(parents.get('lowerarm_twist_01_r')).toBe('lowerarm_r');
    expect(parents.get('index_01_l')).toBe('index_metacarpal_l');
    expect(parents.get('ik_foot_root')).toBe('root');
  });
});

describe('the proportions of a humanoid', () => {
  const source = tPoseHumanoid();
  const body = bodyPositions(source);
  const lengthOf = (positions: ArrayLike<number>, a: number, b: number): number =>
    Math.hypot(...[0, 1, 2].map((axis) => positions[3 * a + axis] - positions[3 * b + axis]));

  it.each(STANDARD_RIG_NAMES)('are the bone lengths of %s', (rig: StandardRigName) => {
    const skeleton = createRigSkeleton(rig, body);
    const { humanoid } = describeHumanoid(skeleton, { metersPerUnit: 1 });
    const { positions } = modelPose(skeleton);
    const nodes = humanoid?.map.nodes ?? [];
    for (const [bone, above] of [
      ['leftLowerArm', 'leftUpperArm'],
      ['rightHand', 'rightLowerArm'],
      ['leftLowerLeg', 'leftUpperLeg'],
      ['rightFoot', 'rightLowerLeg'],
    ] as const) {
      const expected = lengthOf(source.reference.positions, BONE[bone], BONE[above]);
      expect(lengthOf(positions, nodes[BONE[bone]], nodes[BONE[above]])).toBeCloseTo(expected, 9);
    }
  });

  it('include joints that it lacks, inside its body', () => {
    const { names } = createRigSkeleton('vrm', body);
    expect(names.length).toBe(55);
    expect(body.every(Number.isFinite)).toBe(true);
    const height = (bone: keyof typeof BONE): number => body[3 * BONE[bone] + 1];
    expect(height('chest')).toBeGreaterThan(height('spine'));
    expect(height('leftToes')).toBeGreaterThanOrEqual(0);
    expect(height('upperChest')).toBeLessThan(height('head'));
    expect(height('upperChest')).toBeGreaterThan(height('chest'));
  });
});

describe.skipIf(!HAS_ASSETS)('standard rigs beside real files', () => {
  it('mixamo has the names, the hierarchy and the axes of a download without skin', async () => {
    const real = (await openFile(asset('assets/fbx/mixamo_Walking.fbx'))).asset.skeletons[0].skeleton;
    const rig = createRigSkeleton('mixamo', ADULT);
    expect(parentNames(rig).sort()).toEqual(parentNames(real).sort());
    for (const [name, degrees] of axesApart(real, rig)) {
      // Ends move nothing, and their axes differ by up to 1.4° between left and right of the same file.
      if (!/_End|[a-z]4$/.test(name)) expect(degrees, name).toBeLessThan(RIG_AXES_DEGREES);
    }
  });

  it('soma has the joints of the 77-joint standard T-pose in its order, with its axes', async () => {
    const real = (await openFile(asset('assets/bvh/soma77_standard_tpose.bvh'))).asset.skeletons[0].skeleton;
    const rig = createRigSkeleton('soma', ADULT);
    expect(parentNames(rig).sort()).toEqual(parentNames(real).sort());
    expect(rig.names).toEqual(real.names);
    for (const [name, degrees] of axesApart(real, rig)) expect(degrees, name).toBeLessThan(RIG_AXES_DEGREES);
  });

  it('vrm has the names and the hierarchy of a VRM Animation', async () => {
    const real = (await openFile(asset('assets/vrma/threevrm_test.vrma'))).asset.skeletons[0].skeleton;
    const parents = new Map(parentNames(createRigSkeleton('vrm', ADULT)));
    // The file has no upper chest.
    for (const [name, parent] of parentNames(real))
      expect(parents.get(name)?.replace('upperChest', 'chest'), name).toBe(parent);
  });

  it.each(['vrm', 'unity'] as const)('%s has the axes of a normalized VRM that Unity wrote', async (rig) => {
    const { humanoid: real } = findHumanoid(await openFile(asset('assets/vrm/univrm_EmissionMigration.vrm')));
    const skeleton = createRigSkeleton(rig, ADULT);
    const { humanoid } = describeHumanoid(skeleton, { metersPerUnit: 1 });
    const [poseA, poseB] = [modelPose(real.skeleton), modelPose(skeleton)];
    for (const [bone, node] of real.map.nodes.entries()) {
      if (node < 0) continue;
      const own = humanoid?.map.nodes[bone] ?? -1;
      const apart = angle(read(poseA.rotations, 4 * node, 4), read(poseB.rotations, 4 * own, 4));
      expect((apart * 180) / Math.PI, BONES[bone]).toBeLessThan(RIG_AXES_DEGREES);
    }
  });
});

test('a rig is bound in its rest pose', () => {
  const { rest, bind, parents } = createRigSkeleton('ue5', ADULT);
  expect(bind).not.toBeNull();
  const { positions } = toModelPose('rest', parents, restPose({ rest } as Skeleton));
  for (const node of parents.keys())
    for (const axis of [0, 1, 2]) expect(bind?.[16 * node + 12 + axis]).toBeCloseTo(positions[3 * node + axis], 9);
});
