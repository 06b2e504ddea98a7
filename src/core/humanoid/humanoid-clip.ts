/**
 * Humanoid clips: motion per bone instead of per node, relative to the reference pose, as in EXT_skeleton_humanoid. The
 * local transform of a bone is `bindLocal · [t | r | s]`, with `bindLocal` the local transform of the bone in its
 * reference pose.
 */
import { type Clip, PATH_WIDTH, type Track } from '../animation/clip.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../skeleton/skeleton.ts';
import { BONE } from './bones.ts';
import type { CanonicalRig } from './canonical-rig.ts';
import { mapNodesToBones } from './node-bones.ts';

/** A clip whose tracks target bones. It is independent of any skeleton. */
export interface HumanoidClip {
  /** Name of the clip. */
  readonly name: string;
  /** Duration, seconds. */
  readonly duration: number;
  /**
   * Tracks whose `target` is a bone (an index of BONES). Rotations are `r(b) = C(b)⁻¹ · D(p)⁻¹ · D(b) · C(b)`: D the
   * world delta from the reference pose, C the canonical axes, p the parent bone. Translations are offsets along the
   * axes of the bone, for the hips along the canonical axes, in meters. Scales are factors.
   */
  readonly tracks: readonly Track[];
  /** Height of the hips above the ground in the reference pose of the source character, meters; null when unknown. */
  readonly restHipsHeight: number | null;
}

/** Maps every value of a track through a function. Tangents of CUBICSPLINE are marked as such: they are directions. */
function mapValues(
  track: Track,
  target: number,
  map: (out: Floats, o: number, value: Floats, i: number, isTangent: boolean) => void,
): Track {
  const width = PATH_WIDTH[track.path];
  const isSpline = track.interpolation === 'CUBICSPLINE';
  const values = new Float64Array(track.values.length);
  for (let i = 0, element = 0; i < values.length; i += width, element++) {
    map(values, i, track.values, i, isSpline && element % 3 !== 1);
  }
  return { ...track, target, values };
}

/**
 * Converts a humanoid clip into a clip on the nodes of a canonical rig, which can be retargeted like any other clip.
 * Tracks of bones that the rig lacks are left out.
 *
 * @param rig The rig that the clip animates; see {@link createCanonicalRig}.
 * @example
 * ```ts
 * const bones = humanoidClip.tracks.map((track) => track.target);
 * const rig = createCanonicalRig(bones, humanoidClip.restHipsHeight);
 * const clip = retargetClip(planRetarget(describeCanonicalRig(rig), target), fromHumanoidClip(rig, humanoidClip));
 * ```
 */
export function fromHumanoidClip({ skeleton, declared }: CanonicalRig, clip: HumanoidClip): Clip {
  const { rest } = skeleton;
  const tracks = clip.tracks.flatMap((track): Track[] => {
    const node = declared.nodes[track.target] ?? -1;
    if (node < 0) return [];
    const at = POSE_STRIDE * node;
    if (track.path === 'scale') return [{ ...track, target: node }];
    if (track.path === 'rotation') {
      return [
        mapValues(track, node, (out, o, value, i) => quat.multiply(out, o, rest, at + PATH_OFFSET.rotation, value, i)),
      ];
    }
    return [
      mapValues(track, node, (out, o, value, i, isTangent) => {
        vec3.rotate(out, o, rest, at + PATH_OFFSET.rotation, value, i);
        if (!isTangent) vec3.add(out, o, out, o, rest, at);
      }),
    ];
  });
  return { name: clip.name, duration: clip.duration, tracks };
}

/**
 * Converts a clip on the nodes of a canonical rig into a humanoid clip. The inverse of {@link fromHumanoidClip}.
 *
 * @returns The humanoid clip, with the hips height of the rig; null as the height where the hips are at the origin.
 * @example
 * ```ts
 * const bones = [...source.map.nodes.keys()].filter((bone) => source.map.nodes[bone] >= 0);
 * const rig = createCanonicalRig(bones, source.hipsHeight);
 * const plan = planRetarget(source, describeCanonicalRig(rig));
 * const humanoidClip = toHumanoidClip(rig, retargetClip(plan, clip));
 * ```
 */
export function toHumanoidClip({ skeleton, declared }: CanonicalRig, { name, duration, tracks }: Clip): HumanoidClip {
  const { rest } = skeleton;
  const hipsHeight = rest[POSE_STRIDE * declared.nodes[BONE.hips] + 1];
  const bones = mapNodesToBones(declared.nodes, skeleton.parents.length);
  const toBone = new Float64Array(4);
  const relative = tracks.map((track): Track => {
    const bone = bones[track.target];
    const at = POSE_STRIDE * track.target;
    quat.conjugate(toBone, 0, rest, at + PATH_OFFSET.rotation);
    if (track.path === 'scale') return { ...track, target: bone };
    if (track.path === 'rotation') {
      return mapValues(track, bone, (out, o, value, i) => quat.multiply(out, o, toBone, 0, value, i));
    }
    return mapValues(track, bone, (out, o, value, i, isTangent) => {
      if (isTangent) vec3.copy(out, o, value, i);
      else vec3.subtract(out, o, value, i, rest, at);
      vec3.rotate(out, o, toBone, 0, out, o);
    });
  });
  return { name, duration, tracks: relative, restHipsHeight: hipsHeight > 0 ? hipsHeight : null };
}
