/** Evaluates a file with anyrig over time: clips, morph targets and skins, in world space. */
import { sampleClip, sampleKeys } from '../../../src/core/animation/sample.ts';
import type { Geometry, MeshPrimitive } from '../../../src/core/asset/geometry.ts';
import { resizeInfluences } from '../../../src/core/deform/edit-influences.ts';
import { countInfluenceRuns, type Influences } from '../../../src/core/deform/influences.ts';
import { morph } from '../../../src/core/deform/morph.ts';
import { skinLinear } from '../../../src/core/deform/skin-linear.ts';
import { planSkin, type SkinPlan } from '../../../src/core/deform/skin-plan.ts';
import { skinningMatrices } from '../../../src/core/deform/skinning-matrices.ts';
import * as mat4 from '../../../src/core/math/mat4.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { localToModelMatrices } from '../../../src/core/skeleton/pose.ts';
import { mergeSkeletonClips } from '../../../src/files/clips/merge-skeleton-clips.ts';
import type { OpenFile } from '../../../src/files/open.ts';
import type { GltfDocument } from '../../../src/formats/gltf/index.ts';

/** One primitive of one instance, float64. */
export interface DeformedPart {
  /** Node of the file. */
  readonly node: number;
  /** Index among the primitives of the mesh in the file. */
  readonly primitive: number;
  readonly isSkinned: boolean;
  readonly targetCount: number;
  /** World space, 3 floats per vertex. */
  readonly positions: Float64Array;
}

export interface DeformedFile {
  /** Number of vertices with more than four joints. */
  readonly beyondFour: number;
  /** Evaluates all parts at a time of an animation of the file; −1 is the rest pose. */
  at(animation: number, time: number): DeformedPart[];
}

/** Number of joints per vertex that a player uses: four in three.js; null for all. */
export type JointLimit = 4 | null;

/** Returns the indices in the file of the primitives with positions; the others are not read. */
function primitivesWithPositions({ json }: GltfDocument, node: number): number[] {
  const { mesh } = (json['nodes'] as { mesh: number }[])[node];
  const { primitives } = (json['meshes'] as { primitives: { attributes: object }[] }[])[mesh];
  return Array.from(primitives.keys()).filter((p) => 'POSITION' in primitives[p].attributes);
}

/** Prepares a file for evaluation. */
export function deformedFile(file: OpenFile, geometry: Geometry, limit: JointLimit): DeformedFile {
  const { asset } = file;
  const { nodes, skins, meshes, instances, sourceNodes } = geometry;
  const plans = new Map<string, SkinPlan>();
  const counted = new Set<Influences>();
  let beyondFour = 0;
  for (const { mesh, skin } of instances) {
    meshes[mesh].primitives.forEach((primitive, p) => {
      const { influences, vertexCount } = primitive;
      if (skin < 0 || influences === null) return;
      if (!counted.has(influences)) {
        counted.add(influences);
        const { jointsPerVertex, weights } = influences;
        for (let run = 0; run < countInfluenceRuns(influences); run++) {
          const own = Array.from({ length: jointsPerVertex }, (_, k) => weights[run * jointsPerVertex + k]);
          if (own.some((weight, k) => k >= 4 && weight !== 0)) beyondFour++;
        }
      }
      const isCut = limit !== null && influences.jointsPerVertex > limit;
      const chosen = isCut ? resizeInfluences(influences, limit) : influences;
      const plan = planSkin(chosen, vertexCount, skins[skin].joints.length);
      plans.set(`${mesh} ${p} ${skin}`, plan);
    });
  }
  const indices = new Map(Array.from(sourceNodes, (source, index) => [source, index]));
  return {
    beyondFour,
    at(animation, time) {
      const pose = Float64Array.from(nodes.rest);
      const animated = new Map<number, Float64Array>();
      if (animation >= 0) {
        const asked = asset.clips[animation];
        const { clip, sourceNodes: targets } = mergeSkeletonClips(asked, asset.skeletons);
        const tracks = clip.tracks
          .map((track) => ({ ...track, target: indices.get(targets[track.target]) ?? -1 }))
          .filter(({ target }) => target >= 0);
        sampleClip({ ...clip, tracks }, time, pose);
        for (const track of asked.morphs) {
          const weights = new Float64Array(track.targetCount);
          sampleKeys(track, track.targetCount, false, time, weights, 0);
          animated.set(track.sourceNode, weights);
        }
      }
      for (let at = 3; at < pose.length; at += 10) quat.normalize(pose, at, pose, at);
      const worlds = new Float64Array(nodes.parents.length * 16);
      localToModelMatrices(worlds, nodes.parents, pose);
      return instances.flatMap(({ node, mesh, skin, morphWeights }) => {
        const weights = animated.get(sourceNodes[node]) ?? morphWeights ?? meshes[mesh].morphWeights;
        const filePrimitives =
          file.format === 'gltf' ? primitivesWithPositions(file.document, sourceNodes[node]) : null;
        return meshes[mesh].primitives.map((primitive, p): DeformedPart => {
          const positions = morphed(primitive, weights);
          const plan = plans.get(`${mesh} ${p} ${skin}`);
          if (plan === undefined) {
            for (let v = 0; v < positions.length; v += 3) {
              mat4.transformPoint(positions, v, worlds, node * 16, positions, v);
            }
          } else {
            const { joints, inverseBindMatrices } = skins[skin];
            const matrices = new Float64Array(16 * joints.length);
            skinningMatrices(matrices, worlds, joints, inverseBindMatrices);
            const vertices = { positions, normals: null, tangents: null };
            skinLinear(plan, matrices, null, vertices, vertices);
          }
          const isSkinned = plan !== undefined;
          const targetCount = primitive.morphTargets.length;
          return { node: sourceNodes[node], primitive: filePrimitives?.[p] ?? p, isSkinned, targetCount, positions };
        });
      });
    },
  };
}

function morphed({ positions, morphTargets }: MeshPrimitive, weights: ArrayLike<number>): Float64Array {
  const out = Float64Array.from(positions);
  const base = { positions: out, normals: null, tangents: null };
  morph(morphTargets, weights, base, base);
  return out;
}
