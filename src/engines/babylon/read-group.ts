import type { Animation } from '@babylonjs/core/Animations/animation.js';
import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import { AnimationKeyInterpolation, type IAnimationKey } from '@babylonjs/core/Animations/animationKey.js';
import { Quaternion, type Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { type Clip, type Interpolation, lastKeyTime, type Track, type TrackPath } from '../../core/animation/clip.ts';
import { repairTrack } from '../../core/animation/repair-track.ts';
import type { Floats } from '../../core/math/floats.ts';
import type { Issue } from '../../core/report/issue.ts';
import { type IssueTally, tallyIssue } from '../../core/report/issue-tally.ts';
import { resampleCurve } from '../scene/resample-curve.ts';
import type { SceneMotion } from '../scene/retarget-motion.ts';
import { mirrorClipSpace } from './handedness.ts';
import type { BabylonScene } from './read-scene.ts';

const PATHS: Readonly<Record<string, TrackPath>> = {
  position: 'translation',
  rotation: 'rotation',
  rotationQuaternion: 'rotation',
  scaling: 'scale',
};

type Value = Vector3 | Quaternion;

/** Returns the interpolation of the keys; null when it is mixed, eased or on Euler angles, which requires resampling. */
function interpolationOf(animation: Animation, keys: readonly IAnimationKey[]): Interpolation | null {
  if (animation.targetProperty === 'rotation') return null;
  if (animation.getEasingFunction() || keys.some(({ easingFunction }) => easingFunction)) return null;
  const between = keys.slice(0, -1);
  if (between.every(({ interpolation }) => interpolation === AnimationKeyInterpolation.STEP)) return 'STEP';
  if (between.some(({ interpolation }) => interpolation === AnimationKeyInterpolation.STEP)) return null;
  const curved = between.map(({ outTangent }, k) => outTangent !== undefined && keys[k + 1].inTangent !== undefined);
  if (curved.every((is) => is)) return 'CUBICSPLINE';
  return curved.some((is) => is) ? null : 'LINEAR';
}

function numbersOf(value: Value | undefined, width: number, factor: number): number[] {
  if (value === undefined) return new Array(width).fill(0);
  const numbers = 'w' in value ? [value.x, value.y, value.z, value.w] : [value.x, value.y, value.z];
  return numbers.map((number) => number * factor);
}

const eulerRotation = new Quaternion();

/** Writes a value to `out` from index `o`, Euler angles as a quaternion. */
function writeValue(value: Value, isEuler: boolean, out: Floats, o: number): void {
  const numbers = isEuler ? Quaternion.RotationYawPitchRollToRef(value.y, value.x, value.z, eulerRotation) : value;
  const list = numbersOf(numbers, 0, 1);
  for (let c = 0; c < list.length; c++) out[o + c] = list[c];
}

/** Converts an animation to a track. Times are seconds from frame `first`. */
function readTrack(target: number, path: TrackPath, animation: Animation, first: number): Track {
  const keys = animation.getKeys();
  const fps = animation.framePerSecond;
  const times = Float64Array.from(keys, ({ frame }) => (frame - first) / fps);
  const interpolation = interpolationOf(animation, keys);
  const width = path === 'rotation' ? 4 : 3;
  const valuesOf = (key: IAnimationKey): number[] => numbersOf(key.value as Value, width, 1);
  if (interpolation === null) {
    const isEuler = animation.targetProperty === 'rotation';
    const values = Float64Array.from(keys.flatMap(valuesOf));
    return resampleCurve(target, path, times, values, (time, out, o) => {
      writeValue(animation.evaluate(time * fps + first) as Value, isEuler, out, o);
    });
  }
  const values = keys.flatMap((key) =>
    interpolation !== 'CUBICSPLINE'
      ? valuesOf(key)
      : [
          ...numbersOf(key.inTangent as Value | undefined, width, fps),
          ...valuesOf(key),
          ...numbersOf(key.outTangent as Value | undefined, width, fps),
        ],
  );
  return { target, path, interpolation, times, values: Float64Array.from(values) };
}

function hasValidKeys(animation: Animation, path: TrackPath): boolean {
  const isQuaternion = path === 'rotation' && animation.targetProperty === 'rotationQuaternion';
  const keys = animation.getKeys();
  return (
    keys.length > 0 &&
    keys.every(
      ({ value }) => typeof value === 'object' && value !== null && 'z' in value && 'w' in value === isQuaternion,
    )
  );
}

/**
 * Converts a group to a clip on nodes of a scene graph. Linear, stepped and cubic keys are kept; other curves (easing, Euler angles, mixed kinds)
 * are resampled with an error of at most 0.005° and 1e-5 of the largest value. The last of several animations of the same property is used. Throws
 * RangeError for an additive group.
 */
export function readGroup(group: AnimationGroup, scene: Pick<BabylonScene, 'indexOf' | 'mirrored'>): SceneMotion {
  if (group.isAdditive) {
    const name = JSON.stringify(group.name);
    throw new RangeError(
      `The group ${name} is additive and is not a motion by itself; retarget the original group, then make the result additive`,
    );
  }
  const first = Math.min(0, group.from);
  const tracks = new Map<string, Track>();
  const others: IssueTally = new Map();
  const issues: Issue[] = [];
  for (const { animation, target } of group.targetedAnimations) {
    const { targetProperty } = animation;
    const path = Object.hasOwn(PATHS, targetProperty) ? PATHS[targetProperty] : undefined;
    const node = scene.indexOf.get(target as TransformNode);
    if (path === undefined || node === undefined || !hasValidKeys(animation, path)) {
      const kind = path !== undefined && node === undefined ? 'nodes outside the skeleton' : targetProperty;
      tallyIssue(others, kind);
      continue;
    }
    const repaired = repairTrack(readTrack(node, path, animation, first));
    issues.push(...repaired.issues);
    if (repaired.track !== null) tracks.set(`${node} ${path}`, repaired.track);
  }
  const list = [...tracks.values()];
  const clip: Clip = { name: group.name, duration: lastKeyTime(list), tracks: list };
  return { clip: scene.mirrored ? mirrorClipSpace(clip) : clip, others, issues };
}
