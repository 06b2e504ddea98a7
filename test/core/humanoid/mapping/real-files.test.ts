import { existsSync, readFileSync } from 'node:fs';
import { MeshoptDecoder } from 'meshoptimizer';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Asset, AssetSkeleton } from '../../../../src/core/asset/asset.ts';
import { BONE, BONES, type BoneName } from '../../../../src/core/humanoid/bones.ts';
import { matchNames, type NameMapping } from '../../../../src/core/humanoid/mapping/combine/map-by-names.ts';
import { whyNotHumanoid } from '../../../../src/core/humanoid/mapping/why-not-humanoid.ts';
import { bindModelPose, restModelPose, sampleModelPose } from '../../../../src/core/humanoid/t-pose/model-pose.ts';
import type { Skeleton } from '../../../../src/core/skeleton/skeleton.ts';
import { parentsFromPaths } from '../../../../src/core/skeleton/topology.ts';
import { readBvh } from '../../../../src/formats/bvh/index.ts';
import { readFbx } from '../../../../src/formats/fbx/index.ts';
import { hasCompressedViews } from '../../../../src/formats/gltf/document/meshopt.ts';
import { attachMeshoptDecoder, parseGltf, readGltf } from '../../../../src/formats/gltf/index.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { bareSkeleton, namesByBone } from '../../../support/make/rig-text.ts';
import { NOT_HUMANOID, rightNodes, TRUTH, UNNAMED_TRUTH, USD_TRUTH } from './truth.ts';

const read = new Map<string, Asset>();

beforeAll(async () => {
  if (!HAS_ASSETS) return;
  for (const name of [...Object.keys(TRUTH), ...Object.keys(NOT_HUMANOID)]) {
    const bytes = readFileSync(asset('assets', name));
    if (name.endsWith('.bvh')) read.set(name, readBvh(bytes));
    else if (name.endsWith('.fbx')) read.set(name, readFbx(bytes));
    else {
      const doc = parseGltf(bytes);
      if (hasCompressedViews(doc)) await attachMeshoptDecoder(doc, MeshoptDecoder);
      read.set(name, readGltf(doc));
    }
  }
});

/** The skeleton with the most nodes of a file. */
function largestSkeleton(name: string): { asset: Asset; part: AssetSkeleton; index: number } {
  const file = read.get(name) as Asset;
  const sizes = file.skeletons.map(({ skeleton }) => skeleton.names.length);
  const index = sizes.indexOf(Math.max(...sizes));
  return { asset: file, part: file.skeletons[index], index };
}

const mapped = new Map<Skeleton, NameMapping>();

/** Maps a skeleton by its names, once. */
function mapOnce(skeleton: Skeleton): NameMapping {
  const mapping = mapped.get(skeleton) ?? matchNames(skeleton).mapping;
  mapped.set(skeleton, mapping);
  return mapping;
}

const FINGER = /Thumb|Index|Middle|Ring|Little/;
const isFinger = (bone: string): boolean => FINGER.test(bone);

