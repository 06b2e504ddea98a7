/**
 * Finds which part of the meshes is cloth: capes, skirts, coats, plates, hair and helmets. The body is the innermost layer of mesh around a bone that faces outward;
 * cloth lies over it, and arms may touch it. Pieces of mesh are cloth as a whole; in one piece with the body, cloth is what stands off the rest of the piece.
 * What is inside a solid, as joints are inside the shells of a robot, is not below cloth: the shell is the body.
 */

import type { SkinPoints } from '../../deform/skin-points.ts';
import { BONE, BONES, type BoneName, SIDES } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import * as vec3 from '../../math/vec3.ts';
import { isArmBone, isFootBone } from './surface-bones.ts';

const RAYS = 24;
/** Positions on an axis from which rays start. */
const LEVELS = 24;
const AXIS_RAYS = RAYS * LEVELS;
/** Part of the layers of a piece around an axis that lie over other pieces, from which on it is cloth. */
const COVERED = 0.5;
/** Least distance of the body from the axis, relative to that of the cloth over it: what is closer is inside of the body, such as teeth, eyes and rods of robots. */
const INNER = 0.3;
/**
 * Distance from the axis, relative to the height, from which on all below the neck is body, however wide the cloth over it: wide skirts are four times as far from the legs as these are
 * thick. Rods of robots are thinner. With these, skirts and capes 1.6 times as wide as those of test/contacts/clothes.ts are found on slim characters; lower ones of the trunk take more
 * shells of a robot (BrainStem) for cloth.
 */
const THICK = { trunk: 0.04, leg: 0.03 };
/** Layers that face outward, relative to those that face inward, below which a piece is turned over: a thick cape has as many of both. */
const TURNED = 0.25;
/** Distance up to which points are one corner of a mesh, relative to the height: exporters split corners at seams. */
const SEAM = 1e-4;
/** Distance of a layer from the layer below it in the same piece, relative to its own from the axis, up to which it is tight: body, such as folds and boots. */
const TIGHT = 0.1;
/** Difference between the distances of layers from the axis, relative to the larger one, up to which one continues the other on the next ray. */
const CONTINUED = 0.3;
/** Number of layers with air below from which on a sheet of them is cloth, not a fold. */
const LEAST = 10;
/**
 * Number of layers of the body that a sheet of cloth hangs on, relative to that of its layers with air below (those over other pieces count half), up to which it is cloth: up to
 * 0.3 for capes, skirts, coats and plates of test/contacts/clothes.ts on 18 characters; from 0.38 on for what stands off without them: the armor of a knight, heads over necks.
 */
const SEAMS = 0.3;

/** The connected pieces of a mesh: triangles that go on into each other over their edges. */
interface Pieces {
  /** First triangle of the piece of every triangle; −1 for triangles without area, and for those away from the axes. */
  readonly ofTriangles: Int32Array;
  /** By first triangle: 0 for a closed surface, each edge of which has two triangles, or goes on past a sheet that is sewn to it. */
  readonly borders: Uint8Array;
}

/** The edges of triangles. One is numbered by the corner of the triangles at which it starts; the next one of the same two ends follows, or −1. */
interface Edges {
  /** First edge with two ends, of those that are one. */
  readonly firsts: Int32Array;
  readonly nexts: Int32Array;
}

/** Number of the end of an edge. */
const edgeEnd = (edge: number): number => (edge % 3 === 2 ? edge - 2 : edge + 1);
/** Number of the corner of its triangle beside an edge. */
const besideEdge = (edge: number): number => (edge % 3 === 0 ? edge + 2 : edge - 1);

/** Creates a hash table for a number of things, at most half of which they fill: its length is a power of 2. */
function createTable(count: number): Int32Array {
  let size = 4;
  while (size < 2 * count) size *= 2;
  return new Int32Array(size).fill(-1);
}

/** Spreads whole numbers over all numbers of 32 bits. */
function hash(x: number, y: number, z: number): number {
  const spread = Math.imul(Math.imul(Math.imul(x, 0x9e3779b1) + y, 0x85ebca6b) + z, 0xc2b2ae35);
  return spread ^ (spread >>> 15);
}

/**
 * Numbers the corners of a mesh: points at one position, up to {@link SEAM}, are the same corner. The number is that of the first of them that was asked for.
 * Points in one cell of a grid are one corner, and so are those close to the first one of a cell beside theirs: rounding puts some across its border.
 */
function createCorners(positions: Float64Array, height: number): (point: number) => number {
  const size = SEAM * height;
  const table = createTable(positions.length / 3);
  const mask = table.length - 1;
  const corners = new Int32Array(positions.length / 3).fill(-1);
  /** Cell of every point: xyz. */
  const cells = new Int32Array(positions.length);
  for (let at = 0; at < cells.length; at++) cells[at] = Math.round(positions[at] / size) | 0;
  /** Finds the slot of the first point of a cell, or the empty one for it. */
  const slotOf = (x: number, y: number, z: number): number => {
    let slot = hash(x, y, z) & mask;
    let first = table[slot];
    while (first >= 0 && (cells[3 * first] !== x || cells[3 * first + 1] !== y || cells[3 * first + 2] !== z)) {
      slot = (slot + 1) & mask;
      first = table[slot];
    }
    return slot;
  };
  /** Step to the cell beside the one of a number that is next to it. */
  const aside = (at: number): number => (positions[at] / size > Math.round(positions[at] / size) ? 1 : -1);
  const beside = (point: number, x: number, y: number, z: number): number => {
    const [sx, sy, sz] = [aside(3 * point), aside(3 * point + 1), aside(3 * point + 2)];
    for (let k = 1; k < 8; k++) {
      const other = table[slotOf(x + (k & 1 ? sx : 0), y + (k & 2 ? sy : 0), z + (k & 4 ? sz : 0))];
      if (other >= 0 && vec3.distance(positions, 3 * point, positions, 3 * other) < size / 2) return corners[other];
    }
    return point;
  };
  return (point) => {
    if (corners[point] >= 0) return corners[point];
    const x = cells[3 * point];
    const y = cells[3 * point + 1];
    const z = cells[3 * point + 2];
    const slot = slotOf(x, y, z);
    if (table[slot] >= 0) corners[point] = corners[table[slot]];
    else {
      corners[point] = beside(point, x, y, z);
      table[slot] = point;
    }
    return corners[point];
  };
}

