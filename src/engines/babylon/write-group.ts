import { Animation } from '@babylonjs/core/Animations/animation.js';
import { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import { AnimationKeyInterpolation, type IAnimationKey } from '@babylonjs/core/Animations/animationKey.js';
import { Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { Scene } from '@babylonjs/core/scene.js';
import type { Clip, Track } from '../../core/animation/clip.ts';

const PROPERTIES = { translation: 'position', rotation: 'rotationQuaternion', scale: 'scaling' } as const;

export interface GroupRange {
  readonly fps: number;
  readonly from: number;
  readonly to: number;
}

function writeKeys({ path, interpolation, times, values }: Track, { fps, from }: GroupRange): IAnimationKey[] {
  const make = (at: number, factor: number): Vector3 | Quaternion =>
    path === 'rotation'
      ? Quaternion.FromArray(values, at).scaleInPlace(factor)
      : Vector3.FromArray(values, at).scaleInPlace(factor);
  const width = path === 'rotation' ? 4 : 3;
  const first = Math.min(0, from);
  return Array.from(times, (time, key): IAnimationKey => {
    const frame = first + time * fps;
    if (interpolation !== 'CUBICSPLINE') {
      const value = make(width * key, 1);
      return interpolation === 'STEP'
        ? { frame, value, interpolation: AnimationKeyInterpolation.STEP }
        : { frame, value };
    }
    const at = 3 * width * key;
    // Tangents are per frame in Babylon.js and per second in the core.
    return {
      frame,
      inTangent: make(at, 1 / fps),
      value: make(at + width, 1),
      outTangent: make(at + 2 * width, 1 / fps),
    };
  });
}

/** Extends the first and the last value to the ends of the group. Babylon.js would extrapolate along the tangent of a cubic key. */
function holdEnds(keys: IAnimationKey[], { from, to }: GroupRange): void {
  const [first] = keys;
  const last = keys[keys.length - 1];
  if (first.frame > from)
    keys.unshift({ frame: from, value: first.value, interpolation: AnimationKeyInterpolation.STEP });
  if (last.frame < to) {
    last.interpolation = AnimationKeyInterpolation.STEP;
    keys.push({ frame: to, value: last.value });
  }
}

/** Converts a clip to a group, with one animation per track over the whole range. */
export function writeGroup(
  clip: Clip,
  nodes: readonly TransformNode[],
  scene: Scene,
  range: GroupRange,
): AnimationGroup {
  const { fps } = range;
  const group = new AnimationGroup(clip.name, scene);
  for (const track of clip.tracks) {
    const node = nodes[track.target];
    const property = PROPERTIES[track.path];
    const type = track.path === 'rotation' ? Animation.ANIMATIONTYPE_QUATERNION : Animation.ANIMATIONTYPE_VECTOR3;
    // Nodes with Euler angles have no quaternion to animate.
    if (track.path === 'rotation') node.rotationQuaternion ??= node.rotation.toQuaternion();
    const animation = new Animation(`${node.name}.${property}`, property, fps, type);
    const keys = writeKeys(track, range);
    holdEnds(keys, range);
    animation.setKeys(keys, true);
    group.addTargetedAnimation(animation, node);
  }
  return group;
}
