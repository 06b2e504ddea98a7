/**
 * Finds clothes: pieces of mesh that lie over other pieces. Capes, skirts, coats, plates, hair and helmets are what arms may touch; the body is the innermost
 * layer that faces outward.
 */
import type { SkinPoints } from '../../deform/skin-points.ts';
import { BONE, BONES, type BoneName, SIDES } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import { isArmBone, isFootBone } from './surface-bones.ts';

/** Rays around an axis. */
const COLUMNS = 24;
/** Positions on an axis from which rays start. */
const ROWS = 32;
/** Part of the rays through a piece that go through the body before, from which on it is cloth. Skirts are hit without a leg before them between the legs. */
const COVERED = 0.5;
/** Least distance of the body from the axis, relative to that of the cloth over it: what is closer is inside of the body, such as teeth, eyes and rods of robots. */
const INNER = 0.3;
/** Layers that face outward, relative to those that face inward, below which a piece is turned over: a thick cape has as many of both. */
const TURNED = 0.25;
/** Distance up to which points are one corner of a mesh, relative to the height: exporters split corners at seams. */
const SEAM = 1e-4;
/** Positions are numbered up to this, in multiples of {@link SEAM}: ten heights on each side. */
const FURTHEST = 10 / SEAM;

/** Numbers the connected pieces of a mesh, by the first of their points: points that share a triangle or a position. */
function findPieces({ triangles }: SkinPoints, positions: Float64Array, height: number): Int32Array {
  const above = Int32Array.from({ length: positions.length / 3 }, (_, point) => point);
  const rootOf = (point: number): number => {
    let root = point;
    while (above[root] !== root) {
      above[root] = above[above[root]];
      root = above[root];
    }
    return root;
  };
  const join = (a: number, b: number): void => {
    const [first, second] = [rootOf(a), rootOf(b)];
    above[Math.max(first, second)] = Math.min(first, second);
  };
  const atPosition = new Map<number, number>();
  for (let point = 0; point < above.length; point++) {
    let key = 0;
    for (let c = 3 * point; c < 3 * point + 3; c++) {
      key = 2 * FURTHEST * key + Math.round(positions[c] / (SEAM * height)) + FURTHEST;
    }
    const known = atPosition.get(key);
    if (known === undefined) atPosition.set(key, point);
    else join(point, known);
  }
  for (let k = 0; k < triangles.length; k += 3) {
    join(triangles[k], triangles[k + 1]);
    join(triangles[k], triangles[k + 2]);
  }
  return above.map((_, point) => rootOf(point));
}

/** A line through the joints of a part of the body in the T-pose. */
interface Axis {
  /** Coordinate that it follows: x for arms, y for trunk, head and legs. */
  readonly along: 0 | 1;
  /** Joints by their position along it: xyz. */
  readonly joints: readonly Float64Array[];
  /** Its part that rays start from. */
  readonly from: number;
  readonly to: number;
  /** Tells whether the part has the surface of a bone. */
  readonly has: (bone: number) => boolean;
}

/** Lists the axes of a body: one from the floor through the trunk to the crown, one through each arm. */
function bodyAxes({ map, reference: { positions }, ground, height }: Humanoid): Axis[] {
  const jointsOf = (along: Axis['along'], names: readonly BoneName[]): Float64Array[] =>
    names
      .filter((name) => map.nodes[BONE[name]] >= 0)
      .map((name) => positions.slice(3 * BONE[name], 3 * BONE[name] + 3))
      .sort((a, b) => a[along] - b[along]);
  const trunk = jointsOf(1, ['hips', 'spine', 'chest', 'upperChest', 'neck', 'head']);
  const arms = SIDES.flatMap((side): Axis[] => {
    const joints = jointsOf(0, [`${side}UpperArm`, `${side}LowerArm`, `${side}Hand`]);
    // Fingers lie beside each other.
    const has = (bone: number): boolean => /(?:Arm|Hand)$/.test(BONES[bone]) && BONES[bone].startsWith(side);
    return joints.length < 2 ? [] : [{ along: 0, joints, from: joints[0][0], to: joints[joints.length - 1][0], has }];
  });
  return [{ along: 1, joints: trunk, from: ground, to: ground + height, has: (bone) => !isArmBone(bone) }, ...arms];
}

/** Returns the position of an axis: before the first joint and after the last one it goes straight on. */
function axisAt({ along, joints }: Axis, level: number): Float64Array {
  const after = joints.findIndex((joint) => joint[along] >= level);
  if (after <= 0) return joints[after < 0 ? joints.length - 1 : 0];
  const [a, b] = [joints[after - 1], joints[after]];
  const t = (level - a[along]) / (b[along] - a[along]);
  return a.map((value, c) => value + t * (b[c] - value));
}

/** A layer of mesh that a ray goes through. */
interface Layer {
  /** Distance from the axis, meters. */
  readonly distance: number;
  readonly piece: number;
  readonly isOutward: boolean;
}

