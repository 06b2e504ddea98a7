/** Changes of the build of a humanoid: proportions, one arm posed, twist and palm joints. */
import { BONE, type BoneName } from '../../../../src/core/humanoid/bones.ts';
import { between, pick, type Random } from '../../../../src/demo/random.ts';
import { aboutAxis, minus, plus, product, times, type Vector } from '../../reference/plain.ts';
import {
  appendJoint,
  at,
  direction,
  type Figure,
  type GrowingRig,
  insertJoint,
  posesOf,
  rotateNode,
  scaleOffsets,
} from './growing-rig.ts';

/** Changes the build of a humanoid. */
export type Build = (random: Random, rig: GrowingRig, figure: Figure) => void;

const nodeOf = (rig: GrowingRig, bone: BoneName): number => rig.right[BONE[bone]][0];
const SIDES = ['left', 'right'] as const;

/** Lists the nodes from `node` up to below `top`; empty where `top` is not above it. */
function pathTo(rig: GrowingRig, node: number, top: number): number[] {
  const path: number[] = [];
  let above = node;
  for (; above >= 0 && above !== top; above = rig.parents[above]) path.push(above);
  return above === top ? path : [];
}

/** Lists all nodes below a node. */
function below(rig: GrowingRig, top: number): number[] {
  return rig.parents.flatMap((_, node) => (pathTo(rig, node, top).length > 0 ? [node] : []));
}

/** A head bigger than the trunk: a short spine, everything on the head larger, and an end joint at the crown. */
const bigHead: Build = (random, rig, figure) => {
  const shoulders = [
    ...SIDES.flatMap((side) => pathTo(rig, nodeOf(rig, `${side}UpperArm`), figure.hips)),
    ...pathTo(rig, nodeOf(rig, 'neck'), figure.hips),
  ];
  const spine = shoulders.filter((node) => !SIDES.some((side) => rig.right[BONE[`${side}UpperArm`]].includes(node)));
  scaleOffsets(rig, new Set(spine), between(random, 0.6, 1));
  scaleOffsets(rig, new Set(below(rig, figure.head)), between(random, 1.5, 3));
  const crown = plus(at(rig, figure.head), direction(figure, 0, figure.trunk * between(random, 0.6, 1.6), 0));
  if (random() < 0.7) appendJoint(rig, figure.head, crown, random() < 0.5);
};

/** Lists the nodes from `node` up to below `top`, with their siblings: twist joints, coincident palms. */
function limbNodes(rig: GrowingRig, node: number, top: number): number[] {
  const parents = new Set(pathTo(rig, node, top).map((on) => rig.parents[on]));
  return rig.parents.flatMap((parent, child) => (parents.has(parent) ? [child] : []));
}

/** Legs are at least this long, in trunk lengths. */
const SHORTEST_LEG = 0.45;

const shortLegs: Build = (random, rig, figure) => {
  const nodes = SIDES.flatMap((side) => limbNodes(rig, nodeOf(rig, `${side}Foot`), nodeOf(rig, `${side}UpperLeg`)));
  const least = Math.min(1, (SHORTEST_LEG * figure.trunk) / figure.leg);
  scaleOffsets(rig, new Set(nodes), Math.max(least, between(random, 0.45, 0.9)));
};

const longArms: Build = (random, rig) => {
  const nodes = SIDES.flatMap((side) => limbNodes(rig, nodeOf(rig, `${side}Hand`), nodeOf(rig, `${side}UpperArm`)));
  scaleOffsets(rig, new Set(nodes), between(random, 0.75, 1.3));
};

const unitOf = (v: Vector): Vector => times(v, 1 / (Math.hypot(...v) || 1));

/** Returns the shortest rotation between two directions. */
function shortest(a: Vector, b: Vector): Vector {
  const [x, y] = [unitOf(a), unitOf(b)];
  const cross = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
  const sine = Math.hypot(...cross);
  const cosine = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  return sine < 1e-6 ? [0, 0, 0, 1] : aboutAxis(unitOf(cross), Math.atan2(sine, cosine));
}