/** Lists the corners of the triangles that have an area and lie around an axis; −1 for those of other triangles. */
function cornersAround(triangles: Int32Array, cornerOf: (point: number) => number, axisOf: Int8Array): Int32Array {
  const ring = new Int32Array(triangles.length).fill(-1);
  for (let first = 0; first < ring.length; first += 3) {
    const p = triangles[first];
    const q = triangles[first + 1];
    const r = triangles[first + 2];
    if (axisOf[p] < 0 && axisOf[q] < 0 && axisOf[r] < 0) continue;
    const a = cornerOf(p);
    const b = cornerOf(q);
    const c = cornerOf(r);
    if (a === b || b === c || c === a) continue;
    ring[first] = a;
    ring[first + 1] = b;
    ring[first + 2] = c;
  }
  return ring;
}

function findEdges(ring: Int32Array): Edges {
  /** First edge of two ends; −1 for an empty slot. */
  const table = createTable(ring.length);
  const mask = table.length - 1;
  const firsts = new Int32Array(ring.length);
  const nexts = new Int32Array(ring.length).fill(-1);
  let count = 0;
  for (let edge = 0; edge < ring.length; edge++) {
    const a = ring[edge];
    if (a < 0) continue;
    const b = ring[edgeEnd(edge)];
    let slot = hash(Math.min(a, b), Math.max(a, b), 0) & mask;
    let first = table[slot];
    while (first >= 0) {
      const p = ring[first];
      const q = ring[edgeEnd(first)];
      if ((p === a && q === b) || (p === b && q === a)) break;
      slot = (slot + 1) & mask;
      first = table[slot];
    }
    if (first < 0) {
      table[slot] = edge;
      firsts[count++] = edge;
    } else {
      nexts[edge] = nexts[first];
      nexts[first] = edge;
    }
  }
  return { firsts: firsts.subarray(0, count), nexts };
}

const edgeVectors = new Float64Array(9);

/** Cosine of the angle between the triangles of two edges with the same ends: −1 where they are flat, 1 where one is folded onto the other. */
function bendBetween(triangles: Int32Array, positions: Float64Array, a: number, b: number): number {
  const from = 3 * triangles[a];
  const beside = [edgeEnd(a), besideEdge(a), besideEdge(b)];
  for (let n = 0; n < 3; n++) vec3.subtract(edgeVectors, 3 * n, positions, 3 * triangles[beside[n]], positions, from);
  const square = vec3.dot(edgeVectors, 0, edgeVectors, 0);
  for (const side of [3, 6]) {
    const along = vec3.dot(edgeVectors, side, edgeVectors, 0) / square;
    vec3.addScaled(edgeVectors, side, edgeVectors, side, edgeVectors, 0, -along);
  }
  return vec3.dot(edgeVectors, 3, edgeVectors, 6) / (vec3.length(edgeVectors, 3) * vec3.length(edgeVectors, 6));
}

/** Most triangles that are compared at one edge: where more meet, nothing is sewn on, and all end. Up to 8 meet in the characters of `ANYRIG_ASSETS`. */
const MOST_MEETING = 16;

/** An edge at which more than two triangles meet: the edge of each, the two first that bend least. */
type SharedEdge = readonly number[];

/** Sorts the edges of triangles that meet: those of the two that bend least come first. */
function sortByBend(edges: readonly number[], triangles: Int32Array, positions: Float64Array): SharedEdge {
  let [least, a, b] = [Number.POSITIVE_INFINITY, edges[0], edges[1]];
  for (const p of edges) {
    for (const q of edges) {
      const bend = p < q ? bendBetween(triangles, positions, p, q) : 1;
      if (bend < least) [least, a, b] = [bend, p, q];
    }
  }
  return [a, b, ...edges.filter((edge) => edge !== a && edge !== b)];
}

/**
 * Finds the pairs of pieces without a hem that go on into each other at most of the edges that they share: there their triangles bend least.
 * `limit`: above the numbers of all pieces. `hems`: pieces with edges of one triangle. Returns a number per pair: `limit` times one piece plus the
 * other.
 */
function continuingPieces(
  shared: readonly SharedEdge[],
  pieceOf: (edge: number) => number,
  limit: number,
  hems: ReadonlySet<number>,
): number[] {
  const counts = new Map<number, number>();
  for (const [a, b, ...others] of shared) {
    const pieces = new Set([a, b, ...others].map(pieceOf).filter((piece) => !hems.has(piece)));
    for (const p of pieces) {
      for (const q of pieces) {
        if (p >= q) continue;
        const isLeast = Math.min(pieceOf(a), pieceOf(b)) === p && Math.max(pieceOf(a), pieceOf(b)) === q;
        counts.set(limit * p + q, (counts.get(limit * p + q) ?? 0) + (isLeast ? 1 : -1));
      }
    }
  }
  return [...counts].filter(([, count]) => count > 0).map(([pair]) => pair);
}

/** Follows links from one on to the last, which leads to itself, and shortens them on the way. */
function endOf(links: Int32Array, start: number): number {
  let end = start;
  while (links[end] !== end) end = links[end] = links[links[end]];
  return end;
}

