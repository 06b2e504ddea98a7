/** Pictures of docs/usd-skel.md: small scenes of UsdSkel, drawn as the library computes them. */
import type { Issue } from '../src/core/report/issue.ts';
import { readBindings, skelRoots } from '../src/formats/usd/skel/bindings.ts';
import { deformPrim, planPrim } from '../src/formats/usd/skel/deform/deform-prim.ts';
import { readAnimatedSkeleton, sampleSkeleton } from '../src/formats/usd/skel/skeleton-sample.ts';
import { openStage } from '../src/formats/usd/stage/open-stage.ts';
import { parseUsda } from '../src/formats/usd/text/parse-usda.ts';
import { FONT, px, text } from '../src/preview/svg.ts';

const INK = '#1f2937';
const QUIET = '#6b7280';
const SKIN = '#bfdbfe';
const BONE = '#b91c1c';
const API = 'prepend apiSchemas = ["SkelBindingAPI"]';

/** Deformed points of a bound mesh (xyz) and its joint positions (xy). */
interface Shown {
  readonly points: ArrayLike<number>;
  readonly joints: readonly (readonly [x: number, y: number])[];
}

function svg(width: number, height: number, parts: readonly string[]): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const paper = `<rect width="${width}" height="${height}" fill="#ffffff"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${FONT}">\n${[paper, ...parts].join('\n')}\n</svg>\n`;
}

/** Computes the first bound mesh of every SkelRoot of a scene, at its default values. */
function show(scene: string): Map<string, Shown> {
  const stage = openStage(parseUsda(`#usda 1.0\n${scene}`));
  const issues: Issue[] = [];
  const shown = skelRoots(stage).flatMap((root): [string, Shown][] => {
    const [binding] = readBindings(stage, root).bindings;
    if (binding === undefined) return [];
    const { skeleton, issues: found } = readAnimatedSkeleton(stage, binding.skeleton, binding.animation);
    if (skeleton === null) throw new Error(`${binding.skeleton} is not valid.`);
    const sample = sampleSkeleton(stage, skeleton, 'default');
    const deformer = planPrim(stage, binding.prims[0], skeleton);
    const { points, issues: deformIssues } = deformPrim(stage, deformer, sample, 'default');
    issues.push(...found, ...deformer.issues, ...sample.issues, ...deformIssues);
    const { skel } = sample;
    const joints = skeleton.definition.joints.map((_, joint): [number, number] => {
      if (skel === null) throw new Error(`${binding.skeleton} has no pose.`);
      return [skel[16 * joint + 12], skel[16 * joint + 13]];
    });
    return [[root, { points, joints }]];
  });
  if (issues.length > 0) throw new Error(issues[0].message);
  return new Map(shown);
}

/** Writes a matrix that rotates by degrees about z, then translates. */
function matrix(x: number, y: number, degrees = 0): string {
  const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return `((${c}, ${s}, 0, 0), (${-s}, ${c}, 0, 0), (0, 0, 1, 0), (${x}, ${y}, 0, 1))`;
}

function rotation(degrees: number): string {
  const half = (degrees * Math.PI) / 360;
  return `(${Math.cos(half)}, 0, 0, ${Math.sin(half)})`;
}

const STRIP = Array.from({ length: 17 }, (_, i) => i / 8);

/** Writes a strip of two units along x, with joints at 0 and 1 and a tip at 2, that bends smoothly at the elbow. */
function armPrims(shoulderRest: number, elbowRest: number): string {
  const outline = [...STRIP.map((x) => [x, 0.13]), ...STRIP.toReversed().map((x) => [x, -0.13])];
  const lower = outline.map(([x]) => Math.min(1, Math.max(0, (x - 0.75) / 0.5)));
  const primvar = (name: string, values: readonly number[]): string =>
    `${name} = [${values.join(', ')}] (\nelementSize = 2\ninterpolation = "vertex"\n)`;
  return `rel skel:skeleton = </Arm/Skel>
    def Skeleton "Skel" {
      uniform token[] joints = ["Shoulder", "Shoulder/Elbow", "Shoulder/Elbow/Tip"]
      uniform matrix4d[] bindTransforms = [${matrix(0, 0)}, ${matrix(1, 0)}, ${matrix(2, 0)}]
      uniform matrix4d[] restTransforms = [${matrix(0, 0, shoulderRest)}, ${matrix(1, 0, elbowRest)}, ${matrix(1, 0)}]
    }
    def Mesh "Strip" (
      ${API}
    ) {
      point3f[] points = [${outline.map(([x, y]) => `(${x}, ${y}, 0)`).join(', ')}]
      ${primvar(
        'int[] primvars:skel:jointIndices',
        outline.flatMap(() => [0, 1]),
      )}
      ${primvar(
        'float[] primvars:skel:jointWeights',
        lower.flatMap((weight) => [1 - weight, weight]),
      )}
    }`;
}

