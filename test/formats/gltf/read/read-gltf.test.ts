import { describe, expect, it } from 'vitest';
import { BONE_COUNT } from '../../../../src/core/humanoid/bones.ts';
import { localToModelMatrices } from '../../../../src/core/skeleton/pose.ts';
import { deviation, extentOf } from '../../../../src/core/skeleton/solve-bind.ts';
import { validateTopology } from '../../../../src/core/skeleton/topology.ts';
import { readGltf } from '../../../../src/formats/gltf/index.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { documentOf } from '../../../support/make/glb.ts';
import { validateClip } from '../../../support/validate-clip.ts';
import { openDocument } from '../open.ts';
import { codesOf } from '../small-file.ts';

describe('readGltf', () => {
  it('returns an empty asset for an empty file', () => {
    expect(readGltf(documentOf({}))).toEqual({
      format: 'gltf',
      metersPerUnit: 1,
      up: [0, 1, 0],
      skeletons: [],
      clips: [],
      issues: [],
    });
  });

  it.each([
    'KHR_materials_unlit',
    'KHR_texture_transform',
    'EXT_texture_webp',
    'KHR_lights_punctual',
    'KHR_draco_mesh_compression',
    'KHR_mesh_quantization',
    'EXT_meshopt_compression',
    'KHR_meshopt_compression',
    'VRMC_vrm',
    'VRMC_springBone',
    'KHR_animation_pointer',
  ])('accepts the required extension %s', (name) => {
    expect(readGltf(documentOf({ extensionsRequired: [name] })).issues).toEqual([]);
  });

  it.each(['VENDOR_node_shear', 'EXT_other_skin', 'constructor', '', 7, null])(
    'reports the required extension %s',
    (name) => {
      expect(codesOf(readGltf(documentOf({ extensionsRequired: [name] })).issues)).toEqual(['GLTF_EXTENSION_REQUIRED']);
    },
  );

  it('ignores extensions that are not objects', () => {
    const asset = readGltf(documentOf({ extensions: { VRM: 'yes', VRMC_vrm: null, VRMC_vrm_animation: [] } }));
    expect(asset.format).toBe('gltf');
  });
});

/** Expected content of a file: see the README of the folder. `posed`: the rest pose differs from the bind pose. */
interface Expected {
  readonly format?: string;
  readonly nodes: number;
  readonly joints: number;
  readonly clips: number;
  readonly bones?: number;
  readonly posed?: boolean;
  readonly issues?: readonly string[];
}

