/** Heads of the cast: faces, hair and hats. All sizes are by the height of the head, from its joint to the crown. */
import type { BoneName } from '../../src/core/humanoid/bones.ts';
import type { Vec3 } from '../../src/core/math/vec3.ts';
import { pointOf } from '../../src/demo/characters/mannequin.ts';
import type { ColoredPart } from '../../src/demo/characters/mesh.ts';
import type { Figure } from '../../src/demo/figure/figure.ts';
import type { Expressions } from '../../src/demo/motions/motion.ts';
import { ball, pill, type Rgb, type Ring, rgb, tube } from './shapes.ts';

export interface Face {
  readonly skin: Rgb;
  readonly lips: Rgb;
  readonly brows: Rgb;
  readonly iris: Rgb;
  /** Size of the eyes: 1 is that of a toy. */
  readonly eyes: number;
  /** Blush on the cheeks; none by default. */
  readonly cheeks?: Rgb;
}

const WHITE = rgb('#ffffff');
const BLACK = rgb('#15131a');
/** Half width, half height and half depth of the skull, and its center above and in front of the joint. */
const SKULL = { width: 0.44, height: 0.55, depth: 0.46, up: 0.47, front: 0.1 };

function headSpace(figure: Figure): { size: number; at: (x: number, y: number, z: number) => Vec3 } {
  const joint = pointOf(figure.joints, 'head');
  const size = figure.proportions.head;
  return { size, at: (x, y, z) => [joint[0] + x * size, joint[1] + y * size, joint[2] + z * size] };
}

/** Width of the skull at a height: it narrows towards the chin. */
function fullness(y: number): number {
  const sine = Math.min(Math.max((y - SKULL.up) / SKULL.height, -1), 1);
  return Math.sqrt(1 - sine * sine) * (1 + 0.1 * sine);
}

function frontAt(x: number, y: number): number {
  const full = fullness(y);
  const across = Math.min(Math.abs(x) / (SKULL.width * full), 1);
  return SKULL.front + SKULL.depth * full * Math.sqrt(1 - across * across);
}

const mix = (from: number, to: number, part: number): number => from + (to - from) * part;

/** Builds a head with nose and ears, without what its expressions move. */
export function headOf(figure: Figure, face: Face): ColoredPart[] {
  const { size, at } = headSpace(figure);
  const rings: Ring[] = [];
  for (let ring = 0; ring <= 12; ring++) {
    const y = SKULL.up + SKULL.height * Math.sin(Math.PI * (ring / 12 - 0.5) * 0.985);
    const full = fullness(y) * size;
    rings.push({
      center: at(0, y, SKULL.front),
      ru: SKULL.width * full,
      rv: SKULL.depth * full,
      color: face.skin,
      shares: [['head', 1]],
    });
  }
  const parts: ColoredPart[] = [
    tube(rings, 16),
    ball(at(0, 0.3, frontAt(0, 0.3) + 0.005), [0.045 * size, 0.05 * size, 0.05 * size], face.skin, 'head', [4, 8]),
  ];
  for (const side of [1, -1]) {
    const ear = at(side * SKULL.width * 0.98, 0.38, 0.06);
    parts.push(ball(ear, [0.05 * size, 0.1 * size, 0.07 * size], face.skin, 'head', [5, 8]));
    if (face.cheeks === undefined) continue;
    const [x, y] = [side * 0.25, 0.27];
    const cheek = at(x, y, frontAt(x, y) - 0.018);
    parts.push(ball(cheek, [0.07 * size, 0.045 * size, 0.025 * size], face.cheeks, 'head', [4, 10]));
  }
  return parts;
}