/** Joins the pieces of two edges. */
function joinEdges(above: Int32Array, a: number, b: number): void {
  const p = endOf(above, Math.floor(a / 3));
  const q = endOf(above, Math.floor(b / 3));
  above[Math.max(p, q)] = Math.min(p, q);
}

/** Joins the pieces of the triangles at edges that have two; returns the other edges. */
function joinPairs({ firsts, nexts }: Edges, ring: Int32Array, above: Int32Array): number[] {
  const others: number[] = [];
  for (let n = 0; n < firsts.length; n++) {
    const first = firsts[n];
    const second = nexts[first];
    const isPair = second >= 0 && nexts[second] < 0 && ring[besideEdge(first)] !== ring[besideEdge(second)];
    if (isPair) joinEdges(above, first, second);
    else others.push(first);
  }
  return others;
}

/**
 * Finds the pieces of a mesh around the axes. Triangles with the same corners, such as the back of a sheet, are one. Where still more than two meet at an edge, a sheet is sewn to the
 * body: the body bends least at most of these edges and goes on, the sheet ends. Where the mesh goes on away from the axes, as to the fingers, is no border.
 */
function findPieces(triangles: Int32Array, ring: Int32Array, positions: Float64Array, axisOf: Int8Array): Pieces {
  const edges = findEdges(ring);
  const { nexts } = edges;
  const above = new Int32Array(triangles.length / 3);
  for (let triangle = 0; triangle < above.length; triangle++) above[triangle] = triangle;
  const pieceOfEdge = (edge: number): number => endOf(above, Math.floor(edge / 3));
  const open: number[] = [];
  const shared: SharedEdge[] = [];
  for (const first of joinPairs(edges, ring, above)) {
    if (nexts[first] < 0) {
      if (axisOf[triangles[first]] >= 0 || axisOf[triangles[edgeEnd(first)]] >= 0) open.push(first);
      continue;
    }
    const distinct = [first];
    for (let edge = nexts[first]; edge >= 0 && distinct.length <= MOST_MEETING; edge = nexts[edge]) {
      const same = distinct.find((other) => ring[besideEdge(other)] === ring[besideEdge(edge)]);
      if (same === undefined) distinct.push(edge);
      else joinEdges(above, edge, same);
    }
    if (distinct.length > MOST_MEETING) for (let edge = first; edge >= 0; edge = nexts[edge]) open.push(edge);
    else if (distinct.length === 1) open.push(first);
    else if (distinct.length === 2) joinEdges(above, first, distinct[1]);
    else shared.push(sortByBend(distinct, triangles, positions));
  }
  const limit = above.length;
  for (const pair of continuingPieces(shared, pieceOfEdge, limit, new Set(open.map(pieceOfEdge)))) {
    joinEdges(above, 3 * Math.floor(pair / limit), 3 * (pair % limit));
  }
  for (let triangle = 0; triangle < above.length; triangle++) {
    above[triangle] = ring[3 * triangle] < 0 ? -1 : endOf(above, triangle);
  }
  /** Edges that open a piece, less those at which it goes on. */
  const opening = new Int32Array(above.length);
  for (const edges of shared)
    for (const [n, edge] of edges.entries()) opening[above[Math.floor(edge / 3)]] += n < 2 ? -1 : 1;
  const borders = new Uint8Array(above.length);
  for (const edge of shared.flat())
    borders[above[Math.floor(edge / 3)]] = opening[above[Math.floor(edge / 3)]] > 0 ? 1 : 0;
  for (const edge of open) borders[above[Math.floor(edge / 3)]] = 1;
  return { ofTriangles: above, borders };
}

/** A line through the joints of a part of the body in the T-pose, from which rays start. */
interface Axis {
  /** Coordinate that it follows: x for arms, y for trunk, head and legs. */
  readonly along: 0 | 1;
  readonly from: number;
  /** Distance between levels; 0 without the part. */
  readonly step: number;
  /** Positions of the line at the levels: xyz. */
  readonly centers: Float64Array;
  /** Axis of the same part on the other side, or itself. */
  readonly mirror: number;
}

/** Order of the axes. */
const [TRUNK, LEFT_LEG, LEFT_ARM] = [0, 1, 3];
const AXES = 5;

/** Creates an axis through joints: before the first and after the last one it goes straight on. */
function createAxis(along: 0 | 1, joints: readonly Float64Array[], from: number, to: number, mirror: number): Axis {
  const step = joints.length > 0 ? Math.max(0, to - from) / LEVELS : 0;
  const centers = new Float64Array(3 * LEVELS);
  for (let level = 0; level < LEVELS && step > 0; level++) {
    const at = from + (level + 0.5) * step;
    const after = joints.findIndex((joint) => joint[along] >= at);
    const [a, b] = [
      joints[Math.max(0, after < 0 ? joints.length - 1 : after - 1)],
      joints[after < 0 ? joints.length - 1 : after],
    ];
    const t = a === b ? 0 : (at - a[along]) / (b[along] - a[along]);
    for (let c = 0; c < 3; c++) centers[3 * level + c] = a[c] + t * (b[c] - a[c]);
    centers[3 * level + along] = at;
  }
  return { along, from, step, centers, mirror };
}

/** Axis of the points of each bone, but for those of the legs; −1 for fingers, which lie beside each other. */
const AXIS_OF_BONE = BONES.map((name, bone) => {
  if (!isArmBone(bone)) return TRUNK;
  return /(?:Arm|Hand)$/.test(name) ? LEFT_ARM + (name.startsWith('left') ? 0 : 1) : -1;
});

