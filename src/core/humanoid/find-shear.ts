/** Finds scales that are not uniform above joints: limbs that rotate below one are sheared, so they point beside their rotation. */
import * as mat4 from '../math/mat4.ts';
import { type Issue, issue } from '../report/issue.ts';
import { modelMatrices } from '../skeleton/pose.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';

/** Radians from which on a shear is reported: less is not seen. */
const LEAST_ANGLE = Math.PI / 180;

/** Largest angle, radians, between a vector and its image under the linear part of a matrix, rotations aside; 0 for a singular matrix. */
function shearAngle(matrices: Float64Array, m: number): number {
  const [x, y, z] = [0, 4, 8].map((column) => matrices.subarray(m + column, m + column + 3));
  const dot = (a: Float64Array, b: Float64Array): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const [xx, yy, zz, xy, xz, yz] = [dot(x, x), dot(y, y), dot(z, z), dot(x, y), dot(x, z), dot(y, z)];
  // Eigenvalues of the symmetric product of the matrix with itself: O. K. Smith, Communications of the ACM 4 (4), 1961.
  const mean = (xx + yy + zz) / 3;
  const [a, b, c] = [xx - mean, yy - mean, zz - mean];
  const spread = Math.sqrt((a * a + b * b + c * c + 2 * (xy * xy + xz * xz + yz * yz)) / 6);
  if (!(spread > 1e-12 * mean)) return 0;
  const determinant = a * (b * c - yz * yz) - xy * (xy * c - yz * xz) + xz * (xy * yz - b * xz);
  const phase = Math.acos(Math.max(-1, Math.min(1, determinant / (2 * spread ** 3)))) / 3;
  const most = mean + 2 * spread * Math.cos(phase);
  const least = mean + 2 * spread * Math.cos(phase + (2 * Math.PI) / 3);
  if (!(least > 1e-12 * most)) return 0;
  const ratio = Math.sqrt(most / least);
  return Math.asin((ratio - 1) / (ratio + 1));
}

/** Reports scales that are not uniform above bones, where they turn directions visibly. */
export function findShear({ parents, rest, names }: Skeleton, nodes: Int32Array): Issue[] {
  const matrices = modelMatrices(parents, rest);
  let worst = LEAST_ANGLE;
  let below = -1;
  for (const node of nodes) {
    const parent = node < 0 ? -1 : parents[node];
    const angle = parent < 0 ? 0 : shearAngle(matrices, MATRIX_STRIDE * parent);
    if (angle <= worst) continue;
    worst = angle;
    below = parent;
  }
  if (below < 0) return [];
  const local = new Float64Array(MATRIX_STRIDE);
  let scaled = below;
  let most = 0;
  for (let node = below; node >= 0; node = parents[node]) {
    mat4.compose(local, 0, rest, POSE_STRIDE * node);
    const angle = shearAngle(local, 0);
    if (angle <= most) continue;
    most = angle;
    scaled = node;
  }
  const at = POSE_STRIDE * scaled + PATH_OFFSET.scale;
  const scale = Array.from(rest.subarray(at, at + 3), (value) => Number(value.toPrecision(4))).join(', ');
  const degrees = ((worst * 180) / Math.PI).toFixed(1);
  return [
    issue(
      'NON_UNIFORM_SCALE',
      `Node "${names[scaled]}" above bones has the scale ${scale}; expected the same on all axes. What rotates below it is sheared: limbs point up to ` +
        `about ${degrees}° beside the motion, and change their lengths. Apply the scale in the program that made the file.`,
    ),
  ];
}
