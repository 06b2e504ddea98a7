/** A figure of joint positions, posed by plain forward kinematics that shares no code with the solver. */

type Vector = readonly [number, number, number];
/** Rotation about an axis of the world, degrees. */
export type Turn = readonly [axis: 'x' | 'y' | 'z', degrees: number];

function rotate([x, y, z]: Vector, [axis, degrees]: Turn): Vector {
  const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  if (axis === 'x') return [x, c * y - s * z, s * y + c * z];
  if (axis === 'y') return [c * x + s * z, y, -s * x + c * z];
  return [c * x - s * y, s * x + c * y, z];
}

/** SMPL-like joints by their names: parent, and offset from it in a T-pose that faces +Z. */
const JOINTS: Readonly<Record<string, readonly [parent: string, offset: Vector]>> = {
  pelvis: ['', [0, 0.95, 0]],
  left_hip: ['pelvis', [0.09, -0.08, 0]],
  right_hip: ['pelvis', [-0.09, -0.08, 0]],
  spine1: ['pelvis', [0, 0.11, 0]],
  left_knee: ['left_hip', [0, -0.4, 0]],
  right_knee: ['right_hip', [0, -0.4, 0]],
  spine2: ['spine1', [0, 0.13, 0]],
  left_ankle: ['left_knee', [0, -0.41, 0]],
  right_ankle: ['right_knee', [0, -0.41, 0]],
  spine3: ['spine2', [0, 0.08, 0]],
  left_foot: ['left_ankle', [0, -0.05, 0.12]],
  right_foot: ['right_ankle', [0, -0.05, 0.12]],
  neck: ['spine3', [0, 0.2, 0]],
  left_collar: ['spine3', [0.08, 0.12, 0]],
  right_collar: ['spine3', [-0.08, 0.12, 0]],
  head: ['neck', [0, 0.09, 0]],
  left_shoulder: ['left_collar', [0.1, 0, 0]],
  right_shoulder: ['right_collar', [-0.1, 0, 0]],
  left_elbow: ['left_shoulder', [0.27, 0, 0]],
  right_elbow: ['right_shoulder', [-0.27, 0, 0]],
  left_wrist: ['left_elbow', [0.25, 0, 0]],
  right_wrist: ['right_elbow', [-0.25, 0, 0]],
};

/** Names of the joints, in the order of SMPL. */
export const FIGURE_JOINTS: readonly string[] = Object.keys(JOINTS);

/** Turns of a pose: each turns a joint and all below it, in the axes of its parent; `place` moves the pelvis. */
export interface FigurePose {
  readonly turns: Readonly<Record<string, readonly Turn[]>>;
  readonly place?: Vector;
}

/**
 * Poses the figure.
 *
 * @returns xyz per joint of FIGURE_JOINTS, meters.
 */
export function poseFigure({ turns, place = [0, 0, 0] }: FigurePose): number[] {
  /** Applies the turns of all joints from this one up to the root. */
  const turned = (vector: Vector, joint: string): Vector => {
    let result = vector;
    for (let at = joint; at !== ''; at = JOINTS[at][0])
      for (const turn of turns[at] ?? []) result = rotate(result, turn);
    return result;
  };
  const positionOf = (joint: string): Vector => {
    const [parent, offset] = JOINTS[joint];
    if (parent === '') return [offset[0] + place[0], offset[1] + place[1], offset[2] + place[2]];
    const [x, y, z] = positionOf(parent);
    const [dx, dy, dz] = turned(offset, parent);
    return [x + dx, y + dy, z + dz];
  };
  return FIGURE_JOINTS.flatMap(positionOf);
}

/** A figure that walks in place for a number of frames: every limb swings, the trunk turns. */
export function walkingFigure(frames: number, frameRate: number, place: Vector = [0, 0, 0]): number[] {
  return Array.from({ length: frames }, (_, frame) => {
    const phase = (2 * Math.PI * frame) / frameRate;
    const swing = (degrees: number, shift = 0): number => degrees * Math.sin(phase + shift);
    return poseFigure({
      place,
      turns: {
        pelvis: [['y', swing(8)]],
        spine2: [['y', swing(-12)]],
        left_hip: [['x', swing(30)]],
        right_hip: [['x', swing(-30)]],
        left_knee: [['x', 25 + swing(20, 1)]],
        right_knee: [['x', 25 + swing(-20, 1)]],
        left_shoulder: [
          ['z', -70],
          ['x', swing(-25)],
        ],
        right_shoulder: [
          ['z', 70],
          ['x', swing(25)],
        ],
        left_elbow: [['y', -30 + swing(15)]],
        right_elbow: [['y', 30 + swing(15)]],
      },
    });
  }).flat();
}
