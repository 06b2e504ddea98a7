import { type Group, Matrix4, type Object3D, Vector3 } from 'three';
import type { Extent } from '../layout.ts';
import type { HullPart } from './hull.ts';
import type { PosePlayer } from './pose-player.ts';

/** Moments of a clip that are looked at: so many per second, within limits. */
const PER_SECOND = 6;
const LEAST = 8;
const MOST = 60;

/** Boxes around a figure, space of its group. */
export interface Sweep {
  /** Around all of the clip. */
  readonly whole: Extent;
  /** Around the clip with the center held over the spot where it starts. */
  readonly around: Extent;
  /** Greatest width at one moment: figures that move in step need no more beside each other. */
  readonly width: number;
  /** Center at the start of the clip. */
  readonly start: Vector3;
  /** Way of the center over the ground: diagonal of its box. */
  readonly travel: number;
}

interface Growing {
  readonly min: [number, number, number];
  readonly max: [number, number, number];
}

function nothing(): Growing {
  const far = Number.POSITIVE_INFINITY;
  return { min: [far, far, far], max: [-far, -far, -far] };
}

function grow({ min, max }: Growing, x: number, y: number, z: number): void {
  for (const [c, value] of [x, y, z].entries()) {
    min[c] = Math.min(min[c], value);
    max[c] = Math.max(max[c], value);
  }
}

const point = new Vector3();
const middle = new Vector3();
const toGroup = new Matrix4();
const matrix = new Matrix4();

/** A figure whose clip is swept. */
interface Swept {
  readonly player: PosePlayer;
  readonly group: Group;
  /** Points that move: of its surface, or its joints. */
  readonly hull: readonly HullPart[];
  readonly center: Object3D | undefined;
}

/** Calls `visit` with the points of the present pose and their center, space of the group. */
function visitPoints({ group, hull, center }: Swept, visit: (at: Vector3, middle: Vector3) => void): void {
  group.updateMatrixWorld(true);
  toGroup.copy(group.matrixWorld).invert();
  if (center === undefined) middle.set(0, 0, 0);
  else middle.setFromMatrixPosition(center.matrixWorld).applyMatrix4(toGroup);
  for (const { object, points } of hull) {
    matrix.multiplyMatrices(toGroup, object.matrixWorld);
    for (const one of points) visit(point.copy(one).applyMatrix4(matrix), middle);
  }
}

/**
 * Measures the clip of a figure. Leaves the figure in the last pose of its clip. `rest`: box around the figure in its rest pose: how far it reaches
 * beyond its points there.
 */
export function sweep(swept: Swept, rest: Extent): Sweep {
  const { player } = swept;
  const skeleton = nothing();
  player.rest();
  visitPoints(swept, ({ x, y, z }) => grow(skeleton, x, y, z));
  const height = Math.max(rest.max[1] - rest.min[1], 1e-3);
  const beyond = (value: number): number => Math.min(Math.max(value, 0.02 * height), 0.25 * height);
  const top = beyond(rest.max[1] - skeleton.max[1]);
  const side = beyond(Math.min(rest.max[0] - skeleton.max[0], skeleton.min[0] - rest.min[0]));
  const [whole, around, way] = [nothing(), nothing(), nothing()];
  const { duration } = player;
  const count = Math.min(Math.max(Math.ceil(duration * PER_SECOND), LEAST), MOST);
  const start = new Vector3();
  let width = 0;
  for (let k = 0; k <= count; k++) {
    player.show((duration * k) / count);
    let isFirst = k === 0;
    let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    visitPoints(swept, ({ x, y, z }, at) => {
      if (isFirst) start.copy(at);
      isFirst = false;
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      grow(way, at.x, 0, at.z);
      grow(whole, x, y, z);
      grow(around, x - at.x + start.x, y, z - at.z + start.z);
    });
    width = Math.max(width, right - left + 2 * side);
  }
  const padded = ({ min, max }: Growing): Extent => ({
    min: [min[0] - side, Math.min(min[1] - 0.02 * height, 0), min[2] - side],
    max: [max[0] + side, max[1] + top, max[2] + side],
  });
  return {
    whole: padded(whole),
    around: padded(around),
    width,
    start,
    travel: Math.hypot(way.max[0] - way.min[0], way.max[2] - way.min[2]),
  };
}