/** Rotates one arm at the shoulder and the elbow: raised, forward, down, a fist at the hip. At rest only, or in the bind pose too. */
const armPosed: Build = (random, rig, figure) => {
  const side = pick(random, SIDES);
  const [upper, lower] = [nodeOf(rig, `${side}UpperArm`), nodeOf(rig, `${side}LowerArm`)];
  const out = side === 'left' ? 1 : -1;
  const target = pick(random, [
    [0.3 * out, -1, 0],
    [0.4 * out, 0, 1],
    [out, 0.6, 0.3],
    [out, -0.6, 0.2],
    [0.5 * out, 1, 0],
  ]).map((value) => value + between(random, -0.15, 0.15));
  const turn = shortest(minus(at(rig, lower), at(rig, upper)), direction(figure, target[0], target[1], target[2]));
  const bend = aboutAxis(unitOf(direction(figure, 0, out, between(random, -0.5, 0.5))), -between(random, 0, 1.6));
  const poses = random() < 0.5 && rig.bind !== null ? [rig.rest] : posesOf(rig);
  for (const pose of poses) {
    rotateNode(rig, pose, upper, turn);
    rotateNode(rig, pose, lower, product(turn, bend, [-turn[0], -turn[1], -turn[2], turn[3]]));
  }
};

/** Twist and helper joints beside the bones of the limbs: they end there. */
const twistJoints: Build = (random, rig) => {
  const limbs = [
    ['UpperArm', 'LowerArm'],
    ['LowerArm', 'Hand'],
    ['UpperLeg', 'LowerLeg'],
    ['LowerLeg', 'Foot'],
  ] as const;
  for (const [upper, lower] of limbs) {
    const count = Math.floor(between(random, 0, 4));
    const first = pick(random, [0, 0.5]);
    for (let k = 0; k < count; k++) {
      const t = (k + first) / count;
      for (const side of SIDES) {
        const [a, b] = [nodeOf(rig, `${side}${upper}`), nodeOf(rig, `${side}${lower}`)];
        if (a >= 0 && b >= 0) appendJoint(rig, a, plus(times(at(rig, a), 1 - t), times(at(rig, b), t)));
      }
    }
  }
};

const FINGERS = ['Index', 'Middle', 'Ring', 'Little'] as const;

/** Palm joints between the hand and the fingers: one before each, or one for all of them. */
const palmJoints: Build = (random, rig) => {
  const fraction = between(random, 0.1, 0.55);
  const isShared = random() < 0.25;
  for (const side of SIDES) {
    const hand = nodeOf(rig, `${side}Hand`);
    const fingers = FINGERS.map((finger) => nodeOf(rig, `${side}${finger}Proximal`)).filter(
      (node) => node >= 0 && rig.parents[node] === hand,
    );
    if (fingers.length < 2) continue;
    if (!isShared) for (const finger of fingers) insertJoint(rig, finger, fraction);
    else {
      const positions = fingers.map((finger) => at(rig, finger));
      const middle = times(
        positions.reduce((sum, position) => plus(sum, position), [0, 0, 0]),
        1 / fingers.length,
      );
      const palm = appendJoint(rig, hand, plus(times(at(rig, hand), 1 - fraction), times(middle, fraction)));
      for (const pose of posesOf(rig)) {
        for (const finger of fingers) for (let c = 0; c < 3; c++) pose[10 * finger + c] -= pose[10 * palm + c];
      }
      for (const finger of fingers) rig.parents[finger] = palm;
      dropTranslations(rig, new Set(fingers));
    }
  }
};

/** Removes the translation tracks of nodes: they are relative to another parent now. */
function dropTranslations(rig: GrowingRig, nodes: ReadonlySet<number>): void {
  if (rig.clip === null) return;
  const tracks = rig.clip.tracks.filter(({ target, path }) => path !== 'translation' || !nodes.has(target));
  rig.clip = { ...rig.clip, tracks };
}

/** All changes of the build by name. */
export const BUILDS: Readonly<Record<string, Build>> = {
  bigHead,
  shortLegs,
  longArms,
  armPosed,
  twistJoints,
  palmJoints,
};
