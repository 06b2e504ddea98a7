/** Clothes for characters, as meshes on the bones of the body: what an exporter makes of capes, scarves, skirts, plates and helmets that have no joints of their own. */

import { findCloth } from '../../src/core/contacts/surface/find-cloth.ts';
import { type RadiusMap, radiusToward } from '../../src/core/contacts/surface/radius-map.ts';
import { referenceMatrices } from '../../src/core/contacts/surface/reference-matrices.ts';
import { bonesOfPoints, isArmBone } from '../../src/core/contacts/surface/surface-bones.ts';
import { countPoints, type SkinPoints, skinPoint } from '../../src/core/deform/skin-points.ts';
import { BONE, type BoneName } from '../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import * as mat4 from '../../src/core/math/mat4.ts';
import type { Vector } from '../support/reference/plain.ts';

/** A corner of a piece of cloth: a position in the reference pose, canonical meters, and the bone that it moves with. */
interface Corner {
  readonly at: Vector;
  readonly bone: BoneName;
}

/** A sheet of cloth: rows of corners. */
export type Sheet = readonly (readonly Corner[])[];

/** A character without clothes. */
export interface Undressed {
  readonly humanoid: Humanoid;
  readonly skin: SkinPoints;
  readonly radii: RadiusMap;
}

const joint = ({ humanoid }: Undressed, bone: BoneName): Vector =>
  [0, 1, 2].map((c) => humanoid.reference.positions[3 * BONE[bone] + c]) as unknown as Vector;

const has = ({ humanoid }: Undressed, bone: BoneName): boolean => humanoid.map.nodes[BONE[bone]] >= 0;

/** The bone of the trunk at a height. */
function trunkBone(body: Undressed, y: number): BoneName {
  const names = (['upperChest', 'chest', 'spine'] as const).filter((name) => has(body, name));
  return names.find((name) => joint(body, name)[1] <= y) ?? 'hips';
}

/** Distance of the skin of the trunk from its middle at a height, in a direction around the vertical: 0 is the front, a quarter the left. */
function trunkRadius(body: Undressed, y: number, turn: number): { middle: Vector; radius: number } {
  const bone = trunkBone(body, y);
  const radii = body.radii[BONE[bone]] ?? body.radii[BONE.hips];
  const at = joint(body, bone);
  if (radii === null || radii === undefined) return { middle: at, radius: 0.1 * body.humanoid.height };
  const angle = 2 * Math.PI * turn;
  const direction = [Math.sin(angle), 0, Math.cos(angle)];
  const radius = radiusToward(radii, y - at[1] - radii.center[1], direction, 0);
  return { middle: [at[0] + radii.center[0], y, at[2] + radii.center[2]], radius };
}

const lerp = (a: number, b: number, t: number): number => a + (b - a) * t;

/** A sheet around the trunk between two heights and two directions; `distance` is what it adds to the radius of the body, by its position from 0 to 1. */
function aroundTrunk(
  body: Undressed,
  [top, bottom]: readonly [number, number],
  [from, to]: readonly [number, number],
  distance: (along: number, across: number) => number,
  bone: (y: number) => BoneName = (y) => trunkBone(body, y),
): Sheet {
  return Array.from({ length: 13 }, (_, row) => {
    const y = lerp(top, bottom, row / 12);
    return Array.from({ length: 25 }, (_, column) => {
      const turn = lerp(from, to, column / 24);
      const { middle, radius } = trunkRadius(body, y, turn);
      const far = radius + distance(row / 12, column / 24);
      const angle = 2 * Math.PI * turn;
      return { at: [middle[0] + far * Math.sin(angle), y, middle[2] + far * Math.cos(angle)], bone: bone(y) };
    });
  });
}

/** A ball around a point that is open below, as a helmet is. */
function hollowBall(center: Vector, radius: number, bone: BoneName): Sheet {
  return Array.from({ length: 8 }, (_, row) => {
    const up = Math.PI * (0.5 - row / 8);
    return Array.from({ length: 17 }, (_, column) => {
      const angle = 2 * Math.PI * (column / 16);
      const out = radius * Math.cos(up);
      return {
        at: [center[0] + out * Math.sin(angle), center[1] + radius * Math.sin(up), center[2] + out * Math.cos(angle)],
        bone,
      };
    });
  });
}