/** Finds the axis around which every point lies: through trunk and head, the legs, the arms; −1 for none. Below the thigh joints, all is around the leg of its side. */
function axesOfPoints({ map, reference }: Humanoid, bones: Int16Array, positions: Float64Array): Int8Array {
  const thighs = SIDES.map((side) => BONE[`${side}UpperLeg`]);
  const hasLegs = thighs.every((bone) => map.nodes[bone] >= 0);
  const crotch = hasLegs
    ? Math.min(...thighs.map((bone) => reference.positions[3 * bone + 1]))
    : Number.NEGATIVE_INFINITY;
  const middle = (reference.positions[3 * thighs[0]] + reference.positions[3 * thighs[1]]) / 2;
  const found = new Int8Array(bones.length).fill(-1);
  for (let point = 0; point < bones.length; point++) {
    if (bones[point] < 0) continue;
    const axis = AXIS_OF_BONE[bones[point]];
    const isLeg = axis === TRUNK && positions[3 * point + 1] < crotch;
    found[point] = isLeg ? LEFT_LEG + (positions[3 * point] >= middle ? 0 : 1) : axis;
  }
  return found;
}

/** Lists the axes of a body, each as long as the points around it. */
function bodyAxes({ map, reference }: Humanoid, axisOf: Int8Array, positions: Float64Array): Axis[] {
  const lows = new Float64Array(AXES).fill(Number.POSITIVE_INFINITY);
  const highs = new Float64Array(AXES).fill(Number.NEGATIVE_INFINITY);
  for (let point = 0; point < axisOf.length; point++) {
    const axis = axisOf[point];
    if (axis < 0) continue;
    const at = positions[3 * point + (axis < LEFT_ARM ? 1 : 0)];
    lows[axis] = Math.min(lows[axis], at);
    highs[axis] = Math.max(highs[axis], at);
  }
  const create = (axis: number, mirror: number, names: readonly BoneName[]): Axis => {
    const along = axis < LEFT_ARM ? 1 : 0;
    const joints = names
      .filter((name) => map.nodes[BONE[name]] >= 0)
      .map((name) => reference.positions.subarray(3 * BONE[name], 3 * BONE[name] + 3))
      .sort((a, b) => a[along] - b[along]);
    // Arms start at the shoulder joint.
    const low = axis === LEFT_ARM ? (joints[0]?.[0] ?? 0) : lows[axis];
    const high = axis === LEFT_ARM + 1 ? (joints[joints.length - 1]?.[0] ?? 0) : highs[axis];
    return createAxis(along, joints, low, high, mirror);
  };
  return [
    create(TRUNK, TRUNK, ['hips', 'spine', 'chest', 'upperChest', 'neck', 'head']),
    ...SIDES.map((side, n) =>
      create(LEFT_LEG + n, LEFT_LEG + 1 - n, [`${side}UpperLeg`, `${side}LowerLeg`, `${side}Foot`]),
    ),
    ...SIDES.map((side, n) =>
      create(LEFT_ARM + n, LEFT_ARM + 1 - n, [`${side}UpperArm`, `${side}LowerArm`, `${side}Hand`]),
    ),
  ];
}

interface Hits {
  /** Ray of every hit: by axis, level, direction. */
  readonly rays: number[];
  /** Distance from the axis, meters. */
  readonly distances: number[];
  readonly pieces: number[];
  /** 1 for a triangle that faces outward, else 0. */
  readonly facing: number[];
}

/** Adds the rays from `first` on that cross the line from one point to the other: those between their directions. */
function addHits(hits: Hits, first: number, piece: number, ax: number, ay: number, bx: number, by: number): void {
  const across = ax * by - ay * bx;
  if (across === 0) return;
  // Seen from the axis the line goes clockwise where the triangle faces inward.
  const isOutward = across > 0;
  const start = (Math.atan2(isOutward ? ay : by, isOutward ? ax : bx) / (2 * Math.PI)) * RAYS;
  const sweep = (Math.atan2(Math.abs(across), ax * bx + ay * by) / (2 * Math.PI)) * RAYS;
  for (let column = Math.ceil(start); column < start + sweep; column++) {
    const angle = (2 * Math.PI * column) / RAYS;
    hits.rays.push(first + ((column + RAYS) % RAYS));
    hits.distances.push(across / (Math.cos(angle) * (by - ay) - Math.sin(angle) * (bx - ax)));
    hits.pieces.push(piece);
    hits.facing.push(isOutward ? 1 : 0);
  }
}

/** The two points at which a level cuts a triangle. */
const cut = new Float64Array(4);

/** Adds the rays of a level of an axis that go through the triangle at `first`. */
function cutTriangle(
  hits: Hits,
  { along, centers }: Axis,
  level: number,
  ray: number,
  positions: Float64Array,
  triangles: Int32Array,
  first: number,
  piece: number,
): void {
  // Two coordinates across the axis, so that along, u and v are a right-handed system.
  const u = (along + 1) % 3;
  const v = (along + 2) % 3;
  const at = centers[3 * level + along];
  const atU = centers[3 * level + u];
  const atV = centers[3 * level + v];
  let ends = 0;
  for (let n = 0; n < 3 && ends < 4; n++) {
    const p = 3 * triangles[first + n];
    const q = 3 * triangles[first + ((n + 1) % 3)];
    const before = positions[p + along] - at;
    const after = positions[q + along] - at;
    if (before >= 0 === after >= 0) continue;
    const t = before / (before - after);
    // The edge that goes down comes first: then what faces outward lies counterclockwise.
    const end = before >= 0 ? 0 : 2;
    cut[end] = positions[p + u] + t * (positions[q + u] - positions[p + u]) - atU;
    cut[end + 1] = positions[p + v] + t * (positions[q + v] - positions[p + v]) - atV;
    ends += 2;
  }
  if (ends === 4) addHits(hits, ray, piece, cut[0], cut[1], cut[2], cut[3]);
}