describe.skipIf(!HAS_ASSETS)('matchNames: real files', () => {
  it('has expectations for files that exist', () => {
    const known = [...Object.keys(TRUTH), ...Object.keys(NOT_HUMANOID)];
    expect(known.filter((name) => !existsSync(asset('assets', name)))).toEqual([]);
  });

  it.each(Object.keys(TRUTH))('finds every bone of %s except fingers', (name) => {
    const { skeleton, sourceNodes } = largestSkeleton(name).part;
    const { map, missing } = mapOnce(skeleton);
    const right = rightNodes(TRUTH[name], skeleton, sourceNodes);
    const wrong = BONES.filter((bone, b) => !isFinger(bone) && !right[b].includes(map.nodes[b]));
    expect(wrong.map((bone) => `${bone} is ${skeleton.names[map.nodes[BONE[bone]]]}`)).toEqual([]);
    expect(missing).toEqual([]);
    expect(whyNotHumanoid(skeleton, map)).toBeNull();
  });

  it('finds every joint of every named finger', () => {
    const wrong: string[] = [];
    let all = 0;
    for (const [name, truth] of Object.entries(TRUTH)) {
      const { skeleton, sourceNodes } = largestSkeleton(name).part;
      const { nodes } = mapOnce(skeleton).map;
      const right = rightNodes(truth, skeleton, sourceNodes);
      for (const [b, bone] of BONES.entries()) {
        if (!isFinger(bone) || (right[b][0] < 0 && nodes[b] < 0)) continue;
        // Finger.l, f2a, f3a: those of Godette.
        if (/^(?:Finger|f\d)/.test(skeleton.names[right[b][0]] ?? '')) continue;
        all++;
        if (!right[b].includes(nodes[b])) wrong.push(`${name}: ${bone} is ${skeleton.names[nodes[b]] ?? 'absent'}`);
      }
    }
    expect(all).toBeGreaterThan(700);
    expect(wrong).toEqual([]);
  });

  it('expects each node once, and includes the declared bones', () => {
    for (const [name, truth] of [...Object.entries(TRUTH), ...Object.entries(UNNAMED_TRUTH)]) {
      const { skeleton, sourceNodes, declared } = largestSkeleton(name).part;
      const right = rightNodes(truth, skeleton, sourceNodes);
      const first = right.map(([node]) => node).filter((node) => node >= 0);
      expect(new Set(first).size, name).toBe(first.length);
      if (declared === null) continue;
      expect(BONES.filter((_, b) => !right[b].includes(declared.nodes[b]), name)).toEqual([]);
    }
  });

  it.each(Object.keys(USD_TRUTH))('finds every bone in the joint list of %s', (name) => {
    const text = readFileSync(asset('assets', name), 'utf8');
    const list = /uniform token\[\] joints = \[(.*?)\]/s.exec(text)?.[1] ?? '';
    const paths = [...list.matchAll(/"([^"]+)"/g)].map(([, path]) => path);
    const names = paths.map((path) => path.slice(path.lastIndexOf('/') + 1));
    const skeleton = bareSkeleton(names, Array.from(parentsFromPaths(paths)));
    const right = rightNodes(USD_TRUTH[name], skeleton, []);
    const { nodes } = mapOnce(skeleton).map;
    expect(BONES.filter((_, bone) => !right[bone].includes(nodes[bone]))).toEqual([]);
  });

  const withToes = Object.keys(TRUTH).filter((name) => TRUTH[name].leg[3] !== '-');

  it.each(withToes)('finds left and right of %s on the correct sides', (name) => {
    const { asset: file, part, index } = largestSkeleton(name);
    const { skeleton } = part;
    const { nodes } = mapOnce(skeleton).map;
    const clip = file.clips.map(({ clips }) => clips[index]).find(({ tracks }) => tracks.length > 0);
    // The zero pose of a BVH may not look human; its first frame does.
    const isBvh = name.endsWith('.bvh') && clip !== undefined;
    // The nodes of an FBX may be left in any frame, here one in which a toe points back; its bind pose is made to be looked at.
    const stood = name.endsWith('.fbx') ? bindModelPose(skeleton) : null;
    const { positions } = isBvh ? sampleModelPose(skeleton, clip, 0, 'frame:0') : (stood ?? restModelPose(skeleton));
    const at = (bone: BoneName): number[] => [0, 1, 2].map((axis) => positions[3 * nodes[BONE[bone]] + axis]);
    const minus = (a: number[], b: number[]): number[] => a.map((value, axis) => value - b[axis]);
    const up = minus(at('head'), at('hips'));
    const left = minus(at('leftUpperLeg'), at('rightUpperLeg'));
    const forward = minus(at('leftToes'), at('leftFoot'));
    const cross = [
      up[1] * forward[2] - up[2] * forward[1],
      up[2] * forward[0] - up[0] * forward[2],
      up[0] * forward[1] - up[1] * forward[0],
    ];
    expect(cross[0] * left[0] + cross[1] * left[1] + cross[2] * left[2]).toBeGreaterThan(0);
  });

  it('agrees with declarations of VRM and VRMA files', () => {
    const differences: Record<string, string[]> = {};
    for (const name of Object.keys(TRUTH)) {
      const { skeleton, declared } = largestSkeleton(name).part;
      if (declared === null) continue;
      const { nodes } = mapOnce(skeleton).map;
      const differ = BONES.filter((_, bone) => declared.nodes[bone] !== nodes[bone]);
      const short = [...new Set(differ.map((bone) => bone.replace(/^(?:left|right)/, '')))];
      if (short.length > 0) differences[name] = short;
    }
    expect(differences).toEqual({
      // Left out by the author, although the rig has them.
      'vrm/cool_loops.vrm': ['Toes'],
      // Names that say no more than finger, or nothing: Finger, f2a, f3a.
      'vrm/Godette_vrm_v4.vrm': [
        'IndexProximal',
        'IndexIntermediate',
        'IndexDistal',
        'MiddleProximal',
        'MiddleIntermediate',
        'MiddleDistal',
        'LittleProximal',
        'LittleIntermediate',
        'LittleDistal',
      ],
      // Seven torso joints: the file takes the second as spine; and the end of the head as head.
      'vrma/ChatVRM_idle_loop.vrma': ['spine', 'head'],
    });
  });

  it('maps no controls and effectors', () => {
    const rigs = Object.keys(TRUTH).filter((name) => /human_ik|kenney/.test(name));
    expect(rigs).toHaveLength(3);
    for (const name of rigs) {
      const { skeletons } = read.get(name) as Asset;
      expect(skeletons).toHaveLength(1);
      const { skeleton } = skeletons[0];
      const bones = Object.values(namesByBone(skeleton, mapOnce(skeleton).map.nodes));
      expect(bones.filter((bone) => /Ctrl|Effector|IK|Roll|_end$/.test(bone))).toEqual([]);
    }
  });

  it.each(Object.keys(NOT_HUMANOID))('gives the reason why %s is not a humanoid', (name) => {
    for (const { skeleton } of (read.get(name) as Asset).skeletons) {
      expect(whyNotHumanoid(skeleton, mapOnce(skeleton).map)).toMatch(NOT_HUMANOID[name]);
    }
  });

  it('refuses the fox in its walk', () => {
    const { asset: file, part, index } = largestSkeleton('negative/Fox.glb');
    const { map } = mapOnce(part.skeleton);
    const walk = file.clips.find(({ name }) => name === 'Walk')?.clips[index];
    if (walk === undefined) throw new Error('the fox has no clip named Walk');
    const first = sampleModelPose(part.skeleton, walk, 0, 'frame:0').positions;
    expect(whyNotHumanoid(part.skeleton, map, first)).toMatch(/four legs/);
  });

  it('refuses no humanoid in any motion', () => {
    for (const name of Object.keys(TRUTH)) {
      const { asset: file, part, index } = largestSkeleton(name);
      const { map } = mapOnce(part.skeleton);
      for (const { clips, duration } of file.clips) {
        if (clips[index].tracks.length === 0) continue;
        for (const share of [0, 0.3, 0.7]) {
          const { positions } = sampleModelPose(part.skeleton, clips[index], share * duration, 'frame');
          expect(whyNotHumanoid(part.skeleton, map, positions), `${name} at ${share}`).toBeNull();
        }
      }
    }
  });
});
