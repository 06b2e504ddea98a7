/** Penetration of limbs in the most obvious form: every vertex against every triangle, exact solid angles, no code shared with the measure in src. */
import type { Clip } from '../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { BONES } from '../../../src/core/humanoid/bones.ts';
import type { PlainBody } from './contact-figures.ts';
import { minus, plus, rotated, times, type Vector, worldPose } from './plain.ts';

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Solid angle as the spherical excess of the three directions (L'Huilier's theorem), with the sign of the winding. */
function solidAngle(a: Vector, b: Vector, c: Vector): number {
  const [u, v, w] = [a, b, c].map((side) => times(side, 1 / Math.sqrt(dot(side, side))));
  const arc = (p: Vector, q: Vector): number =>
    2 * Math.asin(Math.min(1, Math.sqrt(dot(minus(p, q), minus(p, q))) / 2));
  const [x, y, z] = [arc(v, w), arc(w, u), arc(u, v)];
  const half = (x + y + z) / 2;
  const product = [half, half - x, half - y, half - z].reduce((all, angle) => all * Math.tan(angle / 2), 1);
  const excess = 4 * Math.atan(Math.sqrt(Math.max(0, product)));
  return Math.sign(dot(u, cross(v, w))) * excess;
}

/** Returns the percentage of the vertices of hands and forearms that are inside trunk, head and thighs; all vertices move mainly with a bone. */
export function plainPenetration({ humanoid, skin }: PlainBody, clip: Clip, time: number): number {
  const local = Float64Array.from(humanoid.skeleton.rest);
  sampleClip(clip, time, local);
  const pose = worldPose(humanoid.skeleton.parents, local);
  const vertices = Array.from({ length: skin.starts.length - 1 }, (_, point) => {
    const influences = Array.from({ length: skin.starts[point + 1] - skin.starts[point] }, (_, k) => {
      const i = skin.starts[point] + k;
      return { node: skin.nodes[i], offset: Array.from(skin.offsets.subarray(4 * i, 4 * i + 4)) };
    });
    const main = influences.reduce((best, one) => (one.offset[3] > best.offset[3] ? one : best));
    const moved = influences.map(({ node, offset }) =>
      plus(rotated(pose.rotations[node], offset.slice(0, 3)), times(pose.positions[node], offset[3])),
    );
    const position = moved.reduce((sum, one) => plus(sum, one));
    const bone = humanoid.map.nodes.indexOf(main.node);
    return { position, name: bone < 0 ? '' : BONES[bone] };
  });
  const isBody = (point: number): boolean =>
    /^(hips|spine|chest|upperChest|neck|head|jaw|(left|right)(Eye|Shoulder|UpperLeg))$/.test(vertices[point].name);
  const faces: number[][] = [];
  for (let k = 0; k < skin.triangles.length; k += 3) {
    const corners = Array.from(skin.triangles.subarray(k, k + 3));
    if (corners.filter(isBody).length > 1) faces.push(corners);
  }
  const limbs = vertices.filter(({ name }) => /LowerArm|Hand|Thumb|Index|Middle|Ring|Little/.test(name));
  const inside = limbs.filter(({ position }) => {
    const angles = faces.map((corners) => {
      const [a, b, c] = corners.map((point) => minus(vertices[point].position, position));
      return solidAngle(a, b, c);
    });
    return Math.abs(angles.reduce((sum, angle) => sum + angle, 0)) > 2 * Math.PI;
  });
  return (100 * inside.length) / limbs.length;
}
