/**
 * Humanoid clips: motion by bone instead of by node, relative to the reference pose, as EXT_skeleton_humanoid has it. What a bone
 * shows is `bindLocal · [t | r | s]`, with bindLocal the place of the bone in its reference pose.
 */
import { type Clip, PATH_WIDTH, type Track } from '../animation/clip.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { POSE_STRIDE } from '../skeleton/skeleton.ts';
import { BONE } from './bones.ts';
import { bonesOfNodes } from './node-bones.ts';
import type { PortableBody } from './portable-body.ts';

/** A clip that belongs to no skeleton. */
export interface HumanoidClip {
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
  /**
   * `target` is a bone (an index of BONES). Rotations are `r(b) = C(b)⁻¹ · D(p)⁻¹ · D(b) · C(b)`: D the world delta from the reference pose, C the
   * canonical axes, p the parent bone. Translations are offsets along the axes of the bone; of the hips canonical axes, meters. Scales are factors.
   */
  readonly tracks: readonly Track[];
  /** Meters from the ground to the hips in the reference pose of the body it was made of; null where that is not known. */
  readonly restHipsHeight: number | null;
}

/** Every value of a track through a function; tangents of splines as directions. */
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

/** The tracks of a humanoid clip as those of its body: a clip like any other, which can be retargeted. Tracks of bones that it lacks are left out. */
export function clipOfHumanoidClip({ skeleton, declared }: PortableBody, clip: HumanoidClip): Clip {
  const { rest } = skeleton;
  const tracks = clip.tracks.flatMap((track): Track[] => {
    const node = declared.nodes[track.target] ?? -1;
    if (node < 0) return [];
    const at = POSE_STRIDE * node;
    if (track.path === 'scale') return [{ ...track, target: node }];
    if (track.path === 'rotation') {
      return [mapValues(track, node, (out, o, value, i) => quat.multiply(out, o, rest, at + 3, value, i))];
    }
    return [
      mapValues(track, node, (out, o, value, i, isTangent) => {
        vec3.rotate(out, o, rest, at + 3, value, i);
        if (!isTangent) vec3.add(out, o, out, o, rest, at);
      }),
    ];
  });
  return { name: clip.name, duration: clip.duration, tracks };
}

/** The other way: a clip on the nodes of the body as a humanoid clip, with the height of its hips. */
export function humanoidClipOf({ skeleton, declared }: PortableBody, { name, duration, tracks }: Clip): HumanoidClip {
  const { rest } = skeleton;
  const hipsHeight = rest[POSE_STRIDE * declared.nodes[BONE.hips] + 1];
  const bones = bonesOfNodes(declared.nodes, skeleton.parents.length);
  const toBone = new Float64Array(4);
  const relative = tracks.map((track): Track => {
    const bone = bones[track.target];
    const at = POSE_STRIDE * track.target;
    quat.conjugate(toBone, 0, rest, at + 3);
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