/** Casts rays around all axes, perpendicular to them, through the triangles around them. */
function castAround(
  axes: readonly Axis[],
  triangles: Int32Array,
  positions: Float64Array,
  axisOf: Int8Array,
  pieces: Int32Array,
): Hits {
  const hits: Hits = { rays: [], distances: [], pieces: [], facing: [] };
  const alongs = Int32Array.from(axes, ({ along }) => along);
  const froms = Float64Array.from(axes, ({ from }) => from);
  const steps = Float64Array.from(axes, ({ step }) => step);
  for (let k = 0; k < triangles.length; k += 3) {
    if (pieces[k / 3] < 0) continue;
    let done = -1;
    for (let n = 0; n < 3; n++) {
      const axis = axisOf[triangles[k + n]];
      // A triangle on a border is around both axes.
      if (axis < 0 || axis === done || !(steps[axis] > 0)) continue;
      done = axis;
      const along = alongs[axis];
      const a = positions[3 * triangles[k] + along];
      const b = positions[3 * triangles[k + 1] + along];
      const c = positions[3 * triangles[k + 2] + along];
      const first = Math.max(0, Math.ceil((Math.min(a, b, c) - froms[axis]) / steps[axis] - 0.5));
      const last = Math.min(LEVELS - 1, Math.floor((Math.max(a, b, c) - froms[axis]) / steps[axis] - 0.5));
      for (let level = first; level <= last; level++) {
        const ray = AXIS_RAYS * axis + RAYS * level;
        cutTriangle(hits, axes[axis], level, ray, positions, triangles, k, pieces[k / 3]);
      }
    }
  }
  return hits;
}

/** The layers of mesh that face outward on rays, by ray, then by distance. */
interface Layers {
  /** First layer of every ray, then the number of layers. */
  readonly starts: Int32Array;
  /** Ray of every layer. */
  readonly rays: Int32Array;
  /** Distance from the axis, meters. */
  readonly distances: Float64Array;
  /** Distance of the inner side of a layer: of a solid where the ray enters it, 0 where the axis is inside of it; else that of the layer. */
  readonly insides: Float64Array;
  readonly pieces: Int32Array;
}

/** Layers that are searched by piece. */
interface SortedLayers extends Layers {
  /** The layers of every ray by piece, then by distance. */
  readonly byPiece: Int32Array;
}

function sortByPiece(layers: Layers): SortedLayers {
  const { starts, pieces } = layers;
  const byPiece = pieces.map((_, layer) => layer);
  for (let ray = 0; ray + 1 < starts.length; ray++)
    byPiece.subarray(starts[ray], starts[ray + 1]).sort((a, b) => pieces[a] - pieces[b] || a - b);
  return { ...layers, byPiece };
}

/** Selects the hits that face outward, and sorts them; of pieces that face inward as good as everywhere, whose triangles are turned over, all. */
function outwardLayers({ rays, distances, pieces, facing }: Hits, borders: Uint8Array, size: number): Layers {
  const outward = new Map<number, number>();
  for (let k = 0; k < rays.length; k++)
    outward.set(pieces[k], (outward.get(pieces[k]) ?? 0) + (facing[k] > 0 ? 1 : -TURNED));
  // Counting sort by ray, then by distance.
  const firsts = new Int32Array(size + 1);
  for (let k = 0; k < rays.length; k++) firsts[rays[k] + 1]++;
  for (let ray = 0; ray < size; ray++) firsts[ray + 1] += firsts[ray];
  const order = new Int32Array(rays.length);
  const ends = firsts.slice(0, size);
  for (let k = 0; k < rays.length; k++) order[ends[rays[k]]++] = k;
  const byDistance = (a: number, b: number): number => distances[a] - distances[b];
  const starts = new Int32Array(size + 1);
  const chosen: number[] = [];
  const insides: number[] = [];
  /** Last hit of every piece. */
  const lasts = new Int32Array(borders.length).fill(-1);
  for (let ray = 0; ray < size; ray++) {
    const hits = order.subarray(firsts[ray], firsts[ray + 1]).sort(byDistance);
    for (const k of hits) {
      const piece = pieces[k];
      const before = lasts[piece];
      lasts[piece] = k;
      if (facing[k] === 0 && outward.get(piece)! >= 0) continue;
      const inside = before >= 0 && rays[before] === ray ? distances[before] : 0;
      chosen.push(k);
      insides.push(borders[piece] === 0 ? inside : distances[k]);
    }
    starts[ray + 1] = chosen.length;
  }
  return {
    starts,
    rays: Int32Array.from(chosen, (k) => rays[k]),
    distances: Float64Array.from(chosen, (k) => distances[k]),
    insides: Float64Array.from(insides),
    pieces: Int32Array.from(chosen, (k) => pieces[k]),
  };
}

/** Axes around which a piece is cloth or body as a whole, from one to before the next: trunk, head and legs; each arm. A jacket lies over the arms, and may be the trunk. */
const PARTS = [TRUNK, LEFT_ARM, LEFT_ARM + 1, AXES];
/** Number of a piece around an axis. */
const keyOf = (axis: number, piece: number): number => PARTS.length * piece + Math.max(0, axis - LEFT_ARM + 1);

/**
 * Finds the distance from the axis of every ray from which on all is body: {@link THICK} below the neck; infinite on the rays of head and arms, where cloth is close.
 */
function thickFrom({ height, map, reference }: Humanoid, axes: readonly Axis[]): Float64Array {
  const top = map.nodes[BONE.neck] >= 0 ? BONE.neck : BONE.head;
  const neck = reference.positions[3 * top + 1];
  const from = new Float64Array(AXIS_RAYS * AXES).fill(Number.POSITIVE_INFINITY);
  for (let axis = TRUNK; axis < LEFT_ARM; axis++) {
    const { centers } = axes[axis];
    for (let level = 0; level < LEVELS && centers[3 * level + 1] < neck; level++) {
      const first = AXIS_RAYS * axis + RAYS * level;
      from.fill(height * (axis === TRUNK ? THICK.trunk : THICK.leg), first, first + RAYS);
    }
  }
  return from;
}

