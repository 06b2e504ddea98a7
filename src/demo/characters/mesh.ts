/** The skinned mesh of a character: a mannequin in the bind pose, in the axes and the unit of the file. */
import { BONE, presentParent } from '../../core/humanoid/bones.ts';
import type { BonePose } from '../../core/humanoid/t-pose/bone-pose.ts';
import * as vec3 from '../../core/math/vec3.ts';
import type { DemoCharacter } from './character.ts';
import { toFileAxes, worldPose } from './character-pose.ts';
import { mannequinParts, type Part, type Tone } from './mannequin.ts';

export interface CharacterMesh {
  /** Vertex positions, xyz, model space, unit of the file. */
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** Linear RGBA, normalized bytes. */
  readonly colors: Uint8Array;
  /** Skeleton nodes, four per vertex; 0 where the weight is 0. */
  readonly nodes: Uint16Array;
  /** Skin weights, four per vertex; they sum to 1. */
  readonly weights: Float32Array;
  /** Vertex indices, three per triangle. */
  readonly indices: Uint32Array;
}

/** A surface with the color and the skin weights of each of its stations. */
export interface ColoredPart extends Omit<Part, 'tone'> {
  /** Linear RGB of all vertices of a station, 0…1. */
  color(station: number): readonly [number, number, number];
}

/** Factor of the base color and amount of white that is added, per tone. */
const TONES: Readonly<Record<Tone, readonly [number, number]>> = {
  light: [0.75, 0.22],
  main: [1, 0],
  dark: [0.35, 0],
};

export function makeMesh(
  character: DemoCharacter,
  color: readonly [number, number, number],
  detail = 1,
): CharacterMesh {
  const parts = mannequinParts(character.figure, detail).map(({ surface, tone, weights }): ColoredPart => {
    const [factor, white] = TONES[tone];
    const rgb = color.map((c) => c * factor + white) as [number, number, number];
    return { surface, color: () => rgb, weights };
  });
  return bindParts(character, parts);
}

export function bindParts(character: DemoCharacter, parts: readonly ColoredPart[]): CharacterMesh {
  const vertices = parts.reduce((sum, { surface }) => sum + surface.positions.length / 3, 0);
  const triangles = parts.reduce((sum, { surface }) => sum + surface.indices.length, 0);
  const mesh: CharacterMesh = {
    positions: new Float32Array(vertices * 3),
    normals: new Float32Array(vertices * 3),
    colors: new Uint8Array(vertices * 4),
    nodes: new Uint16Array(vertices * 4),
    weights: new Float32Array(vertices * 4),
    indices: new Uint32Array(triangles),
  };
  const world = worldPose(character, character.bindPose);
  let vertex = 0;
  let index = 0;
  for (const part of parts) {
    for (const corner of part.surface.indices) mesh.indices[index++] = vertex + corner;
    part.surface.stations.forEach((station, k) => {
      mesh.colors.set([...part.color(station).map((c) => Math.round(255 * c)), 255], (vertex + k) * 4);
    });
    bindPart(mesh, character, part, world, vertex);
    vertex += part.surface.stations.length;
  }
  return mesh;
}

/** Rounds skin weights to normalized bytes: a quarter of the size. What rounding loses goes to the greatest weight of a vertex. */
export function byteWeights(weights: ArrayLike<number>): Uint8Array {
  const bytes = Uint8Array.from(weights, (weight) => Math.round(255 * weight));
  for (let at = 0; at < bytes.length; at += 4) {
    const four = bytes.subarray(at, at + 4);
    four[four.indexOf(Math.max(...four))] += 255 - four.reduce((sum, one) => sum + one, 0);
  }
  return bytes;
}

/** Finds the bone itself or its nearest ancestor that the character has. */
function presentBone(character: DemoCharacter, bone: number): number {
  return character.bones[bone] >= 0 ? bone : presentParent(bone, character.bones);
}

function bindPart(
  mesh: CharacterMesh,
  character: DemoCharacter,
  part: ColoredPart,
  world: BonePose,
  first: number,
): void {
  const { bones, bindPose, joints, metersPerUnit } = character;
  const toFile = toFileAxes(character);
  const { positions, normals, stations } = part.surface;
  const point = new Float64Array(3);
  const normal = new Float64Array(3);
  const moved = new Float64Array(3);
  stations.forEach((station, k) => {
    const weights = new Map<number, number>();
    for (const [name, weight] of part.weights(station)) {
      const bone = presentBone(character, BONE[name]);
      weights.set(bone, (weights.get(bone) ?? 0) + weight);
    }
    point.fill(0);
    normal.fill(0);
    let slot = (first + k) * 4;
    for (const [bone, weight] of weights) {
      const node = bones[bone];
      vec3.subtract(moved, 0, positions, k * 3, joints, node * 3);
      vec3.rotate(moved, 0, bindPose.deltas, bone * 4, moved, 0);
      vec3.add(moved, 0, moved, 0, world.positions, node * 3);
      vec3.addScaled(point, 0, point, 0, moved, 0, weight);
      vec3.rotate(moved, 0, bindPose.deltas, bone * 4, normals, k * 3);
      vec3.addScaled(normal, 0, normal, 0, moved, 0, weight);
      mesh.nodes[slot] = node;
      mesh.weights[slot++] = weight;
    }
    vec3.rotate(point, 0, toFile, 0, point, 0);
    vec3.scale(mesh.positions, (first + k) * 3, point, 0, 1 / metersPerUnit);
    vec3.rotate(normal, 0, toFile, 0, normal, 0);
    vec3.normalize(mesh.normals, (first + k) * 3, normal, 0);
  });
}