/** What a character can wear. */
export const CLOTHES: Readonly<Record<string, (body: Undressed) => readonly Sheet[]>> = {
  cape: (body) => {
    const { height } = body.humanoid;
    const span = [joint(body, 'neck')[1], 0.5 * joint(body, 'leftUpperLeg')[1]] as const;
    return [aroundTrunk(body, span, [0.2, 0.8], (along) => (0.02 + 0.1 * along) * height)];
  },
  'cape whose triangles are turned over': (body) =>
    CLOTHES.cape(body).map((sheet) => sheet.map((row) => row.toReversed())),
  'cape on one side': (body) => {
    const { height } = body.humanoid;
    const span = [joint(body, 'neck')[1], joint(body, 'leftUpperLeg')[1]] as const;
    return [aroundTrunk(body, span, [0.1, 0.55], (along) => (0.03 + 0.06 * along) * height)];
  },
  scarf: (body) => {
    const { height } = body.humanoid;
    const neck = joint(body, 'neck')[1];
    const end = lerp(neck, joint(body, 'leftUpperLeg')[1], 0.7);
    return [aroundTrunk(body, [neck, end], [-0.12, 0.02], () => 0.05 * height)];
  },
  skirt: (body) => {
    const { height } = body.humanoid;
    const top = joint(body, 'leftUpperLeg')[1];
    const span = [top + 0.05 * height, 0.5 * top] as const;
    return [
      aroundTrunk(
        body,
        span,
        [0, 1],
        (along) => (0.01 + 0.12 * along) * height,
        () => 'hips',
      ),
    ];
  },
  plates: (body) => {
    const { height } = body.humanoid;
    const span = [joint(body, 'neck')[1] - 0.02 * height, joint(body, 'spine')[1]] as const;
    const front = aroundTrunk(body, span, [-0.2, 0.2], () => 0.035 * height);
    const back = aroundTrunk(body, span, [0.3, 0.7], () => 0.035 * height);
    return [front, back];
  },
  coat: (body) => {
    const { height } = body.humanoid;
    const span = [joint(body, 'neck')[1] - 0.02 * height, joint(body, 'leftUpperLeg')[1] - 0.1 * height] as const;
    return [aroundTrunk(body, span, [0, 1], (along) => (0.02 + 0.04 * along) * height)];
  },
  helmet: (body) => {
    const { height } = body.humanoid;
    const radii = body.radii[BONE.head];
    if (radii === null || radii === undefined) return [];
    const [x, y, z] = joint(body, 'head');
    const up = (radii.from + radii.to) / 2;
    return [hollowBall([x + radii.center[0], y + up, z + radii.center[2]], radii.largest + 0.03 * height, 'head')];
  },
};

/** A solid ring around the hips, from one distance to another one from the skin: the shell of a robot where it starts inside of the body, padding where there is air below. */
export function solidRing(body: Undressed, from: number, to: number): Sheet {
  const { height } = body.humanoid;
  const top = joint(body, 'leftUpperLeg')[1];
  const side = (span: readonly [number, number], distance: number): Sheet =>
    aroundTrunk(
      body,
      span,
      [0, 1],
      () => distance * height,
      () => 'hips',
    );
  const [outer, inner] = [
    side([top + 0.08 * height, top - 0.02 * height], to),
    side([top - 0.02 * height, top + 0.08 * height], from),
  ];
  return [...outer, ...inner, outer[0]];
}

/** Which corners of a sheet are sewn to the body: its first row, or all of its border. */
type Seam = 'top' | 'border';

/** What a character can wear in one mesh with the body. */
export const SEWN: Readonly<
  Record<string, { readonly seam: Seam; readonly sheets: (body: Undressed) => readonly Sheet[] }>
> = {
  'cape sewn to the shoulders': {
    seam: 'top',
    sheets: (body) => {
      const { height } = body.humanoid;
      const span = [joint(body, 'neck')[1] - 0.02 * height, 0.5 * joint(body, 'leftUpperLeg')[1]] as const;
      return [aroundTrunk(body, span, [0.2, 0.8], (along) => 0.16 * along * height)];
    },
  },
  'cape sewn to one shoulder': {
    seam: 'top',
    sheets: (body) => {
      const { height } = body.humanoid;
      const span = [joint(body, 'neck')[1] - 0.02 * height, joint(body, 'leftUpperLeg')[1]] as const;
      return [aroundTrunk(body, span, [0.1, 0.55], (along) => 0.12 * along * height)];
    },
  },
  'cape that stands off': { seam: 'top', sheets: (body) => CLOTHES.cape(body) },
  'skirt sewn to the waist': { seam: 'top', sheets: (body) => CLOTHES.skirt(body) },
  'plates on the body': { seam: 'border', sheets: (body) => CLOTHES.plates(body) },
  'coat sewn to the neck': { seam: 'top', sheets: (body) => CLOTHES.coat(body) },
};

