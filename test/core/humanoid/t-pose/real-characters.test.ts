/** The reference poses of real files, measured by joint positions. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { collectBoundVertices } from '../../../../src/core/asset/collect-bound-vertices.ts';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import { createEstimatorState } from '../../../../src/core/humanoid/t-pose/estimator-state.ts';
import { toModelPose } from '../../../../src/core/humanoid/t-pose/model-pose.ts';
import { footHeading, palmDirection } from '../../../../src/core/humanoid/t-pose/palm-and-heading.ts';
import { findSolePitch } from '../../../../src/core/humanoid/t-pose/parts/soles.ts';
import { DEGREES_PER_RADIAN } from '../../../../src/core/math/euler.ts';
import * as vec3 from '../../../../src/core/math/vec3.ts';
import { restPose } from '../../../../src/core/skeleton/pose.ts';
import { geometryOf } from '../../../../src/files/geometry.ts';
import { chooseHumanoid } from '../../../../src/files/humanoid/find-humanoid.ts';
import { openBytes } from '../../../../src/files/open.ts';
import { asset, HAS_ASSETS, humanoidFiles } from '../../../support/assets.ts';
import { sampledCases } from '../../../support/law-runs.ts';
import { inverse, product, read } from '../../../support/reference/plain.ts';
import { POSE_DIRECTION_DEGREES } from '../../../support/tolerances.ts';

const SIDES = ['left', 'right'] as const;
const FILES = humanoidFiles('assets', 'glb', 'vrm', 'vrma', 'bvh', 'fbx');

async function bodyOf(path: string): Promise<Humanoid | null> {
  const file = await openBytes(readFileSync(path), { name: basename(path) });
  return chooseHumanoid(file, 'only', {}).found?.humanoid ?? null;
}

function direction({ reference }: Humanoid, from: number, to: number): number[] {
  return [0, 1, 2].map((axis) => reference.positions[3 * to + axis] - reference.positions[3 * from + axis]);
}

/** Degrees between two directions. */
function angleOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return (vec3.angleBetween(a, 0, b, 0) * 180) / Math.PI;
}

describe.skipIf(!HAS_ASSETS)('reference poses of real files', () => {
  test.each(sampledCases(FILES).map((path) => [basename(path), path]))(
    '%s: the estimate is a T-pose in arms, hands, palms, fingers, legs and feet',
    async (_, path) => {
      const humanoid = await bodyOf(path);
      if (humanoid === null || humanoid.reference.kind !== 'estimated') return;
      const { reference, map } = humanoid;
      const stays = (reference.findings ?? []).filter(({ reason }) => /digitigrade|pitch kept/.test(reason));
      expect(stays).toEqual([]);
      for (const degrees of Object.values(reference.deviationDegrees)) expect(degrees).toBeLessThan(1e-4);
      const seen = new Float64Array(3);
      for (const side of SIDES) {
        const { [`${side}Hand` as const]: hand, [`${side}MiddleProximal` as const]: middle } = BONE;
        if (map.nodes[middle] >= 0) {
          const outward = [side === 'left' ? 1 : -1, 0, 0];
          expect(angleOf(direction(humanoid, hand, middle), outward)).toBeLessThan(POSE_DIRECTION_DEGREES);
        }
        if (palmDirection(seen, reference.positions, map.nodes, side)) {
          expect(angleOf(seen, [0, 0, 1])).toBeLessThan(POSE_DIRECTION_DEGREES);
        }
        if (footHeading(seen, reference.positions, map.nodes, side, [0, 1, 0], 0)) {
          expect(angleOf(seen, [0, 0, 1])).toBeLessThan(POSE_DIRECTION_DEGREES);
        }
      }
      const parts = reference.findings?.map(({ part }) => part) ?? [];
      expect(parts).toEqual(
        expect.arrayContaining(['trunk', 'leftArm', 'rightArm', 'leftLeg', 'rightLeg', 'leftFoot']),
      );
    },
  );

  test('estimates from a walk and a run are close to the rest pose of the same rig', async () => {
    const rest = await bodyOf(asset('assets', 'fbx', 'ozz_pab_skeleton.fbx'));
    for (const name of ['ozz_pab_walk.fbx', 'ozz_pab_run.fbx']) {
      const moved = await bodyOf(asset('assets', 'fbx', name));
      expect(moved!.reference.from).toBe('mean pose of the motion');
      for (const side of SIDES) {
        const foot = [BONE[`${side}Foot`], BONE[`${side}Toes`]] as const;
        const arm = [BONE[`${side}UpperArm`], BONE[`${side}Hand`]] as const;
        expect(angleOf(direction(moved!, ...foot), direction(rest!, ...foot))).toBeLessThan(3);
        expect(angleOf(direction(moved!, ...arm), direction(rest!, ...arm))).toBeLessThan(0.01);
      }
      // The shoulders of a runner are in front of their rest position.
      const trunk = [BONE.hips, BONE.neck] as const;
      expect(angleOf(direction(moved!, ...trunk), direction(rest!, ...trunk))).toBeLessThan(9);
      expect(Math.abs(moved!.hipsHeight / rest!.hipsHeight - 1)).toBeLessThan(0.04);
    }
  });

  test.each([
    'KayKit_Knight.glb',
    'RobotExpressive.glb',
    'VALID_AIAN_M_1_Casual.glb',
    'Xbot.glb',
    'm2m_human-female.glb',
    'm2m_human-zombie.glb',
    'pc_lumberjack.glb',
  ])('%s: soles of the mesh are flat in the estimate', async (name) => {
    const file = await openBytes(readFileSync(asset('assets', 'glb', name)), { name });
    const { humanoid, part } = chooseHumanoid(file, 'only', {}).found!;
    const { skeleton, map, reference, basePose } = humanoid;
    const geometry = (await geometryOf(file))!.geometry;
    const pose = toModelPose('', skeleton.parents, basePose ?? restPose(skeleton));
    for (const side of SIDES) {
      const foot = BONE[`${side}Foot`];
      const before = read(pose.rotations, 4 * map.nodes[foot], 4);
      const after = read(reference.rotations, 4 * foot, 4);
      const body = createEstimatorState({
        skeleton,
        nodes: map.nodes,
        pose,
        frame: Float64Array.from(product(after, inverse(before))),
        plantedSlope: () => null,
        vertices: () => collectBoundVertices(geometry, part),
      });
      expect(Math.abs(findSolePitch(body, side) ?? Number.NaN)).toBeLessThan(1 / DEGREES_PER_RADIAN);
    }
  });

  test('m2m_human-zombie.glb: a hand with a thumb and one finger is not rolled', async () => {
    const { reference } = (await bodyOf(asset('assets', 'glb', 'm2m_human-zombie.glb')))!;
    const palms = reference.findings!.filter(({ part }) => part.endsWith('Palm'));
    expect(palms.map(({ reason }) => reason)).toEqual(
      Array(2).fill(expect.stringContaining('the thumb shows that the palm faces the ground')),
    );
  });

  test.each([
    ['pc_lumberjack.glb', 'the mesh shows the palms', 0.7],
    ['KayKit_Knight.glb', 'round hands show no palms, and neither do sword and shield', 0.3],
  ])('%s: %s', async (name, _, known) => {
    const humanoid = await bodyOf(asset('assets', 'glb', name));
    const palms = humanoid!.reference.findings!.filter(({ part }) => part.endsWith('Palm'));
    expect(palms.map(({ confidence }) => confidence)).toEqual([known, known]);
    expect(humanoid!.issues.filter(({ code }) => code === 'POSE_LIMB_AMBIGUOUS')).toEqual([]);
  });
});