const FILES: Readonly<Record<string, Expected>> = {
  'glb/CesiumMan.glb': { nodes: 21, joints: 19, clips: 1 },
  'glb/KayKit_Knight.glb': { nodes: 51, joints: 41, clips: 76 },
  'glb/RiggedFigure.glb': { nodes: 21, joints: 19, clips: 1 },
  'glb/RobotExpressive.glb': { nodes: 72, joints: 43, clips: 14, posed: true },
  'glb/VALID_AIAN_M_1_Casual.glb': { nodes: 84, joints: 84, clips: 0 },
  'glb/Xbot.glb': { nodes: 68, joints: 67, clips: 7 },
  'glb/m2m_human-female.glb': { nodes: 67, joints: 66, clips: 0 },
  'glb/m2m_human-male.glb': { nodes: 67, joints: 66, clips: 0 },
  'glb/m2m_human-zombie.glb': { nodes: 43, joints: 42, clips: 0 },
  'glb/m2m_rig-human.glb': { nodes: 67, joints: 66, clips: 0 },
  'glb/m2mold_human-addon-animations.glb': { nodes: 54, joints: 53, clips: 1 },
  'glb/m2mold_human-skeleton.glb': { nodes: 54, joints: 53, clips: 1 },
  'glb/pc_lumberjack.glb': { nodes: 59, joints: 53, clips: 3, posed: true },
  'negative/Fox.glb': { nodes: 25, joints: 24, clips: 3 },
  'negative/RiggedSimple.glb': { nodes: 4, joints: 2, clips: 1 },
  'negative/m2m_fox-animations.glb': { nodes: 50, joints: 49, clips: 14 },
  'negative/m2m_rig-spider.glb': { nodes: 57, joints: 56, clips: 0 },
  'vrm/Godette_vrm_v4.vrm': { format: 'vrm0', nodes: 68, joints: 68, clips: 0, bones: 45 },
  'vrm/cool_loops.vrm': { format: 'vrm0', nodes: 65, joints: 65, clips: 0, bones: 50 },
  'vrm/saturday06_debug_robot.vrm': { format: 'vrm1', nodes: 75, joints: 0, clips: 0, bones: 53 },
  'vrm/spec_isBinary_Overrides.vrm': { format: 'vrm1', nodes: 27, joints: 0, clips: 0, bones: 22 },
  'vrm/spec_mtoon_UV.vrm': { format: 'vrm1', nodes: 58, joints: 0, clips: 0, bones: 53 },
  'vrm/univrm_EmissionMigration.vrm': { format: 'vrm0', nodes: 62, joints: 0, clips: 0, bones: 52 },
  'vrma/ChatVRM_idle_loop.vrma': { format: 'vrma', nodes: 33, joints: 0, clips: 1, bones: 22 },
  'vrma/saturday06_hips_spine_twisting.vrma': { format: 'vrma', nodes: 18, joints: 0, clips: 1, bones: 17 },
  'vrma/threevrm_test.vrma': {
    format: 'vrma',
    nodes: 51,
    joints: 0,
    clips: 1,
    bones: 51,
  },
};

/** Tolerances for equal rest and bind poses with float32 matrices: degrees, and a fraction of the extent. */
const SAME_POSE_DEGREES = 0.001;
const SAME_POSE_DISTANCE = 1e-5;