/** The corners of a sheet along its seam, in order. */
function seamOf(sheet: Sheet, seam: Seam): readonly (readonly [row: number, column: number])[] {
  const [rows, columns] = [sheet.length, sheet[0].length];
  const top = Array.from({ length: columns }, (_, column) => [0, column] as const);
  if (seam === 'top') return top;
  const right = Array.from({ length: rows - 1 }, (_, row) => [row + 1, columns - 1] as const);
  const bottom = top.slice(0, -1).map(([, column]) => [rows - 1, columns - 2 - column] as const);
  return [...top, ...right, ...bottom, ...right.map(([row]) => [rows - 1 - row, 0] as const)];
}

/** Joins a sheet that was added to a skin to the points of the body next to its seam. */
function sew(body: Undressed, sheet: Sheet, first: number, seam: Seam): number[] {
  const { humanoid, skin } = body;
  const matrices = referenceMatrices(humanoid);
  const positions = new Float64Array(3 * countPoints(skin));
  for (let point = 0; 3 * point < positions.length; point++) skinPoint(positions, 3 * point, skin, point, matrices);
  const bones = bonesOfPoints(humanoid, skin);
  const cloth = findCloth(humanoid, skin, bones, positions);
  const isTrunk = (point: number): boolean => bones[point] >= 0 && !isArmBone(bones[point]) && cloth[point] === 0;
  const trunk = Array.from(bones.keys()).filter(isTrunk);
  const isDrawn = new Set(skin.triangles);
  const nearest = (at: Vector): number => {
    let [found, least] = [trunk[0], Number.POSITIVE_INFINITY];
    for (const point of trunk) {
      const distance = Math.hypot(...[0, 1, 2].map((c) => positions[3 * point + c] - at[c]));
      if (distance < least && isDrawn.has(point)) [found, least] = [point, distance];
    }
    return found;
  };
  const corners = seamOf(sheet, seam).map(([row, column]) => ({
    corner: first + sheet[0].length * row + column,
    below: nearest(sheet[row][column].at),
  }));
  return corners.slice(1).flatMap(({ corner, below }, k) => {
    const before = corners[k];
    return [before.corner, corner, before.below, before.below, corner, below];
  });
}

/** Adds clothes to the skin of a character: a new skin. Without a seam they are pieces of mesh of their own. */
export function dress(body: Undressed, sheets: readonly Sheet[], seam?: Seam): SkinPoints {
  const { humanoid, skin } = body;
  const matrices = referenceMatrices(humanoid);
  const starts = [...skin.starts];
  const nodes = [...skin.nodes];
  const offsets = [...skin.offsets];
  const triangles = [...skin.triangles];
  const inverse = new Float64Array(16);
  const local = new Float64Array(3);
  for (const sheet of sheets) {
    const first = starts.length - 1;
    const width = sheet[0].length;
    for (const { at, bone } of sheet.flat()) {
      const node = humanoid.map.nodes[BONE[bone]];
      mat4.invertAffine(inverse, 0, matrices, 16 * node);
      mat4.transformPoint(local, 0, inverse, 0, [...at], 0);
      nodes.push(node);
      offsets.push(...local, 1);
      starts.push(nodes.length);
    }
    for (let row = 0; row + 1 < sheet.length; row++) {
      for (let column = 0; column + 1 < width; column++) {
        const a = first + width * row + column;
        triangles.push(a, a + width, a + 1, a + 1, a + width, a + width + 1);
      }
    }
    if (seam !== undefined) triangles.push(...sew(body, sheet, first, seam));
  }
  const count = starts.length - 1;
  const filled = <T extends Uint8Array | Float64Array>(out: T, values: ArrayLike<number>): T => {
    out.set(values);
    return out;
  };
  return {
    starts: Int32Array.from(starts),
    nodes: Int32Array.from(nodes),
    offsets: Float64Array.from(offsets),
    rigid: filled(new Uint8Array(count), skin.rigid),
    radii: filled(new Float64Array(count), skin.radii),
    triangles: Int32Array.from(triangles),
  };
}
