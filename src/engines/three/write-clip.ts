import {
  AnimationClip,
  InterpolateDiscrete,
  InterpolateLinear,
  type KeyframeTrack,
  type Object3D,
  QuaternionKeyframeTrack,
  VectorKeyframeTrack,
} from 'three';
import type { Clip, Track } from '../../core/animation/clip.ts';
import { makeCubicSpline } from './cubic-spline.ts';
import { trackNode } from './track-name.ts';

const PROPERTIES = { translation: 'position', rotation: 'quaternion', scale: 'scale' } as const;

function writeTrack(name: string, { path, interpolation, times, values }: Track): KeyframeTrack {
  const mode = interpolation === 'STEP' ? InterpolateDiscrete : InterpolateLinear;
  const Kind = path === 'rotation' ? QuaternionKeyframeTrack : VectorKeyframeTrack;
  // Copy the arrays: three.js keeps them, and trims and shifts them in place.
  const track = new Kind(name, Float32Array.from(times), Float32Array.from(values), mode);
  if (interpolation === 'CUBICSPLINE') makeCubicSpline(track);
  return track;
}

/** Converts a clip for `AnimationMixer(root)`. Returns the clip, and the objects that no track name resolves to. Their tracks are omitted. */
export function writeClip(
  clip: Clip,
  root: Object3D,
  objects: readonly Object3D[],
  duration: number,
): { readonly clip: AnimationClip; readonly unreachable: readonly Object3D[] } {
  const names = new Map<number, string | null>();
  const unreachable: Object3D[] = [];
  const tracks: KeyframeTrack[] = [];
  for (const track of clip.tracks) {
    const { target, path } = track;
    let node = names.get(target);
    if (node === undefined) {
      node = trackNode(root, objects[target]);
      names.set(target, node);
      if (node === null) unreachable.push(objects[target]);
    }
    if (node !== null) tracks.push(writeTrack(`${node}.${PROPERTIES[path]}`, track));
  }
  return { clip: new AnimationClip(clip.name, Math.max(duration, clip.duration), tracks), unreachable };
}
