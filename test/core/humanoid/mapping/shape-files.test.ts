import { readFileSync } from 'node:fs';
import { MeshoptDecoder } from 'meshoptimizer';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import type { AssetSkeleton } from '../../../../src/core/asset/asset.ts';
import { BONE_MIRRORS, BONES, REQUIRED_BONES } from '../../../../src/core/humanoid/bones.ts';
import { type BoneMapping, mapBones } from '../../../../src/core/humanoid/mapping/map-bones.ts';
import { whyNotHumanoid } from '../../../../src/core/humanoid/mapping/why-not-humanoid.ts';
import { readBvh } from '../../../../src/formats/bvh/index.ts';
import { readFbx } from '../../../../src/formats/fbx/index.ts';
import { hasCompressedViews } from '../../../../src/formats/gltf/document/meshopt.ts';
import { attachMeshoptDecoder, parseGltf, readGltf } from '../../../../src/formats/gltf/index.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { type Disguise, disguise } from '../../../support/make/disguise.ts';
import { NOT_HUMANOID, rightNodes, TRUTH, UNNAMED_TRUTH } from './truth.ts';

interface LoadedFile {
  readonly part: AssetSkeleton;
  readonly clip: Clip | null;
}

const files = new Map<string, LoadedFile>();
const HUMANOIDS = { ...TRUTH, ...UNNAMED_TRUTH };
const NEGATIVES = Object.keys(NOT_HUMANOID).filter((name) => UNNAMED_TRUTH[name] === undefined);

beforeAll(async () => {
  if (!HAS_ASSETS) return;
  for (const name of [...Object.keys(HUMANOIDS), ...NEGATIVES]) {
    const bytes = readFileSync(asset('assets', name));
    const doc = /\.(?:bvh|fbx)$/.test(name) ? null : parseGltf(bytes);
    if (doc !== null && hasCompressedViews(doc)) await attachMeshoptDecoder(doc, MeshoptDecoder);
    const file = doc !== null ? readGltf(doc) : name.endsWith('.bvh') ? readBvh(bytes) : readFbx(bytes);
    const sizes = file.skeletons.map(({ skeleton }) => skeleton.names.length);
    const index = sizes.indexOf(Math.max(...sizes));
    const clip = file.clips.map(({ clips }) => clips[index]).find(({ tracks }) => tracks.length > 0) ?? null;
    files.set(name, { part: file.skeletons[index], clip });
  }
});

const HALF = Math.SQRT1_2;
const YAW = (37 / 2) * (Math.PI / 180);

/** Other axes, units, node orders and names: only the shape remains. */
const DISGUISES: Readonly<Record<string, Disguise>> = {
  'without names': { name: () => '', seed: 1, turn: [0, 0, 0, 1], scale: 1 },
  'numbered, Z up, a hundred times as large': {
    name: (node) => `Bone_${String(node).padStart(3, '0')}`,
    seed: 2,
    turn: [HALF, 0, 0, HALF],
    scale: 100,
  },
  'in foreign words, yawed by 37°, a thousandth as large': {
    name: (node) => `kość${node}`,
    seed: 3,
    turn: [0, Math.sin(YAW), 0, Math.cos(YAW)],
    scale: 1e-3,
  },
};

const FINGER = /Thumb|Index|Middle|Ring|Little/;
/** Has nothing that shows its front: straight limbs, no toes, no fingers, no face. */
const FRONTLESS = 'vrma/saturday06_hips_spine_twisting.vrma';

interface DisguisedMapping {
  readonly mapping: BoneMapping;
  /** Nodes per bone as indices of the original file. */
  readonly nodes: number[];
}

const mapped = new Map<string, DisguisedMapping>();

/** Maps a disguised file, once. */
function mapDisguised(name: string, changes: Disguise): DisguisedMapping {
  const key = `${name} ${changes.seed}`;
  const known = mapped.get(key);
  if (known !== undefined) return known;
  const { part, clip } = files.get(name) as LoadedFile;
  const { skeleton, clip: motion, place } = disguise(part.skeleton, clip, changes);
  const mapping = mapBones(skeleton, { motion });
  const made = { mapping, nodes: Array.from(mapping.map.nodes, (node) => (node < 0 ? -1 : place.indexOf(node))) };
  mapped.set(key, made);
  return made;
}

/** Swaps left and right. */
const mirrored = (nodes: readonly number[]): number[] => nodes.map((_, bone) => nodes[BONE_MIRRORS[bone]]);

