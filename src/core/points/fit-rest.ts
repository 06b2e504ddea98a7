/** Fits the T-pose of a body to its points: constant bone lengths, and where hips, chest, feet and hands carry the next joints. */
import { BONE } from '../humanoid/bones.ts';
import { medianOf } from '../math/median.ts';
import * as vec3 from '../math/vec3.ts';
import { BODY_SIDES, type PointBody, type SidePoints } from './point-body.ts';
import { ROLE, ROLE_COUNT } from './roles.ts';
import { HINGE_STRIDE, HINGES, measureHinges, showsHead, solveFoot, solveLimbs, solveTrunk } from './solve-frame.ts';

/** Degrees that the resting trunk and neck may lean: a clip in which a person sits or bends shows how they sit, not how they stand. */
const TRUNK_LEAN = 15;
const NECK_LEAN = 35;
/** Pitch of the line from ankle to toe joint in a standing foot, degrees: usual, least and most. */
const FOOT_PITCH = 28;
const FOOT_PITCH_RANGE = [5, 55] as const;
const DEGREE = Math.PI / 180;
/** Heights of joints above the sole, for legs of one meter. */
const TOES_ABOVE_SOLE = 0.02;
const ANKLE_ABOVE_SOLE = 0.085;

/** Turns a direction up, which leans by more than an angle in the plane of symmetry, back to it. */
function limitLean(direction: Float64Array, degrees: number): void {
  direction[0] = 0;
  const lean = Math.atan2(direction[2], direction[1]);
  const limit = degrees * DEGREE;
  const angle = Math.max(-limit, Math.min(limit, lean));
  direction[1] = Math.cos(angle);
  direction[2] = Math.sin(angle);
}

/**
 * Fits the T-pose of a body to frames of its points. Lengths are medians over the frames; the curve of the trunk at rest is its median curve. `body`:
 * its `rest` is replaced. `count`: number of frames, at least one.
 */