/** Casts rays around an axis, perpendicular to it, through all triangles of its part of the body. */
function castAround(
  axis: Axis,
  triangles: Int32Array,
  positions: Float64Array,
  bones: Int16Array,
  pieces: Int32Array,
): Layer[][] {
  const { along, has, from, to } = axis;
  // Two coordinates across the axis, so that along, u and v are a right-handed system.
  const [u, v] = [(along + 1) % 3, (along + 2) % 3];
  const isOfPart = (point: number): boolean => bones[point] >= 0 && has(bones[point]);
  const chosen: number[] = [];
  for (let k = 0; k < triangles.length; k += 3) {
    if (!isOfPart(triangles[k]) || !isOfPart(triangles[k + 1]) || !isOfPart(triangles[k + 2])) continue;
    chosen.push(k);
  }
  const step = (to - from) / ROWS;
  const centers = Array.from({ length: ROWS }, (_, row) => axisAt(axis, from + (row + 0.5) * step));
  const rays = Array.from({ length: ROWS * COLUMNS }, (): Layer[] => []);
  /** The two points at which a row cuts a triangle. */
  const cut = new Float64Array(4);
  for (const k of chosen) {
    const corners = [3 * triangles[k], 3 * triangles[k + 1], 3 * triangles[k + 2]];
    const [a, b, c] = corners;
    const lowest = Math.min(positions[a + along], positions[b + along], positions[c + along]);
    const highest = Math.max(positions[a + along], positions[b + along], positions[c + along]);
    const first = Math.max(0, Math.ceil((lowest - from) / step - 0.5));
    const last = Math.min(ROWS - 1, Math.floor((highest - from) / step - 0.5));
    for (let row = first; row <= last; row++) {
      const level = from + (row + 0.5) * step;
      const center = centers[row];
      let ends = 0;
      for (let n = 0; n < 3 && ends < 4; n++) {
        const [p, q] = [corners[n], corners[(n + 1) % 3]];
        const [before, after] = [positions[p + along] - level, positions[q + along] - level];
        if (before >= 0 === after >= 0) continue;
        const t = before / (before - after);
        // The edge that goes down comes first: then what faces outward lies counterclockwise.
        const end = before >= 0 ? 0 : 2;
        cut[end] = positions[p + u] + t * (positions[q + u] - positions[p + u]) - center[u];
        cut[end + 1] = positions[p + v] + t * (positions[q + v] - positions[p + v]) - center[v];
        ends += 2;
      }
      if (ends === 4) addLayers(rays, COLUMNS * row, cut, pieces[triangles[k]]);
    }
  }
  return rays;
}

/** Selects the layers of each ray that face outward, nearest first; of pieces that face inward as good as everywhere, whose triangles are turned over, all. */
function outwardLayers(rays: readonly (readonly Layer[])[]): Layer[][] {
  const outward = new Map<number, number>();
  for (const { piece, isOutward } of rays.flat())
    outward.set(piece, (outward.get(piece) ?? 0) + (isOutward ? 1 : -TURNED));
  const faces = ({ piece, isOutward }: Layer): boolean => isOutward || (outward.get(piece) ?? 0) < 0;
  return rays.map((ray) => ray.filter(faces).sort((a, b) => a.distance - b.distance));
}

/** Adds a piece to the rays of a row that cross the line from one point to the other: those between their directions. */
function addLayers(rays: Layer[][], row: number, [ax, ay, bx, by]: Float64Array, piece: number): void {
  const across = ax * by - ay * bx;
  if (across === 0) return;
  // Seen from the axis the line goes clockwise where the triangle faces inward.
  const isOutward = across > 0;
  const start = (Math.atan2(isOutward ? ay : by, isOutward ? ax : bx) / (2 * Math.PI)) * COLUMNS;
  const sweep = (Math.atan2(Math.abs(across), ax * bx + ay * by) / (2 * Math.PI)) * COLUMNS;
  for (let column = Math.ceil(start); column <= start + sweep; column++) {
    const angle = (2 * Math.PI * column) / COLUMNS;
    const distance = across / (Math.cos(angle) * (by - ay) - Math.sin(angle) * (bx - ax));
    rays[row + ((column + COLUMNS) % COLUMNS)].push({ distance, piece, isOutward });
  }
}

/** Finds the pieces that are cloth: again and again that which is covered most, until none lies over what is left. */
function findCloth(rays: readonly (readonly Layer[])[]): Set<number> {
  const cloth = new Set<number>();
  for (;;) {
    const counts = new Map<number, { all: number; covered: number }>();
    for (const ray of rays) {
      const left = ray.filter(({ piece }) => !cloth.has(piece));
      for (const [n, { distance, piece }] of left.entries()) {
        const count = counts.get(piece) ?? { all: 0, covered: 0 };
        count.all++;
        const isBelow = (layer: Layer): boolean => layer.piece !== piece && layer.distance >= INNER * distance;
        if (left.slice(0, n).some(isBelow)) count.covered++;
        counts.set(piece, count);
      }
    }
    let [most, found] = [COVERED, -1];
    for (const [piece, { all, covered }] of counts) if (covered > most * all) [most, found] = [covered / all, piece];
    if (found < 0) return cloth;
    cloth.add(found);
  }
}

/**
 * Leaves out clothes: pieces of mesh most of which lie over the body, as seen from its axes. Shoes are soles, and stay.
 *
 * @param bones Bone whose surface every point forms, −1 for none.
 * @param positions Position of every point in the reference pose, canonical frame: xyz.
 * @returns The bones without those of clothes.
 */
export function leaveOutCloth(
  humanoid: Humanoid,
  skin: SkinPoints,
  bones: Int16Array,
  positions: Float64Array,
): Int16Array {
  const pieces = findPieces(skin, positions, humanoid.height);
  const out = bones.slice();
  // A jacket lies over the arms, and is the trunk where there is no body under it.
  for (const axis of bodyAxes(humanoid)) {
    const cloth = findCloth(outwardLayers(castAround(axis, skin.triangles, positions, bones, pieces)));
    for (let point = 0; point < bones.length; point++) {
      const bone = bones[point];
      if (bone >= 0 && axis.has(bone) && !isFootBone(bone) && cloth.has(pieces[point])) out[point] = -1;
    }
  }
  return out;
}