describe.skipIf(!HAS_ASSETS)('mapBones: real files', () => {
  it.each(Object.keys(HUMANOIDS))('finds every bone of %s with fingers, eyes and jaw', (name) => {
    const { part, clip } = files.get(name) as LoadedFile;
    const { map, missing, issues } = mapBones(part.skeleton, { motion: clip });
    // Without explanations the shape may not be analyzed; the map is the same.
    const plain = mapBones(part.skeleton, { motion: clip, explain: false });
    expect({ ...plain.map, choices: null }).toEqual({ ...map, choices: null });
    const better = BONES.filter((_, b) => (map.choices?.[b]?.runnerUpConfidence ?? 0) > map.confidence[b]);
    expect(better).toEqual([]);
    const right = rightNodes(HUMANOIDS[name], part.skeleton, part.sourceNodes);
    const wrong = BONES.filter((_, b) => !right[b].includes(map.nodes[b]));
    expect(wrong.map((bone) => `${bone} is ${part.skeleton.names[map.nodes[BONES.indexOf(bone)]]}`)).toEqual([]);
    expect(missing).toEqual([]);
    expect(issues.map(({ code }) => code)).not.toContain('LEFT_RIGHT_AMBIGUOUS');
    expect(whyNotHumanoid(part.skeleton, map)).toBeNull();
  });

  it.each(NEGATIVES)('refuses %s', (name) => {
    const { part, clip } = files.get(name) as LoadedFile;
    const { map, shapeRefusal } = mapBones(part.skeleton, { motion: clip });
    expect(shapeRefusal).not.toBeNull();
    expect(whyNotHumanoid(part.skeleton, map, undefined, shapeRefusal)).not.toBeNull();
  });
});

describe.skipIf(!HAS_ASSETS)('mapBones: real files without names', () => {
  for (const [how, changes] of Object.entries(DISGUISES)) {
    it.each(Object.keys(HUMANOIDS))(`finds every required bone of %s, ${how}`, (name) => {
      const { part } = files.get(name) as LoadedFile;
      const { mapping, nodes } = mapDisguised(name, changes);
      const right = rightNodes(HUMANOIDS[name], part.skeleton, part.sourceNodes);
      const codes = mapping.issues.map(({ code }) => code);
      expect(codes).toContain('BONES_BY_SHAPE');
      expect(codes.includes('LEFT_RIGHT_AMBIGUOUS')).toBe(name === FRONTLESS);
      const isSwapped =
        name === FRONTLESS && !right[BONES.indexOf('leftHand')].includes(nodes[BONES.indexOf('leftHand')]);
      const read = isSwapped ? mirrored(nodes) : nodes;
      const wrong = REQUIRED_BONES.filter((bone) => !right[BONES.indexOf(bone)].includes(read[BONES.indexOf(bone)]));
      expect(wrong.map((bone) => `${bone} is ${part.skeleton.names[read[BONES.indexOf(bone)]]}`)).toEqual([]);
      expect(mapping.missing).toEqual([]);
      expect(mapping.map.from).toBe('shape');
      expect(mapping.shapeRefusal).toBeNull();
    });

    it(`finds nearly every joint of every finger, ${how}`, () => {
      const wrong: string[] = [];
      let all = 0;
      for (const [name, truth] of Object.entries(HUMANOIDS)) {
        const { part } = files.get(name) as LoadedFile;
        const { nodes } = mapDisguised(name, changes);
        const right = rightNodes(truth, part.skeleton, part.sourceNodes);
        for (const [b, bone] of BONES.entries()) {
          if (!FINGER.test(bone) || (right[b][0] < 0 && nodes[b] < 0)) continue;
          all++;
          if (!right[b].includes(nodes[b]))
            wrong.push(`${name}: ${bone} is ${part.skeleton.names[nodes[b]] ?? 'absent'}`);
        }
      }
      expect(all).toBeGreaterThan(750);
      expect(wrong).toEqual([]);
    });

    it.each(NEGATIVES)(`refuses %s, ${how}`, (name) => {
      const { mapping } = mapDisguised(name, changes);
      const { skeleton } = (files.get(name) as LoadedFile).part;
      const bare = { ...skeleton, names: skeleton.names.map(() => '') };
      expect(mapping.shapeRefusal).not.toBeNull();
      expect(whyNotHumanoid(bare, mapping.map, undefined, mapping.shapeRefusal)).toMatch(/its shape: /);
    });
  }
});