export function fitRest(
  body: PointBody,
  { count, read }: { count: number; read: (frame: number, out: Float64Array) => void },
): void {
  const { has, rest, trunk, spine, bones } = body;
  const prior = rest.slice();
  const all = Array.from({ length: count }, (_, frame) => {
    const points = new Float64Array(3 * ROLE_COUNT);
    read(frame, points);
    return points;
  });
  const rotations = all.map(() => new Float64Array(4 * BONE.rightLittleDistal + 4));
  const samples = new Float64Array(count);
  const way = new Float64Array(3);
  const median = (value: (frame: number) => number): number => {
    for (let frame = 0; frame < count; frame++) samples[frame] = value(frame);
    return medianOf(samples);
  };
  const lengthOf = (from: number, to: number): number =>
    median((frame) => vec3.distance(all[frame], 3 * from, all[frame], 3 * to));
  /** Median of the way between two points, in the axes of a bone. */
  const offsetIn = (bone: number, from: number, to: number): Float64Array =>
    Float64Array.from([0, 1, 2], (axis) =>
      median((frame) => {
        vec3.subtract(way, 0, all[frame], 3 * to, all[frame], 3 * from);
        vec3.rotateBack(way, 0, rotations[frame], 4 * bone, way, 0);
        return way[axis];
      }),
    );
  const place = (role: number, from: number, offset: ArrayLike<number>, scale = 1): void => {
    vec3.addScaled(rest, 3 * role, rest, 3 * from, offset, 0, scale);
  };
  const priorOffset = (role: number, from: number): Float64Array => {
    const offset = new Float64Array(3);
    vec3.subtract(offset, 0, prior, 3 * role, prior, 3 * from);
    return offset;
  };
  const mirrored = ([x, y, z]: Float64Array): Float64Array => Float64Array.of(-x, y, z);
  /** Places the points of both sides: symmetric means of both. */
  const placeSides = (
    role: (side: SidePoints) => number,
    from: (side: SidePoints) => number,
    offset: (side: SidePoints) => Float64Array,
  ): void => {
    const [left, right] = [offset(BODY_SIDES[0]), mirrored(offset(BODY_SIDES[1]))];
    vec3.lerp(left, 0, left, 0, right, 0, 0.5);
    place(role(BODY_SIDES[0]), from(BODY_SIDES[0]), left);
    place(role(BODY_SIDES[1]), from(BODY_SIDES[1]), mirrored(left));
  };

  // The trunk: first straight, then with its median curve.
  const joints = [...trunk, ...(showsHead(body) ? [BONE.head] : [])];
  const straight = Float64Array.of(0, 1, 0);
  rest.fill(0, 0, 3);
  for (let k = 1; k < joints.length; k++) place(joints[k], joints[k - 1], straight, lengthOf(joints[k - 1], joints[k]));
  if (!showsHead(body)) place(BONE.head, BONE.neck, priorOffset(BONE.head, BONE.neck));
  const line = [...trunk];
  const whole: PointBody = { ...body, trunk: [BONE.hips, BONE.neck], spine: [BONE.spine, BONE.chest] };
  for (const [frame, points] of all.entries()) solveTrunk(whole, points, rotations[frame]);
  const directions = joints.slice(1).map((joint, k) => {
    const direction = offsetIn(BONE.chest, joints[k], joint);
    limitLean(direction, k < line.length - 1 ? TRUNK_LEAN : NECK_LEAN);
    return direction;
  });
  for (const [k, direction] of directions.entries())
    place(joints[k + 1], joints[k], direction, lengthOf(joints[k], joints[k + 1]));
  // Bones of the spine that no point shows are on the way.
  const shown = trunk.length - 2;
  if (shown < 2) {
    const first = trunk[1];
    vec3.lerp(rest, 3 * spine[0], rest, 0, rest, 3 * first, shown === 0 ? 1 / 3 : 0.4);
    if (shown === 0) vec3.lerp(rest, 3 * spine[1], rest, 0, rest, 3 * first, 2 / 3);
    else vec3.copy(rest, 3 * spine[1], rest, 3 * first);
  }
  for (const [frame, points] of all.entries()) solveTrunk(body, points, rotations[frame]);

  const top = spine[spine.length - 1];
  placeSides(
    (side) => side.upperLeg,
    () => BONE.hips,
    (side) => offsetIn(BONE.hips, BONE.hips, side.upperLeg),
  );
  const hasCollars = BODY_SIDES.every(({ shoulder }) => has[shoulder] === 1);
  const width = lengthOf(BODY_SIDES[0].upperArm, BODY_SIDES[1].upperArm);
  placeSides(
    (side) => side.shoulder,
    () => BONE.neck,
    (side) => (hasCollars ? offsetIn(top, BONE.neck, side.shoulder) : Float64Array.of(side.sign * 0.1 * width, 0, 0)),
  );
  placeSides(
    (side) => side.upperArm,
    (side) => side.shoulder,
    (side) => {
      const offset = offsetIn(top, BONE.neck, side.upperArm);
      for (let c = 0; c < 3; c++) offset[c] -= rest[3 * side.shoulder + c] - rest[3 * BONE.neck + c];
      return offset;
    },
  );

  for (const side of BODY_SIDES) {
    const arm = Float64Array.of(side.sign, 0, 0);
    const down = Float64Array.of(0, -1, 0);
    const chain = (upper: number, lower: number, end: number, direction: Float64Array): void => {
      for (const [from, to] of [
        [upper, lower],
        [lower, end],
      ])
        place(to, from, direction, bones[to] === 1 ? lengthOf(from, to) : vec3.length(priorOffset(to, from), 0));
    };
    chain(side.upperArm, side.lowerArm, side.hand, arm);
    chain(side.upperLeg, side.lowerLeg, side.foot, down);
    // Hands and feet first as those of an adult.
    for (const role of [...side.fingers.flat(), side.handTip, side.thumbKnuckle, side.indexKnuckle, side.littleKnuckle])
      place(role, side.hand, priorOffset(role, side.hand));
    for (const role of [side.toes, side.heel, side.bigToe, side.smallToe, side.toeTip])
      place(role, side.foot, priorOffset(role, side.foot));
  }
  for (const role of [
    'headTop',
    'nose',
    'leftEar',
    'rightEar',
    'leftFaceEye',
    'rightFaceEye',
    'leftMouth',
    'rightMouth',
  ])
    place(ROLE[role], BONE.head, priorOffset(ROLE[role], BONE.head));

  const hinges = new Float64Array(HINGES * HINGE_STRIDE);
  const solveAll = (): void =>
    all.forEach((points, frame) => {
      measureHinges(body, points, hinges, 0);
      solveLimbs(body, points, hinges, 0, rotations[frame]);
    });
  solveAll();
  for (const side of BODY_SIDES) {
    if (bones[side.foot] === 1) fitFoot(side);
    if (bones[side.hand] === 1) fitHand(side);
  }

  function fitFoot(side: SidePoints): void {
    const toe = [side.toes, side.bigToe, side.smallToe, side.toeTip].filter((role) => has[role] === 1);
    if (toe.length === 0) return;
    if (has[side.heel] === 0) {
      const [role] = toe;
      const length = lengthOf(side.foot, role);
      const pitch = standingPitch(side, role, length);
      place(role, side.foot, Float64Array.of(0, -Math.sin(pitch), Math.cos(pitch)), length);
    } else {
      // With a heel, the line from heel to toes is level.
      const level = Float64Array.of(0, 0, 1);
      for (const role of toe) place(role, side.heel, level, lengthOf(side.heel, role));
    }
    for (const [frame, points] of all.entries()) solveFoot(side, body, points, rotations[frame]);
    for (const role of [side.heel, ...toe]) {
      if (has[role] === 0 || (role === toe[0] && has[side.heel] === 0)) continue;
      place(role, side.foot, offsetIn(side.foot, side.foot, role));
    }
    if (has[side.toes] === 1) return;
    // The joint is behind the tips.
    const tips = [side.bigToe, side.smallToe, side.toeTip].filter((role) => has[role] === 1);
    for (let c = 0; c < 3; c++) {
      const tip = tips.reduce((sum, role) => sum + rest[3 * role + c], 0) / tips.length;
      const ankle = rest[3 * side.foot + c];
      rest[3 * side.toes + c] = ankle + 0.7 * (tip - ankle);
    }
    rest[3 * side.toes + 1] = Math.min(...tips.map((role) => rest[3 * role + 1])) + TOES_ABOVE_SOLE;
  }

  /** Pitch of a foot that stands: of the frames in which its toes are lowest. */
  function standingPitch(side: SidePoints, toe: number, length: number): number {
    const heights = Float64Array.from(all, (points) => points[3 * toe + 1]);
    const lowest = heights.slice().sort()[Math.floor(0.05 * (count - 1))];
    const low: number[] = [];
    all.forEach((points, frame) => {
      if (heights[frame] > lowest + 0.02) return;
      const drop = points[3 * side.foot + 1] - heights[frame];
      low.push(Math.asin(Math.max(-1, Math.min(1, drop / length))) / DEGREE);
    });
    const pitch = low.length === 0 ? FOOT_PITCH : medianOf(Float64Array.from(low));
    const isStanding = pitch >= FOOT_PITCH_RANGE[0] && pitch <= FOOT_PITCH_RANGE[1];
    return (isStanding ? pitch : FOOT_PITCH) * DEGREE;
  }

  function fitHand(side: SidePoints): void {
    const knuckles = [...side.fingers.map(([first]) => first), side.handTip, side.thumbKnuckle, side.indexKnuckle];
    for (const role of [...knuckles, side.littleKnuckle])
      if (has[role] === 1) place(role, side.hand, offsetIn(side.hand, side.hand, role));
    side.fingers.forEach((chain, finger) => {
      const direction =
        finger === 0 ? Float64Array.of(side.sign * Math.SQRT1_2, 0, Math.SQRT1_2) : Float64Array.of(side.sign, 0, 0);
      for (let k = 1; k < chain.length; k++) {
        const isShown = has[chain[k]] === 1 && has[chain[k - 1]] === 1;
        const length = isShown
          ? lengthOf(chain[k - 1], chain[k])
          : vec3.distance(prior, 3 * chain[k], prior, 3 * chain[k - 1]);
        place(chain[k], chain[k - 1], direction, length);
      }
    });
  }
}

/** Height of the hips above the soles in the T-pose of a body, meters. */
export function restHipsHeight({ has, rest, bones }: PointBody): number {
  let lowest = Infinity;
  for (const side of BODY_SIDES) {
    const leg = rest[3 * side.upperLeg + 1] - rest[3 * side.foot + 1];
    const isShown = [side.heel, side.bigToe, side.smallToe].filter((role) => has[role] === 1);
    for (const role of isShown) lowest = Math.min(lowest, rest[3 * role + 1]);
    if (isShown.length > 0) continue;
    if (bones[side.toes] === 1) lowest = Math.min(lowest, rest[3 * side.toes + 1] - TOES_ABOVE_SOLE * leg);
    else lowest = Math.min(lowest, rest[3 * side.foot + 1] - ANKLE_ABOVE_SOLE * leg);
  }
  return -lowest;
}