/** Builds the eyes, brows and mouth of a head. They have the same vertices with all expressions. */
export function faceOf(figure: Figure, face: Face, { blink, happy }: Expressions): ColoredPart[] {
  const { size, at } = headSpace(figure);
  const mouth: Ring[] = [];
  for (let k = -3; k <= 3; k++) {
    const x = (mix(0.11, 0.165, happy) * k) / 3;
    const y = 0.155 - 0.012 * happy + mix(0.022, 0.075, happy) * (k / 3) ** 2;
    const r = mix(0.016 - 0.006 * Math.abs(k / 3), 0.026 - 0.017 * Math.abs(k / 3), happy) * size;
    mouth.push({ center: at(x, y, frontAt(x, y)), ru: r, rv: r, color: face.lips, shares: [['head', 1]] });
  }
  const parts: ColoredPart[] = [tube(mouth, 6)];
  for (const side of [1, -1]) {
    const [x, y, e] = [side * 0.17, 0.42, face.eyes];
    const front = frontAt(x, y);
    // A closed eye is a line at the lower lid: the pupil as wide as the eye.
    const open = mix(1 - 0.15 * happy, 0.1, blink);
    const disc = (
      [right, up, out]: Vec3,
      [width, height, depth]: Vec3,
      color: Rgb,
      bone: BoneName,
      rings: number,
    ): ColoredPart =>
      ball(
        at(x + right, mix(y + up, y - 0.045 * e, blink), front + out),
        [width * e * size, height * e * size, depth * size],
        color,
        bone,
        [rings, 2 * rings],
      );
    const inward = mix(-0.03 * x, 0, blink);
    const eye = side > 0 ? 'leftEye' : 'rightEye';
    parts.push(
      disc([0, 0, -0.022], [0.076, 0.098 * open, 0.045], WHITE, 'head', 5),
      disc([inward, -0.006, mix(0.006, -0.01, blink)], [0.054, 0.076 * open, 0.026], face.iris, eye, 5),
      disc(
        [inward, -0.01, mix(0.016, -0.014, blink)],
        [mix(0.036, 0.084, blink), mix(0.052 * open, 0.014, blink), mix(0.02, 0.05, blink)],
        BLACK,
        eye,
        5,
      ),
      disc([-0.03 * x + 0.018 * e, 0.03 * e, mix(0.032, -0.03, blink)], [0.017, 0.02 * open, 0.008], WHITE, eye, 3),
    );
    const brow = (along: number, up: number): Vec3 => {
      const bx = side * along;
      const by = y + 0.115 * e + up + 0.02 * happy - 0.012 * blink;
      return at(bx, by, frontAt(bx, by) - 0.002);
    };
    parts.push(pill([brow(0.1, 0.012), brow(0.245, -0.008)], [0.019 * size, 0.012 * size], face.brows, 'head', 6));
  }
  return parts;
}

/** A ball of hair or hat: center and radii. */
type Lock = readonly [center: Vec3, radii: Vec3, isCoarse?: boolean];

function locks(figure: Figure, color: Rgb, all: readonly Lock[]): ColoredPart[] {
  const { size, at } = headSpace(figure);
  return all.map(([center, radii, isCoarse]) =>
    ball(
      at(...center),
      [radii[0] * size, radii[1] * size, radii[2] * size],
      color,
      'head',
      isCoarse === true ? [5, 9] : [6, 12],
    ),
  );
}

/** Hair to the chin, with a fringe and two buns. */
export function buns(figure: Figure, color: Rgb, bands: Rgb): ColoredPart[] {
  const fringe = [-0.3, -0.15, 0, 0.15, 0.3].map((x): Lock => {
    return [[x, 0.74 - 0.1 * Math.abs(x), frontAt(x * 0.9, 0.74) - 0.03], [0.115, 0.17, 0.08], true];
  });
  return [
    ...locks(figure, color, [
      [
        [0, 0.58, 0.0],
        [0.5, 0.52, 0.5],
      ],
      [
        [0, 0.25, -0.2],
        [0.44, 0.38, 0.26],
      ],
      [[0.43, 0.33, 0.1], [0.1, 0.3, 0.16], true],
      [[-0.43, 0.33, 0.1], [0.1, 0.3, 0.16], true],
      [
        [0.4, 1.04, -0.02],
        [0.21, 0.21, 0.21],
      ],
      [
        [-0.4, 1.04, -0.02],
        [0.21, 0.21, 0.21],
      ],
      ...fringe,
    ]),
    ...locks(figure, bands, [
      [[0.31, 0.93, -0.01], [0.15, 0.07, 0.15], true],
      [[-0.31, 0.93, -0.01], [0.15, 0.07, 0.15], true],
    ]),
  ];
}