function animation(
  name: string,
  joints: readonly (readonly [path: string, x: number, degrees: number])[],
  scales = true,
) {
  return `def SkelAnimation "${name}" {
    uniform token[] joints = [${joints.map(([path]) => `"${path}"`).join(', ')}]
    float3[] translations = [${joints.map(([, x]) => `(${x}, 0, 0)`).join(', ')}]
    quatf[] rotations = [${joints.map(([, , degrees]) => rotation(degrees)).join(', ')}]
    ${scales ? `half3[] scales = [${joints.map(() => '(1, 1, 1)').join(', ')}]` : ''}
  }`;
}

/** Writes a scene with one arm; `more` is further content of its SkelRoot. */
function armScene(more: string, rest: readonly [number, number] = [0, 0]): string {
  return `def SkelRoot "Arm" (
    ${API}
  ) {
    ${more}
    ${armPrims(...rest)}
  }`;
}

/** Draws a strip with its joints; the shoulder is at (x, y), `unit` is the scale in pixels. */
function drawArm({ points, joints }: Shown, x: number, y: number, unit: number): string {
  const at = (px_: number, py: number): string => `${px(x + unit * px_)},${px(y - unit * py)}`;
  const outline = Array.from({ length: points.length / 3 }, (_, i) => at(points[3 * i], points[3 * i + 1]));
  const bones = joints.map(([jx, jy]) => at(jx, jy));
  const dots = bones.map((point) => {
    const [cx, cy] = point.split(',');
    return `<circle cx="${cx}" cy="${cy}" r="3" fill="${BONE}"/>`;
  });
  return [
    `<polygon points="${outline.join(' ')}" fill="${SKIN}" stroke="${INK}" stroke-width="1"/>`,
    `<polyline points="${bones.join(' ')}" fill="none" stroke="${BONE}" stroke-width="1.5"/>`,
    ...dots,
  ].join('\n');
}

function only(scene: string): Shown {
  const [shown] = show(scene).values();
  return shown;
}

/** Draws the bind pose, the rest pose, a sparse animation and an ignored animation. */
export function usdPoses(): string {
  const rest = [20, 50] as const;
  const bound = 'rel skel:animationSource = </Arm/Bend>';
  const bend = (scales: boolean): string => `${bound}\n${animation('Bend', [['Shoulder/Elbow', 1, -60]], scales)}`;
  const panels: readonly (readonly [title: string, about: string, shown: Shown])[] = [
    ['bind pose', 'pose in which the points were bound', only(armScene(''))],
    ['no animation', 'the rest pose', only(armScene('', rest))],
    ['joints = ["Shoulder/Elbow"]', 'the shoulder keeps the rest pose', only(armScene(bend(true), rest))],
    ['the same without scales', 'ignored: rest pose', only(armScene(bend(false), rest))],
  ];
  return svg(
    880,
    210,
    panels.flatMap(([title, about, shown], i) => [
      text(220 * i + 14, 24, 13, INK, title),
      text(220 * i + 14, 42, 11, QUIET, about),
      drawArm(shown, 220 * i + 30, 170, 75),
    ]),
  );
}

/** Draws references to one character, each with its own animation. */
export function usdCrowd(): string {
  const poses = [
    [10, 20],
    [70, -50],
    [45, 45],
    [-15, 100],
    [80, 10],
    [25, -70],
  ];
  const takes = poses.map(([shoulder, elbow], i) =>
    animation(`Take${i}`, [
      ['Shoulder', 0, shoulder],
      ['Shoulder/Elbow', 1, elbow],
    ]),
  );
  const members = poses.map(
    (_, i) => `def "Member${i}" (
      ${API}
      prepend references = </Arm>
    ) {
      rel skel:animationSource = </Take${i}>
    }`,
  );
  const shown = show([armScene(''), ...takes, ...members].join('\n'));
  const cell = (name: string, title: string, i: number): string[] => {
    const one = shown.get(name);
    if (one === undefined) throw new Error(`${name} is not bound.`);
    const [x, y] = [220 * (i % 4), 190 * Math.floor(i / 4)];
    return [text(x + 14, y + 22, 12, INK, title), drawArm(one, x + 40, y + 155, 54)];
  };
  const cells = poses.flatMap((_, i) => cell(`/Member${i}`, `</Member${i}> plays </Take${i}>`, i + 1));
  return svg(880, 390, [...cell('/Arm', '</Arm>, without animation', 0), ...cells]);
}

