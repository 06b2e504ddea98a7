/**
 * New FBX files of real characters in other programs. What they show is compared with the GLB that the same options give, which the reader of glTF reads: the two
 * files share nothing after the clip. Joints are compared by position and by how far they turned since time 0, so that the axes of joints do not matter.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { openFile, writeFiles } from '../../../src/files/node.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { temporaryFolder } from '../../support/make/demo-files.ts';
import { HAS_BLENDER } from './blender.ts';
import {
  BLENDER_FACTORS,
  expectSame,
  type FbxCase,
  HAS_ASSIMP,
  HAS_FBX_SDK,
  type Pose,
  showInAssimp,
  showInBlender,
  showInSdk,
  showInThree,
  shownInGltf,
} from './fbx-programs.ts';

const PAIRS = [
  ['glb/Xbot.glb', 'fbx/mixamo_Walking.fbx'],
  ['vrm/Godette_vrm_v4.vrm', 'fbx/mixamo_Walking.fbx'],
  ['vrm/cool_loops.vrm', 'bvh/pybvh_cmu_12_01_walk.bvh'],
  ['glb/KayKit_Knight.glb', 'fbx/ozz_pab_walk.fbx'],
  ['glb/quaternius_women_Witch.glb', 'bvh/makehuman_walk1.bvh'],
  // Fingers whose palm moves beside the hand, and so have keys of their location.
  ['glb/RobotExpressive.glb', 'fbx/mixamo_Walking.fbx'],
  ['vrm/saturday06_debug_robot.vrm', 'fbx/mixamo_Walking.fbx'],
  ['glb/VALID_AIAN_M_1_Casual.glb', 'bvh/AD_fair1_dab.bvh'],
  // Index fingers that are bound at 90° about Y, where the FBX SDK took rounding for a turn.
  ['glb/m2m_human-zombie.glb', 'bvh/AD_fair1_dab.bvh'],
] as const;

/** Frame rate of the clips: all programs interpolate between keys in their own way, so that all compared times are frames. */
const FPS = 30;
const TIMES = 60;
const VERTICES = 1e-4;
const folder = temporaryFolder();
const cases: FbxCase[] = [];

async function caseOf(character: string, motion: string): Promise<FbxCase> {
  const name = character.replace(/.*\/|\..*/g, '');
  const source = await openFile(asset('assets', character));
  const take = await openFile(asset('assets', motion));
  const write = async (output: string): Promise<string> => {
    const path = folder(output);
    const { outputs } = await retargetMotions([take], source, { output: path, replace: true, fps: FPS });
    await writeFiles(outputs, { force: true });
    return path;
  };
  const path = await write(`${name}.fbx`);
  const glb = await openFile(await write(`${name}.glb`));
  const { humanoid } = findHumanoid(glb);
  // Nodes with meshes are not joints in the FBX.
  const { asset: written } = await openFile(path);
  const joints = new Set(written.skeletons.flatMap(({ skeleton }) => skeleton.names.map((one) => one.toLowerCase())));
  const [{ name: clip, duration }] = glb.asset.clips;
  const frames = Math.floor(duration * FPS + 1e-3);
  const step = Math.max(1, Math.floor(frames / TIMES));
  const times = Array.from({ length: Math.min(TIMES, frames) }, (_, k) => (k * step) / FPS);
  const shown = [0.4, 0.9].map((part) => times[Math.floor(part * (times.length - 1))]);
  const { poses, points } = await shownInGltf(glb, { times, shown }, humanoid.frame, 100 * humanoid.metersPerUnit);
  const ofJoints = (pose: Pose): Pose => new Map([...pose].filter(([joint]) => joints.has(joint)));
  return { name, path, clip, times, shown, height: humanoid.height * 100, poses: poses.map(ofJoints), points };
}

/** Largest distance from a point of `a` to the nearest one of `b` within a cell; Infinity where there is none. */
function farthest(a: ArrayLike<number>, b: ArrayLike<number>, cell: number): number {
  // Cells that share a number do no harm: their points are only looked at in vain.
  const numberOf = (x: number, y: number, z: number): number =>
    (Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) & 0xfffff;
  const cellOf = (value: number): number => Math.floor(value / cell);
  const first = new Int32Array(0x100000).fill(-1);
  const next = new Int32Array(b.length / 3);
  for (let k = 0; k < next.length; k++) {
    const at = numberOf(cellOf(b[3 * k]), cellOf(b[3 * k + 1]), cellOf(b[3 * k + 2]));
    next[k] = first[at];
    first[at] = k;
  }
  let worst = 0;
  for (let i = 0; i < a.length; i += 3) {
    let best = Number.POSITIVE_INFINITY;
    const [x, y, z] = [cellOf(a[i]), cellOf(a[i + 1]), cellOf(a[i + 2])];
    for (let n = 0; n < 27; n++) {
      const at = numberOf(x + (n % 3) - 1, y + (Math.floor(n / 3) % 3) - 1, z + Math.floor(n / 9) - 1);
      for (let k = first[at]; k >= 0; k = next[k])
        best = Math.min(best, Math.hypot(a[i] - b[3 * k], a[i + 1] - b[3 * k + 1], a[i + 2] - b[3 * k + 2]));
    }
    worst = Math.max(worst, best);
  }
  return worst;
}

function expectSamePoints({ name, points, height }: FbxCase, theirs: readonly ArrayLike<number>[]): void {
  for (const [t, ours] of points.entries()) {
    const cell = 2 * VERTICES * height;
    const error = Math.max(farthest(ours, theirs[t], cell), farthest(theirs[t], ours, cell)) / height;
    expect(error, `${name}, vertices`).toBeLessThan(VERTICES);
  }
}

describe.skipIf(!HAS_ASSETS || !IS_FULL_RUN)('new FBX files of real characters', () => {
  afterAll(() => {
    vi.unstubAllGlobals();
  });

  beforeAll(async () => {
    for (const [character, motion] of PAIRS) cases.push(await caseOf(character, motion));
  }, 600_000);

  it.skipIf(!HAS_BLENDER)(
    'have the joints and vertices of the GLB in Blender',
    () => {
      const found = showInBlender(cases, folder);
      for (const [k, one] of cases.entries()) {
        expect([one.name, found[k].armatures]).toEqual([one.name, 1]);
        expectSame(one, found[k].poses, BLENDER_FACTORS[one.name] ?? 1);
        expectSamePoints(one, found[k].points);
      }
    },
    600_000,
  );

  it.skipIf(!HAS_ASSIMP)(
    'have the joints of the GLB in assimp',
    () => {
      for (const one of cases) {
        expectSame(one, showInAssimp(one, folder), 1);
      }
    },
    600_000,
  );

  it.skipIf(!HAS_FBX_SDK)(
    "have the joints and vertices of the GLB in Autodesk's FBX SDK",
    async () => {
      for (const one of cases) {
        const { poses, points } = await showInSdk(one);
        expectSame(one, poses, 1);
        expectSamePoints(one, points);
      }
    },
    600_000,
  );

  it('have the joints and vertices of the GLB in three.js', () => {
    for (const one of cases) {
      const { poses, points } = showInThree(one);
      expectSame(one, poses, 1);
      expectSamePoints(one, points);
    }
  }, 600_000);
});