/** A ponytail and a band around the forehead. */
export function ponytail(figure: Figure, color: Rgb, band: Rgb): ColoredPart[] {
  const { size, at } = headSpace(figure);
  const ring = (y: number): Ring => ({
    center: at(0, y, SKULL.front - 0.01),
    ru: (SKULL.width + 0.028) * fullness(y) * size,
    rv: (SKULL.depth + 0.028) * fullness(y) * size,
    color: band,
    shares: [['head', 1]],
  });
  return [
    ...locks(figure, color, [
      [
        [0, 0.62, 0.0],
        [0.48, 0.475, 0.475],
      ],
      [[0, 0.88, -0.44], [0.14, 0.14, 0.14], true],
      [[0, 0.74, -0.6], [0.15, 0.2, 0.14], true],
      [[0, 0.5, -0.64], [0.13, 0.24, 0.12], true],
      [[0, 0.26, -0.62], [0.08, 0.2, 0.08], true],
    ]),
    tube([ring(0.655), ring(0.66), ring(0.74), ring(0.745)], 22),
  ];
}

export function cap(figure: Figure, color: Rgb, visor: Rgb, hair: Rgb): ColoredPart[] {
  const { size, at } = headSpace(figure);
  return [
    ...locks(figure, hair, [
      [
        [0, 0.5, -0.03],
        [0.475, 0.46, 0.45],
      ],
    ]),
    ...locks(figure, color, [
      [
        [0, 0.72, 0.03],
        [0.495, 0.38, 0.51],
      ],
      [[0, 1.1, 0.03], [0.06, 0.04, 0.06], true],
    ]),
    ball(at(0, 0.69, 0.6), [0.36 * size, 0.035 * size, 0.3 * size], visor, 'head', [4, 16]),
  ];
}

export function beard(figure: Figure, color: Rgb): ColoredPart[] {
  return locks(figure, color, [
    [
      [0, 0.08, 0.2],
      [0.4, 0.27, 0.38],
    ],
    [[0.1, 0.225, 0.55], [0.12, 0.05, 0.07], true],
    [[-0.1, 0.225, 0.55], [0.12, 0.05, 0.07], true],
    [[0.41, 0.34, 0.12], [0.06, 0.2, 0.13], true],
    [[-0.41, 0.34, 0.12], [0.06, 0.2, 0.13], true],
    [
      [0, 0.4, -0.17],
      [0.4, 0.22, 0.23],
    ],
  ]);
}

/** The head of a robot: a helmet with a dark visor, two lights for eyes, and an antenna. */
export function robotHead(figure: Figure, shell: Rgb, visor: Rgb, light: Rgb): ColoredPart[] {
  const { size, at } = headSpace(figure);
  const rings: Ring[] = [];
  // A rounded box: a superellipse of the fourth degree from below.
  for (let ring = 0; ring <= 12; ring++) {
    const sine = Math.sin(Math.PI * (ring / 12 - 0.5));
    const full = (1 - sine ** 4) ** 0.25 * size;
    rings.push({
      center: at(0, 0.45 + 0.5 * sine, 0.06),
      ru: 0.52 * full,
      rv: 0.44 * full,
      color: shell,
      shares: [['head', 1]],
    });
  }
  const eye = (side: number): ColoredPart =>
    ball(at(side * 0.17, 0.47, 0.57), [0.085 * size, 0.11 * size, 0.05 * size], light, 'head', [5, 10]);
  return [
    tube(rings, 20),
    ball(at(0, 0.47, 0.36), [0.5 * size, 0.31 * size, 0.25 * size], visor, 'head', [7, 14]),
    eye(1),
    eye(-1),
    pill([at(0, 0.9, 0.02), at(0, 1.18, 0.02)], [0.025 * size, 0.02 * size], visor, 'head', 6),
    ball(at(0, 1.24, 0.02), [0.07 * size, 0.07 * size, 0.07 * size], light, 'head', [6, 10]),
    ball(at(0.53, 0.45, 0.04), [0.07 * size, 0.16 * size, 0.16 * size], visor, 'head', [5, 10]),
    ball(at(-0.53, 0.45, 0.04), [0.07 * size, 0.16 * size, 0.16 * size], visor, 'head', [5, 10]),
  ];
}
