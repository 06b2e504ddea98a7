/** A VRMA and a VRM: the results of anyrig and three-vrm, and the rotations that the world law requires. */
import { Quaternion } from 'three';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { isConstantTrack } from '../../../src/core/animation/is-constant-track.ts';
import { BONE, BONE_PARENTS, BONES } from '../../../src/core/humanoid/bones.ts';
import { withDeclaredPose } from '../../../src/core/humanoid/declared-pose.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { parseGltf, readGltf } from '../../../src/formats/gltf/index.ts';
import { minus, read, rotated, times, type Vector } from '../../support/reference/plain.ts';
import { type AssetHumanoid, findAssetHumanoid, retargeted, worldPose } from './retargeted.ts';
import { loadVrma, playInThreeVrm, type Vrma, type VrmPlayer } from './three-vrm.ts';

/** Compared fractions of the duration: the ends, and times between keys. */
export const PARTS: readonly number[] = [0, 0.13, 0.29, 0.5, 0.71, 0.94, 1];

export interface VrmPair {
  /** The motion and the character, both with their declared poses, which three-vrm uses. */
  readonly source: AssetHumanoid;
  readonly target: AssetHumanoid;
  /** The motion retargeted to the character by anyrig. */
  readonly clip: Clip;
  readonly vrma: Vrma;
  readonly player: VrmPlayer;
}

function asDeclared(part: AssetHumanoid): AssetHumanoid {
  return { ...part, humanoid: withDeclaredPose(part.humanoid) };
}

export async function openPair(motion: Uint8Array, character: Uint8Array): Promise<VrmPair> {
  const source = findAssetHumanoid(readGltf(parseGltf(motion)));
  const target = findAssetHumanoid(readGltf(parseGltf(character)));
  const vrma = await loadVrma(motion);
  const player = await playInThreeVrm(character, vrma);
  const clip = retargeted(source, target);
  return { source: asDeclared(source), target: asDeclared(target), clip, vrma, player };
}

/** Returns animated bones that three-vrm ignores: bones that the character lacks, and bones below animated nodes between bones. */
export function lostInThreeVrm({ source, target }: VrmPair): number[] {
  const { map, skeleton } = source.humanoid;
  const moving = new Set(
    source.clips[0].tracks
      .filter((track) => track.path === 'rotation' && !isConstantTrack(track))
      .map((track) => track.target),
  );
  const isBone = (node: number): boolean => map.nodes.includes(node);
  return BONES.map((_, bone) => bone).filter((bone) => {
    if (map.nodes[bone] < 0) return false;
    if (target.humanoid.map.nodes[bone] < 0) return true;
    let node = skeleton.parents[map.nodes[bone]];
    for (; node >= 0 && !isBone(node); node = skeleton.parents[node]) if (moving.has(node)) return true;
    return false;
  });
}

/** Returns whether a bone or one of its ancestors in the full hierarchy is in `others`. */
export function isAtOrBelow(bone: number, others: readonly number[]): boolean {
  for (let b = bone; b >= 0; b = BONE_PARENTS[b]) if (others.includes(b)) return true;
  return false;
}

/** Returns the world rotation by the law, file axes: world delta in three.js of the bone, or its nearest mapped ancestor, times reference pose. */
function rotationByLaw({ source, target, vrma }: VrmPair, bone: number, time: number): number[] {
  let driver = bone;
  while (source.humanoid.map.nodes[driver] < 0) driver = BONE_PARENTS[driver];
  const { reference, frame } = target.humanoid;
  const world = vrma.delta(BONES[driver], time).multiply(new Quaternion().fromArray(reference.rotations, 4 * bone));
  return world.premultiply(new Quaternion().fromArray(frame).invert()).toArray();
}

/** The largest angle between world rotations over time, radians, and the number of comparisons. */
export interface Difference {
  readonly largest: number;
  readonly compared: number;
}

function difference(
  { target, clip }: VrmPair,
  wanted: (bone: number) => boolean,
  others: (time: number) => (bone: number) => readonly number[],
): Difference {
  const { nodes } = target.humanoid.map;
  let largest = 0;
  let compared = 0;
  for (const part of PARTS) {
    const time = part * clip.duration;
    const { rotations } = worldPose(target, clip, time);
    const other = others(time);
    for (let bone = 0; bone < nodes.length; bone++) {
      if (nodes[bone] < 0 || !wanted(bone)) continue;
      largest = Math.max(largest, quat.angleBetween(rotations, 4 * nodes[bone], other(bone), 0));
      compared++;
    }
  }
  return { largest, compared };
}

/** Compares anyrig with three-vrm. */
export function differenceToThreeVrm(pair: VrmPair, wanted: (bone: number) => boolean): Difference {
  return difference(pair, wanted, (time) => {
    pair.player.show(time);
    return (bone) => pair.player.rotation(BONES[bone]);
  });
}

/** Compares anyrig with the law. */
export function differenceToLaw(pair: VrmPair): Difference {
  return difference(
    pair,
    () => true,
    (time) => (bone) => rotationByLaw(pair, bone, time),
  );
}

/** Returns our hips position minus that of three-vrm at a time, file axes, meters. */
export function hipsApart({ target, clip, player }: VrmPair, time: number): Vector {
  player.show(time);
  const node = target.humanoid.map.nodes[BONE.hips];
  return minus(read(worldPose(target, clip, time).matrices, 16 * node + 12, 3), player.hips());
}

/** Returns the rest hips position of the character minus the scaled one of the motion, axes of the character's file, meters. */
export function restOffset({ source, target }: VrmPair): Vector {
  const heightOf = ({ humanoid }: AssetHumanoid): number => humanoid.reference.positions[1] - humanoid.ground;
  const scale = heightOf(target) / heightOf(source);
  const [s, t] = [source, target].map(({ humanoid }) => read(humanoid.reference.positions, 0, 3));
  const toFile = new Quaternion().fromArray(target.humanoid.frame).invert().toArray();
  return rotated(toFile, minus(t, times(s, scale)));
}