/** A piece around a part of the body. */
interface PartPiece {
  readonly layers: number[];
  /** Number of them that lie over other pieces. */
  covered: number;
}

/**
 * Finds the pieces that are cloth around a part of the body: again and again that which is covered most, until none lies over what is left. No piece is covered more
 * after another one was taken, so only what lies over that is looked at again.
 */
function findClothPieces(layers: Layers, thick: Float64Array, part: number, cloth: Set<number>): void {
  const { starts, rays, distances, insides, pieces } = layers;
  const [from, to] = [starts[AXIS_RAYS * PARTS[part]], starts[AXIS_RAYS * PARTS[part + 1]]];
  const found = new Map<number, PartPiece>();
  /** Number of layers up to the one that is left, from each number of layers on inward. */
  const left = Int32Array.from({ length: to + 1 }, (_, count) => count);
  /** The next layer of another piece, from each layer on inward. */
  const others = new Int32Array(to);
  /** The first layer that lies over each, and the next one that lies over the same; −1 without one. */
  const firsts = new Int32Array(to).fill(-1);
  const nexts = new Int32Array(to);
  const cover = (k: number, own: PartPiece, start: number): void => {
    const least = Math.min(INNER * distances[k], thick[rays[k]]);
    let below = endOf(left, start + 1) - 1;
    while (below >= starts[rays[k]] && distances[below] >= least) {
      if (pieces[below] !== pieces[k] && distances[below] <= insides[k]) {
        nexts[k] = firsts[below];
        firsts[below] = k;
        own.covered++;
        return;
      }
      below = endOf(left, pieces[below] === pieces[k] ? others[below] + 1 : below) - 1;
    }
  };
  for (let k = from; k < to; k++) {
    const own = found.get(pieces[k]) ?? { layers: [], covered: 0 };
    found.set(pieces[k], own);
    own.layers.push(k);
    others[k] = k > from && pieces[k - 1] === pieces[k] ? others[k - 1] : k - 1;
    cover(k, own, k - 1);
  }
  const shareOf = ({ covered, layers: { length } }: PartPiece): number => covered / length;
  for (;;) {
    const most = Array.from(found.values(), shareOf).reduce((a, b) => Math.max(a, b), 0);
    if (most <= COVERED) return;
    for (const [piece, one] of found) {
      if (shareOf(one) < most) continue;
      cloth.add(keyOf(PARTS[part], piece));
      found.delete(piece);
      for (const k of one.layers) left[k + 1] = k;
      for (const below of one.layers) {
        for (let k = firsts[below], next = k; k >= 0; k = next) {
          next = nexts[k];
          const own = found.get(pieces[k]);
          if (own === undefined) continue;
          own.covered--;
          cover(k, own, below - 1);
        }
      }
    }
  }
}

/** What a layer lies over. */
const [BODY, NOTHING_SAID, OVER_PIECES, OVER_ITSELF] = [0, 1, 2, 3];

/**
 * Finds what every layer lies over: nothing, as the body does; something to which it is tight, which says nothing; with air in between, other pieces, or its own.
 */
function findCovers({ starts, distances, pieces }: Layers): Uint8Array {
  const covers = new Uint8Array(distances.length);
  /** Last layer of every piece that is low enough. */
  const lasts = new Map<number, number>();
  for (let ray = 0; ray + 1 < starts.length; ray++) {
    let first = starts[ray];
    let end = first;
    for (let k = first + 1; k < starts[ray + 1]; k++) {
      while (distances[end] / distances[k] <= 1 - TIGHT) lasts.set(pieces[end], end++);
      while (first < end && distances[first] / distances[k] < INNER) first++;
      if (first === end) covers[k] = NOTHING_SAID;
      else covers[k] = (lasts.get(pieces[k]) ?? -1) >= first ? OVER_ITSELF : OVER_PIECES;
    }
  }
  return covers;
}

/** Returns the layer of a piece on a ray that is closest to a distance from the axis; −1 without one. */
function closestLayer(layers: SortedLayers, ray: number, piece: number, distance: number): number {
  const { starts, distances, pieces, byPiece } = layers;
  const [first, last] = [starts[ray], starts[ray + 1]];
  let [from, to] = [first, last];
  while (from < to) {
    const middle = (from + to) >> 1;
    const k = byPiece[middle];
    if (pieces[k] < piece || (pieces[k] === piece && distances[k] < distance)) from = middle + 1;
    else to = middle;
  }
  const below = from > first && pieces[byPiece[from - 1]] === piece ? byPiece[from - 1] : -1;
  const above = from < last && pieces[byPiece[from]] === piece ? byPiece[from] : -1;
  if (below < 0 || above < 0) return Math.max(below, above);
  return distance - distances[below] <= distances[above] - distance ? below : above;
}

const axisOfRay = (ray: number): number => Math.floor(ray / AXIS_RAYS);

const location = new Float64Array(3);

/** Neighbors of a layer: in the rays beside it, in those of the levels beside it, and in the mirrored ray. */
const NEIGHBORS = 5;

/** Returns the level before or after one of an axis, counted over all axes: legs end where the trunk starts; −1 beyond an end. */
function nextLevel(axis: number, level: number, step: number, isLeft: boolean): number {
  const next = level + step;
  if (next >= 0 && next < LEVELS) return LEVELS * axis + next;
  if (axis === TRUNK && next < 0) return LEVELS * (isLeft ? LEFT_LEG : LEFT_LEG + 1) + LEVELS - 1;
  return axis !== TRUNK && axis < LEFT_ARM && next === LEVELS ? LEVELS * TRUNK : -1;
}