describe.skipIf(!HAS_ASSETS)('readGltf on real files', () => {
  it.each(Object.entries(FILES))('reads %s', async (file, expected) => {
    const read = readGltf(await openDocument(asset('assets', file)));
    expect(read.format).toBe(expected.format ?? 'gltf');
    expect(codesOf(read.issues)).toEqual(expected.issues ?? []);
    expect(read.clips).toHaveLength(expected.clips);
    expect(read.skeletons).toHaveLength(1);
    const [{ skeleton, sourceNodes, declared }] = read.skeletons;
    expect(validateTopology(skeleton.parents, skeleton.names).reasons).toEqual([]);
    expect(skeleton.parents).toHaveLength(expected.nodes);
    expect(new Set(sourceNodes).size).toBe(expected.nodes);
    expect(skeleton.joints.reduce((sum, flag) => sum + flag, 0)).toBe(expected.joints);
    expect(skeleton.rest.every(Number.isFinite)).toBe(true);
    expect(declared?.nodes.filter((node) => node >= 0).length ?? 0).toBe(expected.bones ?? 0);
    if (declared !== null) expect(declared.nodes).toHaveLength(BONE_COUNT);
    for (const clip of read.clips) {
      expect(validateClip(clip.clips[0], expected.nodes).reasons).toEqual([]);
      expect(clip.duration).toBeGreaterThanOrEqual(clip.clips[0].duration);
    }
    expect(skeleton.bind === null).toBe(expected.joints === 0);
    if (skeleton.bind === null) return;
    const { degrees, distance } = restOffBind(skeleton.parents, skeleton.rest, skeleton.bind, skeleton.joints);
    expect(degrees > SAME_POSE_DEGREES).toBe(expected.posed ?? false);
    expect(distance > SAME_POSE_DISTANCE).toBe(expected.posed ?? false);
  });

  it('covers every file of the folders', async () => {
    const { assetFiles } = await import('../../../support/assets.ts');
    const found = assetFiles('assets', 'glb', 'vrm', 'vrma').map((path) => path.split('/').slice(-2).join('/'));
    expect(found).toEqual(expect.arrayContaining(Object.keys(FILES)));
  });

  it('reads the T-pose bind pose of RobotExpressive from a mesh with another space and unit', async () => {
    const [{ skeleton }] = readGltf(await openDocument(asset('assets/glb/RobotExpressive.glb'))).skeletons;
    const place = (name: string): number[] => {
      const at = skeleton.names.indexOf(name) * 16;
      return [12, 13, 14].map((c) => skeleton.bind?.[at + c] ?? Number.NaN);
    };
    const [elbow, wrist] = [place('LowerArm.L'), place('Palm2.L')];
    const reach = Math.hypot(...wrist.map((value, c) => value - elbow[c]));
    expect((wrist[0] - elbow[0]) / reach).toBeGreaterThan(0.999);
    // The feet are not posed, so their bind pose equals their rest pose.
    const worlds = new Float64Array(skeleton.bind?.length ?? 0);
    localToModelMatrices(worlds, skeleton.parents, skeleton.rest);
    for (const name of ['Foot.L', 'Foot.R']) {
      const at = skeleton.names.indexOf(name) * 16;
      place(name).forEach((value, c) => {
        expect(Math.abs(value - worlds[at + 12 + c])).toBeLessThan(1e-5);
      });
    }
  });

  it('reads the A-pose bind pose of the lumberjack, although unit and axes differ and all nodes are posed', async () => {
    const read = readGltf(await openDocument(asset('assets/glb/pc_lumberjack.glb')));
    const [{ skeleton }] = read.skeletons;
    // The clip "A-pose" contains the same pose.
    const aPose = read.clips.find(({ name }) => name === 'A-pose');
    const pose = Float64Array.from(skeleton.rest);
    const offsets = { translation: 0, rotation: 3, scale: 7 };
    for (const { target, path, values } of aPose?.clips[0].tracks ?? []) {
      pose.set(values.subarray(0, path === 'rotation' ? 4 : 3), target * 10 + offsets[path]);
    }
    const deforming = skeleton.joints.map((flag, node) =>
      flag === 1 && skeleton.names[node].startsWith('DEF-') ? 1 : 0,
    );
    const { degrees, distance } = restOffBind(skeleton.parents, pose, skeleton.bind ?? [], deforming);
    expect(deforming.reduce((sum, flag) => sum + flag, 0)).toBe(32);
    // The clip twists the lower of two forearm joints by one degree.
    expect(degrees).toBeLessThan(1.2);
    expect(distance).toBeLessThan(1e-4);
  });

  it('keeps the centimeter scale below the hips of VALID in the bind pose', async () => {
    const [{ skeleton }] = readGltf(await openDocument(asset('assets/glb/VALID_AIAN_M_1_Casual.glb'))).skeletons;
    const hips = skeleton.names.indexOf('Hips') * 16;
    const scale = Math.hypot(...[0, 1, 2].map((c) => skeleton.bind?.[hips + c] ?? 0));
    expect(scale).toBeCloseTo(0.01, 7);
  });
});

/** Largest deviation of flagged nodes from their bind matrices: degrees, and a fraction of the extent. */
function restOffBind(
  parents: Int32Array,
  pose: ArrayLike<number>,
  bind: ArrayLike<number>,
  flags: Uint8Array,
): { degrees: number; distance: number } {
  const worlds = new Float64Array(parents.length * 16);
  localToModelMatrices(worlds, parents, Float64Array.from(pose));
  const extent = extentOf(worlds);
  let degrees = 0;
  let far = 0;
  flags.forEach((flag, node) => {
    if (flag === 0) return;
    const { angle, distance } = deviation(Float64Array.from(bind), node * 16, worlds, node * 16, extent);
    degrees = Math.max(degrees, (angle * 180) / Math.PI);
    far = Math.max(far, distance);
  });
  return { degrees, distance: far };
}
