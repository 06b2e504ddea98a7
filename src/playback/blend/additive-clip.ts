/** Makes clips additive: differences from a reference pose, which are added to other motion. */
import { type Clip, PATH_WIDTH, type Track } from '../../core/animation/clip.ts';
import type { Floats } from '../../core/math/floats.ts';
import * as quat from '../../core/math/quat.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../core/skeleton/skeleton.ts';

/** Rotations become `reference⁻¹ · q`. That is linear in q, so tangents are mapped like values. */
function rotationDifferences(values: Floats, reference: Floats, at: number): Float64Array {
  const inverse = new Float64Array(4);
  quat.normalize(inverse, 0, reference, at);
  quat.conjugate(inverse, 0, inverse, 0);
  const out = new Float64Array(values.length);
  for (let i = 0; i < out.length; i += 4) quat.multiply(out, i, inverse, 0, values, i);
  return out;
}

/** Translations and scales become `value − reference`; tangents stay. */
function vectorDifferences({ values, interpolation }: Track, reference: Floats, at: number): Float64Array {
  const out = Float64Array.from(values);
  const isSpline = interpolation === 'CUBICSPLINE';
  for (let i = 0; i < out.length; i++) {
    const isTangent = isSpline && Math.floor(i / 3) % 3 !== 1;
    if (!isTangent) out[i] -= reference[at + (i % 3)];
  }
  return out;
}

/**
 * Makes a clip additive: its values become differences from a reference pose (10 floats per node, local space), `reference⁻¹ · q` for rotations and
 * `v − reference` for translations and scales, as in `AnimationUtils.makeClipAdditive` of three.js. Key times and interpolation stay. Throws a
 * RangeError if the clip animates a node that the pose does not have.
 */
export function createAdditiveClip(clip: Clip, reference: Floats): Clip {
  const tracks = clip.tracks.map((track) => {
    const at = POSE_STRIDE * track.target + PATH_OFFSET[track.path];
    if (!(track.target >= 0 && at + PATH_WIDTH[track.path] <= reference.length)) {
      throw new RangeError(
        `createAdditiveClip: a track animates node ${track.target}, but the reference pose has ${reference.length / POSE_STRIDE} nodes. ` +
          'Pass a pose of the skeleton that the clip animates.',
      );
    }
    const values =
      track.path === 'rotation'
        ? rotationDifferences(track.values, reference, at)
        : vectorDifferences(track, reference, at);
    return { ...track, values };
  });
  return { ...clip, tracks };
}