/** Returns the layer of a piece on a level that is closest to a point; −1 without one. */
function layerNextTo(
  layers: SortedLayers,
  axes: readonly Axis[],
  level: number,
  piece: number,
  point: Float64Array,
): number {
  if (level < 0) return -1;
  const { along, centers } = axes[Math.floor(level / LEVELS)];
  const [u, v] = [(along + 1) % 3, (along + 2) % 3];
  const at = 3 * (level % LEVELS);
  const x = point[u] - centers[at + u];
  const y = point[v] - centers[at + v];
  const column = Math.round((Math.atan2(y, x) / (2 * Math.PI)) * RAYS + RAYS) % RAYS;
  return layerAt(layers, RAYS * level + column, piece, Math.sqrt(x * x + y * y));
}

/** Returns the layer of a piece on a ray that continues one at a distance from the axis; −1 without one. */
function layerAt(layers: SortedLayers, ray: number, piece: number, distance: number): number {
  const found = closestLayer(layers, ray, piece, distance);
  if (found < 0) return -1;
  const apart = Math.abs(layers.distances[found] - distance);
  return apart < CONTINUED * Math.max(layers.distances[found], distance) ? found : -1;
}

/** Finds the layers of the piece of layer `k` on the rays around its own that continue it; −1 without one. */
function findContinuing(out: Int32Array, layers: SortedLayers, axes: readonly Axis[], k: number): void {
  const { rays, distances, pieces } = layers;
  const column = rays[k] % RAYS;
  const row = Math.floor(rays[k] / RAYS);
  const axis = Math.floor(row / LEVELS);
  const level = row % LEVELS;
  const { along, centers, mirror } = axes[axis];
  const angle = (2 * Math.PI * column) / RAYS;
  location[along] = centers[3 * level + along];
  location[(along + 1) % 3] = centers[3 * level + ((along + 1) % 3)] + distances[k] * Math.cos(angle);
  location[(along + 2) % 3] = centers[3 * level + ((along + 2) % 3)] + distances[k] * Math.sin(angle);
  const first = NEIGHBORS * k;
  out[first] = layerAt(layers, RAYS * row + ((column + RAYS - 1) % RAYS), pieces[k], distances[k]);
  out[first + 1] = layerAt(layers, RAYS * row + ((column + 1) % RAYS), pieces[k], distances[k]);
  for (const step of [-1, 1]) {
    const next = nextLevel(axis, level, step, location[0] >= 0);
    out[first + (step < 0 ? 2 : 3)] = layerNextTo(layers, axes, next, pieces[k], location);
  }
  // Levels of arms count from the right to the left, directions around them from above to the front.
  const isArm = axis >= LEFT_ARM;
  const mirrored = RAYS * (LEVELS * mirror + (isArm ? LEVELS - 1 - level : level));
  const other = isArm ? column : (RAYS - column) % RAYS;
  out[first + 4] = layerAt(layers, mirrored + other, pieces[k], distances[k]);
}

/**
 * Finds the neighbors of the layers that may be cloth: those of their piece on other rays that continue them; −1 without one, and for layers of the body, which most are.
 */
function findNeighbors(covers: Uint8Array, layers: SortedLayers, axes: readonly Axis[]): Int32Array {
  const { rays } = layers;
  const continuing = new Int32Array(NEIGHBORS * covers.length).fill(-1);
  const isFound = new Uint8Array(covers.length);
  const find = (k: number): void => {
    if (isFound[k] === 1) return;
    isFound[k] = 1;
    findContinuing(continuing, layers, axes, k);
  };
  const neighbors = continuing.slice();
  for (let k = 0; k < covers.length; k++) {
    if (covers[k] === BODY) continue;
    find(k);
    for (let n = NEIGHBORS * k; n < NEIGHBORS * (k + 1); n++) {
      const found = continuing[n];
      if (found < 0) continue;
      find(found);
      // Layers continue each other where each is the closest one to the other. Directions around a leg are others than around the trunk.
      let isMutual = axisOfRay(rays[found]) !== axisOfRay(rays[k]) && n % NEIGHBORS < 4;
      for (let i = NEIGHBORS * found; i < NEIGHBORS * (found + 1); i++) if (continuing[i] === k) isMutual = true;
      if (isMutual) neighbors[n] = found;
    }
  }
  return neighbors;
}

/**
 * Finds the layers of cloth that is one piece with the body: sheets of layers that continue each other above the innermost one, most of which has air below, and which
 * hang on the body along a small part only. A head over its neck hangs on all of its border.
 */
function findSewnCloth(covers: Uint8Array, layers: SortedLayers, axes: readonly Axis[]): Uint8Array {
  const cloth = new Uint8Array(covers.length);
  const neighbors = findNeighbors(covers, layers, axes);
  const isSeen = new Uint8Array(covers.length);
  for (let start = 0; start < covers.length; start++) {
    if (covers[start] !== OVER_ITSELF || isSeen[start] === 1) continue;
    const sheet = [start];
    isSeen[start] = 1;
    let [own, standing, seams] = [0, 0, 0];
    for (let n = 0; n < sheet.length; n++) {
      const k = sheet[n];
      if (covers[k] === OVER_ITSELF) own++;
      if (covers[k] >= OVER_PIECES) standing += covers[k] === OVER_ITSELF ? 1 : 0.5;
      for (let i = NEIGHBORS * k; i < NEIGHBORS * (k + 1); i++) {
        const next = neighbors[i];
        if (next < 0 || isSeen[next] === 1) continue;
        if (covers[next] === BODY) seams++;
        else {
          isSeen[next] = 1;
          sheet.push(next);
        }
      }
    }
    if (own >= LEAST && seams <= SEAMS * standing) for (const k of sheet) cloth[k] = 1;
  }
  return cloth;
}