const LIP = Array.from({ length: 13 }, (_, i) => i / 6 - 1);
/** Lift of the lip per shape, from its middle to its corners. */
const SMILES: readonly (readonly [weight: number, lift: (x: number) => number])[] = [
  [0.25, (x) => 0.12 * x ** 4],
  [0.5, (x) => 0.75 * x ** 2],
  [1, (x) => 0.3 * x ** 2 + 0.12 * Math.abs(x)],
];

/** Computes the points of the lip at a weight. */
function lip(weight: number): ArrayLike<number> {
  const offsets = (lift: (x: number) => number): string => `[${LIP.map((x) => `(0, ${lift(x)}, 0)`).join(', ')}]`;
  const [quarter, half, full] = SMILES.map(([, lift]) => offsets(lift));
  const scene = `def SkelRoot "Face" (
    ${API}
  ) {
    rel skel:skeleton = </Face/Skel>
    rel skel:animationSource = </Face/Anim>
    def Skeleton "Skel" {
    }
    def SkelAnimation "Anim" {
      uniform token[] blendShapes = ["smile"]
      float[] blendShapeWeights = [${weight}]
    }
    def Mesh "Lip" (
      ${API}
    ) {
      point3f[] points = [${LIP.map((x) => `(${x}, 0, 0)`).join(', ')}]
      uniform token[] skel:blendShapes = ["smile"]
      rel skel:blendShapeTargets = </Face/Lip/Smile>
      def BlendShape "Smile" {
        uniform vector3f[] offsets = ${full}
        uniform vector3f[] inbetweens:quarter = ${quarter} (
          weight = 0.25
        )
        uniform vector3f[] inbetweens:half = ${half} (
          weight = 0.5
        )
      }
    }
  }`;
  return only(scene).points;
}

/** Draws a lip at several weights, and the height of its corner over the weight. */
export function usdInBetweens(): string {
  const weights = [-0.25, 0, 0.125, 0.25, 0.375, 0.5, 0.75, 1, 1.25];
  const lips = weights.flatMap((weight, i) => {
    const points = lip(weight);
    const line = LIP.map((_, k) => `${px(95 * i + 60 + 34 * points[3 * k])},${px(110 - 60 * points[3 * k + 1])}`);
    const isShape = [0, ...SMILES.map(([at]) => at)].includes(weight);
    return [
      `<polyline points="${line.join(' ')}" fill="none" stroke="${isShape ? BONE : INK}" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/>`,
      text(95 * i + 60, 150, 12, isShape ? BONE : INK, String(weight), ' text-anchor="middle"'),
    ];
  });
  const at = (weight: number, height: number): [string, string] => [px(180 + 360 * weight), px(330 - 120 * height)];
  const corner = (weight: number): number => lip(weight)[3 * (LIP.length - 1) + 1];
  const curve = Array.from({ length: 61 }, (_, i) => i / 40 - 0.25).map((weight) =>
    at(weight, corner(weight)).join(','),
  );
  const [x0, y0] = at(-0.25, 0);
  const [x1] = at(1.25, 0);
  const marks = [0, ...SMILES.map(([weight]) => weight)].flatMap((weight) => {
    const [x, y] = at(weight, corner(weight));
    return [
      `<circle cx="${x}" cy="${y}" r="4" fill="${BONE}"/>`,
      text(Number(x), Number(y0) + 30, 11, BONE, String(weight), ' text-anchor="middle"'),
    ];
  });
  return svg(880, 380, [
    text(14, 24, 13, INK, 'the lip by weight; red: weights with an authored shape'),
    ...lips,
    text(14, 195, 13, INK, 'height of its corner over the weight'),
    `<path d="M${x0} ${y0}H${x1}" stroke="${QUIET}" stroke-width="1"/>`,
    `<polyline points="${curve.join(' ')}" fill="none" stroke="${INK}" stroke-width="2"/>`,
    ...marks,
  ]);
}
