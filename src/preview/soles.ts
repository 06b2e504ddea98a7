import type { ContactSurface } from '../core/contacts/surface/contact-surface.ts';
import { referenceMatrices } from '../core/contacts/surface/reference-matrices.ts';
import { BONE, type Side } from '../core/humanoid/bones.ts';
import type { Humanoid } from '../core/humanoid/humanoid.ts';
import * as mat4 from '../core/math/mat4.ts';
import { MATRIX_STRIDE } from '../core/skeleton/skeleton.ts';
import { COLORS } from './cell.ts';
import { px, text } from './svg.ts';

/** A point on the ground: x and z, canonical frame, meters. */
type GroundPoint = readonly [x: number, z: number];

/** The sole of a foot in the reference pose. */
export interface DrawnSole {
  /** Side of the foot. */
  readonly side: Side;
  /** Corners of its outline on the ground, convex. */
  readonly outline: readonly GroundPoint[];
  /** The ground below the ankle, and below the ball. */
  readonly heel: GroundPoint;
  /** See {@link DrawnSole.heel}. */
  readonly ball: GroundPoint;
}

/** Layout of soles, pixels. Seen from above with the camera in front: the left foot is right, toes are down. */
export interface SolesLayout {
  /** Right one first. */
  readonly soles: readonly DrawnSole[];
  /** Left edge of each sole. */
  readonly lefts: readonly number[];
  /** Pixels per meter. */
  readonly scale: number;
  readonly width: number;
  readonly height: number;
}

/** Length of the longest sole by the height of the figure beside it, and its limits in pixels. */
const LENGTH = 0.36;
const LENGTHS = [56, 130] as const;
const BETWEEN = 34;
/** Least width of a sole with its label, pixels. */
const LABEL_WIDTH = 84;
const LABEL_HEIGHT = 18;
const LETTERS = 10;

/** Finds the soles of a character in the reference pose. */
export function drawnSoles(humanoid: Humanoid, { soles }: ContactSurface): DrawnSole[] {
  const matrices = referenceMatrices(humanoid);
  const point = new Float64Array(3);
  return (['right', 'left'] as const).flatMap((side): DrawnSole[] => {
    const sole = soles[side];
    if (sole === null || sole.outline.length < 6) return [];
    const onGround = (own: Float64Array): GroundPoint => {
      mat4.transformPoint(point, 0, matrices, MATRIX_STRIDE * humanoid.map.nodes[BONE[`${side}Foot`]], own, 0);
      return [point[0], point[2]];
    };
    const corners = sole.outline.length / 2;
    const outline = Array.from(
      { length: corners },
      (_, k): GroundPoint => [sole.outline[2 * k], sole.outline[2 * k + 1]],
    );
    return [{ side, outline, heel: onGround(sole.heel), ball: onGround(sole.ball) }];
  });
}

/** Returns the least and the greatest coordinate of an outline. */
function range({ outline }: DrawnSole, axis: 0 | 1): [number, number] {
  const values = outline.map((corner) => corner[axis]);
  return [Math.min(...values), Math.max(...values)];
}

function lengthOf(sole: DrawnSole, axis: 0 | 1): number {
  const [least, most] = range(sole, axis);
  return most - least;
}

/**
 * Lays out soles side by side, in one scale. `figure`: height of the figure beside them, pixels. Returns the layout; null without soles that have
 * an extent.
 */
export function layoutSoles(soles: readonly DrawnSole[], figure: number): SolesLayout | null {
  const longest = Math.max(0, ...soles.flatMap((sole) => [lengthOf(sole, 0), lengthOf(sole, 1)]));
  if (!(longest > 0 && Number.isFinite(longest))) return null;
  const scale = Math.min(LENGTHS[1], Math.max(LENGTHS[0], LENGTH * figure)) / longest;
  const widths = soles.map((sole) => Math.max(LABEL_WIDTH, scale * lengthOf(sole, 0)));
  const lefts = soles.map((_, k) => widths.slice(0, k).reduce((sum, width) => sum + width + BETWEEN, 0));
  const height = scale * Math.max(...soles.map((sole) => lengthOf(sole, 1))) + LABEL_HEIGHT;
  return { soles, lefts, scale, width: lefts[lefts.length - 1] + widths[widths.length - 1], height };
}

function centimeters(meters: number): string {
  return (100 * meters).toFixed(1);
}

/** Draws the soles of a layout: outline, a dot below the ankle, a ring below the ball, and length × width. */
export function drawSoles({ soles, lefts, scale, height }: SolesLayout, left: number, middle: number): string {
  return soles
    .map((sole, k) => {
      const [[x, right], [z, front]] = [range(sole, 0), range(sole, 1)];
      const width = scale * (right - x);
      const shift = left + lefts[k] + Math.max(0, LABEL_WIDTH - width) / 2;
      const top = middle - height / 2;
      const at = (point: GroundPoint): [string, string] => [
        px(shift + scale * (point[0] - x)),
        px(top + scale * (point[1] - z)),
      ];
      const color = COLORS[sole.side];
      const outline = sole.outline.map((corner) => at(corner).join(' ')).join('L');
      const [[ankleX, ankleY], [ballX, ballY]] = [at(sole.heel), at(sole.ball)];
      return [
        `<path d="M${outline}Z" fill="${color}" fill-opacity=".25" stroke="${color}" stroke-linejoin="round"/>`,
        `<circle cx="${ankleX}" cy="${ankleY}" r="2.5" fill="${color}"/>`,
        `<circle cx="${ballX}" cy="${ballY}" r="2.5" fill="#fff" stroke="${color}"/>`,
        text(
          shift + width / 2,
          top + height - 3,
          LETTERS,
          '#5b6673',
          `${centimeters(front - z)} × ${centimeters(right - x)} cm`,
          ' text-anchor="middle"',
        ),
      ].join('');
    })
    .join('\n');
}