/** Tells whether the layer that is closest to a point, on the four rays around it, is cloth. */
function isClothAt(
  layers: SortedLayers,
  sewn: Uint8Array,
  { along, from, step, centers }: Axis,
  first: number,
  positions: Float64Array,
  point: number,
  piece: number,
): boolean {
  const [u, v] = [(along + 1) % 3, (along + 2) % 3];
  const between = Math.min(LEVELS - 1, Math.max(0, (positions[3 * point + along] - from) / step - 0.5));
  const level = Math.floor(between);
  let [found, least] = [-1, Number.POSITIVE_INFINITY];
  for (let onLevel = level; onLevel <= Math.min(level + 1, LEVELS - 1); onLevel++) {
    const x = positions[3 * point + u] - centers[3 * onLevel + u];
    const y = positions[3 * point + v] - centers[3 * onLevel + v];
    const distance = Math.sqrt(x * x + y * y);
    const column = Math.floor((Math.atan2(y, x) / (2 * Math.PI)) * RAYS + RAYS);
    for (let n = 0; n < 2; n++) {
      const ray = first + RAYS * onLevel + ((column + n) % RAYS);
      const closest = closestLayer(layers, ray, piece, distance);
      if (closest < 0) continue;
      const apart = Math.abs(layers.distances[closest] - distance);
      if (apart < least) [found, least] = [closest, apart];
    }
  }
  return found >= 0 && sewn[found] === 1;
}

/** Finds the corners that are cloth in all of their pieces: a corner of a seam is of the body, too. */
function clothCorners(
  triangles: Int32Array,
  ring: Int32Array,
  pieces: Int32Array,
  axisOf: Int8Array,
  isDressed: Uint8Array,
  isClothAround: (point: number, piece: number) => boolean,
): Uint8Array {
  const isCloth = new Uint8Array(axisOf.length);
  /** Piece of the last triangle of every corner. */
  const lasts = new Int32Array(axisOf.length).fill(-1);
  for (let k = 0; k < triangles.length; k++) {
    const piece = pieces[Math.floor(k / 3)];
    if (piece < 0 || isDressed[piece] === 0 || axisOf[triangles[k]] < 0) continue;
    const corner = ring[k];
    const isBody = lasts[corner] >= 0 && isCloth[corner] === 0;
    if (isBody || lasts[corner] === piece) continue;
    lasts[corner] = piece;
    isCloth[corner] = isClothAround(triangles[k], piece) ? 1 : 0;
  }
  for (let k = 0; k < triangles.length; k++) {
    const piece = pieces[Math.floor(k / 3)];
    if (piece >= 0 && isDressed[piece] === 0 && axisOf[triangles[k]] >= 0) isCloth[ring[k]] = 0;
  }
  return isCloth;
}

/**
 * Finds cloth: what lies over the body, with air in between, as seen from its axes. Decisions are smooth, and the same on both sides of a body that
 * is the same on both sides. Shoes are soles, and never cloth. `bones`: bone whose surface every point forms, −1 for none. `positions`: position of
 * every point in the reference pose, canonical frame: xyz. Returns 1 for points of cloth, else 0.
 */
export function findCloth(
  humanoid: Humanoid,
  { triangles }: SkinPoints,
  bones: Int16Array,
  positions: Float64Array,
): Uint8Array {
  const axisOf = axesOfPoints(humanoid, bones, positions);
  const cornerOf = createCorners(positions, humanoid.height);
  const ring = cornersAround(triangles, cornerOf, axisOf);
  const { ofTriangles: pieces, borders } = findPieces(triangles, ring, positions, axisOf);
  const axes = bodyAxes(humanoid, axisOf, positions);
  const layers = outwardLayers(castAround(axes, triangles, positions, axisOf, pieces), borders, AXIS_RAYS * AXES);
  const thick = thickFrom(humanoid, axes);
  const clothPieces = new Set<number>();
  for (let part = 0; part + 1 < PARTS.length; part++) findClothPieces(layers, thick, part, clothPieces);
  const covers = findCovers(layers);
  // Fewer layers with air below make no sheet.
  const sheets = covers.filter((cover) => cover === OVER_ITSELF).length < LEAST ? null : sortByPiece(layers);
  const sewn = sheets === null ? new Uint8Array(covers.length) : findSewnCloth(covers, sheets, axes);
  const sewnPieces = new Set<number>();
  for (let k = 0; k < sewn.length; k++) if (sewn[k] === 1) sewnPieces.add(layers.pieces[k]);
  const cloth = new Uint8Array(bones.length);
  if (clothPieces.size + sewnPieces.size === 0) return cloth;
  /** 1 for pieces that have cloth. */
  const isDressed = new Uint8Array(pieces.length);
  for (const key of clothPieces) isDressed[Math.floor(key / PARTS.length)] = 1;
  for (const piece of sewnPieces) isDressed[piece] = 1;
  const isClothAround = (point: number, piece: number): boolean => {
    const axis = axisOf[point];
    return (
      clothPieces.has(keyOf(axis, piece)) ||
      (sheets !== null &&
        sewnPieces.has(piece) &&
        isClothAt(sheets, sewn, axes[axis], AXIS_RAYS * axis, positions, point, piece))
    );
  };
  const isClothCorner = clothCorners(triangles, ring, pieces, axisOf, isDressed, isClothAround);
  // Meshes that share points have them all, also without triangles.
  for (let point = 0; point < bones.length; point++)
    cloth[point] = axisOf[point] >= 0 && !isFootBone(bones[point]) ? isClothCorner[cornerOf(point)] : 0;
  return cloth;
}
