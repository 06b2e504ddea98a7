import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BONE, BONES } from '../../../src/core/humanoid/bones.ts';
import { describeHumanoid } from '../../../src/core/humanoid/describe-humanoid.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { JOINT_SETS, type JointSet } from '../../../src/core/points/joint-sets.ts';
import {
  motionFromPoints,
  motionsFromPoints,
  type PersonMotion,
  type PointMotion,
} from '../../../src/core/points/motion-from-points.ts';
import { LAW_RUNS } from '../../support/law-runs.ts';
import { FIGURE_JOINTS, poseFigure, type Turn, walkingFigure } from '../../support/make/point-figure.ts';
import { createMotionSampler, sampleMotion } from '../../support/reference/motion-sampler.ts';
import { POINT_DIRECTION_DEGREES, POINT_TWIST_DEGREES } from '../../support/tolerances.ts';

const RATE = 30;

/** Upper and lower bones of the limbs, with the joints of the figure at their ends. */
const SEGMENTS = ['left', 'right'].flatMap((side) => [
  [`${side}UpperArm`, `${side}_shoulder`, `${side}_elbow`],
  [`${side}LowerArm`, `${side}_elbow`, `${side}_wrist`],
  [`${side}UpperLeg`, `${side}_hip`, `${side}_knee`],
  [`${side}LowerLeg`, `${side}_knee`, `${side}_ankle`],
]);

function humanoidOf({ skeleton, declared }: Pick<PersonMotion, 'skeleton' | 'declared'>): Humanoid {
  const { humanoid } = describeHumanoid(skeleton, { declared, metersPerUnit: 1 });
  if (humanoid === null) throw new Error('not humanoid');
  return humanoid;
}

/** Positions of the bones of a solved motion, xyz per bone, frame by frame. */
function solvedFrames(motion: PersonMotion, frames: number): Float64Array[] {
  const sampler = createMotionSampler(humanoidOf(motion), motion.clip);
  return Array.from({ length: frames }, (_, frame) => {
    sampleMotion(sampler, frame / RATE);
    return sampler.positions.slice();
  });
}

function angle(u: readonly number[], v: readonly number[]): number {
  const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const dot = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  return (Math.atan2(Math.hypot(...cross), dot) * 180) / Math.PI;
}

function way(positions: ArrayLike<number>, from: number, to: number): number[] {
  return [0, 1, 2].map((c) => positions[3 * to + c] - positions[3 * from + c]);
}

/** The greatest angle between the limbs of positions and of a motion, degrees. */
function worstDirection(positions: readonly number[], motion: PersonMotion): number {
  const count = FIGURE_JOINTS.length;
  const frames = positions.length / (3 * count);
  const solved = solvedFrames(motion, frames);
  let worst = 0;
  for (let frame = 0; frame < frames; frame++) {
    const given = positions.slice(3 * count * frame, 3 * count * (frame + 1));
    for (const [bone, from, to] of SEGMENTS) {
      const at = BONES.indexOf(bone as never);
      const end = BONES.indexOf(SEGMENTS.find(([, start]) => start === to)?.[0] as never);
      const next =
        end >= 0 ? end : BONES.indexOf(bone.replace('LowerArm', 'Hand').replace('LowerLeg', 'Foot') as never);
      const one = way(given, FIGURE_JOINTS.indexOf(from), FIGURE_JOINTS.indexOf(to));
      worst = Math.max(worst, angle(one, way(solved[frame], at, next)));
    }
  }
  return worst;
}

const walking = (frames = 40): PointMotion => ({
  joints: 'smpl22',
  positions: Float64Array.from(walkingFigure(frames, RATE)),
  frameRate: RATE,
});

describe('motionFromPoints', () => {
  it('gives every limb the direction of its joints', () => {
    const { positions } = walking();
    expect(worstDirection(Array.from(positions), motionFromPoints(walking()))).toBeLessThan(POINT_DIRECTION_DEGREES);
  });

  it('law: limbs have the directions of any pose', () => {
    const turn = fc.tuple(fc.constantFrom<Turn[0]>('x', 'y', 'z'), fc.double({ min: -170, max: 170, noNaN: true }));
    const turns = fc.record(
      Object.fromEntries(FIGURE_JOINTS.map((joint) => [joint, fc.array(turn, { maxLength: 2 })])),
    ) as fc.Arbitrary<Record<string, Turn[]>>;
    fc.assert(
      fc.property(fc.array(turns, { minLength: 1, maxLength: 4 }), (poses) => {
        const positions = poses.flatMap((pose) => poseFigure({ turns: pose }));
        const motion = motionFromPoints({ joints: 'smpl22', positions: Float64Array.from(positions), frameRate: RATE });
        for (const { values } of motion.clip.tracks) expect(values.every(Number.isFinite)).toBe(true);
        expect(worstDirection(positions, motion)).toBeLessThan(POINT_DIRECTION_DEGREES);
      }),
      { numRuns: LAW_RUNS },
    );
  });

  it('law: a motion that is turned about the vertical axis and moved has the same local rotations', () => {
    const base = walking(12);
    const reference = motionFromPoints(base).clip.tracks;
    fc.assert(
      fc.property(
        fc.double({ min: -Math.PI, max: Math.PI, noNaN: true }),
        fc.double({ min: -5, max: 5, noNaN: true }),
        (yaw, dx) => {
          const positions = base.positions.slice();
          for (let at = 0; at < positions.length; at += 3) {
            const [x, z] = [positions[at], positions[at + 2]];
            positions[at] = Math.cos(yaw) * x + Math.sin(yaw) * z + dx;
            positions[at + 2] = -Math.sin(yaw) * x + Math.cos(yaw) * z;
          }
          const { tracks } = motionFromPoints({ ...base, positions }).clip;
          for (const [k, { path, target, values }] of tracks.entries()) {
            if (path !== 'rotation' || target === 0) continue;
            for (let at = 0; at < values.length; at += 4) {
              let dot = 0;
              for (let c = 0; c < 4; c++) dot += values[at + c] * reference[k].values[at + c];
              expect(1 - Math.abs(dot)).toBeLessThan(1e-9);
            }
          }
        },
      ),
      { numRuns: LAW_RUNS },
    );
  });

  it('turns the upper arm with the bend of the elbow: palm-down arms that bend up twist by 90°', () => {
    const pose = poseFigure({ turns: { left_elbow: [['z', 80]], right_elbow: [['z', -80]] } });
    const motion = motionFromPoints({ joints: 'smpl22', positions: Float64Array.from(pose), frameRate: RATE });
    const sampler = createMotionSampler(humanoidOf(motion), motion.clip);
    sampleMotion(sampler, 0);
    const [x, , , w] = sampler.worldDeltas.subarray(4 * BONE.leftUpperArm, 4 * BONE.leftUpperArm + 4);
    expect(Math.abs((2 * Math.atan2(x, w) * 180) / Math.PI)).toBeCloseTo(90, 0);
  });

  it('keeps the twist of a leg while its knee passes through straight', () => {
    const frames = 31;
    const positions = Array.from({ length: frames }, (_, frame) =>
      // The thigh is turned outward by 40°; the knee straightens in the middle and overextends by a degree.
      poseFigure({ turns: { left_hip: [['y', 40]], left_knee: [['x', Math.abs(frame - 15) * 3 - 1]] } }),
    ).flat();
    const motion = motionFromPoints({ joints: 'smpl22', positions: Float64Array.from(positions), frameRate: RATE });
    const sampler = createMotionSampler(humanoidOf(motion), motion.clip);
    for (let frame = 0; frame < frames; frame++) {
      sampleMotion(sampler, frame / RATE);
      const [, y, , w] = sampler.worldDeltas.subarray(4 * BONE.leftUpperLeg, 4 * BONE.leftUpperLeg + 4);
      expect(Math.abs((2 * Math.atan2(y, w) * 180) / Math.PI - 40)).toBeLessThan(POINT_TWIST_DEGREES);
    }
  });

  it('keeps neighboring quaternions in one hemisphere and bone lengths constant', () => {
    const { clip, skeleton } = motionFromPoints(walking());
    for (const { path, values } of clip.tracks) {
      if (path !== 'rotation') continue;
      for (let at = 4; at < values.length; at += 4) {
        let dot = 0;
        for (let c = 0; c < 4; c++) dot += values[at + c] * values[at + c - 4];
        expect(dot).toBeGreaterThan(0);
      }
    }
    expect(
      clip.tracks.filter(({ path }) => path === 'translation').map(({ target }) => skeleton.names[target]),
    ).toEqual(['hips']);
    const { rest, names } = skeleton;
    const thigh = names.indexOf('leftLowerLeg');
    expect(Math.hypot(rest[10 * thigh], rest[10 * thigh + 1], rest[10 * thigh + 2])).toBeCloseTo(0.4, 6);
  });

  it('stands on the ground and faces +Z at rest', () => {
    const humanoid = humanoidOf(motionFromPoints(walking()));
    expect(humanoid.ground).toBe(0);
    expect(humanoid.reference.positions[3 * BONE.leftUpperArm]).toBeGreaterThan(0);
    expect(humanoid.height).toBeGreaterThan(1.3);
    for (const degrees of Object.values(humanoid.reference.deviationDegrees)) expect(degrees).toBeLessThan(1);
  });

  it('bridges missing positions with the moving limb and says so', () => {
    const { positions, ...motion } = walking();
    const holes = positions.slice();
    const elbow = FIGURE_JOINTS.indexOf('left_elbow');
    for (let frame = 10; frame < 14; frame++)
      holes.fill(Number.NaN, 3 * (22 * frame + elbow), 3 * (22 * frame + elbow) + 3);
    const bridged = motionFromPoints({ ...motion, positions: holes });
    expect(bridged.issues.map(({ code }) => code)).toEqual(['POINTS_BRIDGED']);
    expect(bridged.issues[0].message).toContain('0.13 s of "left_elbow"');
    // A tenth of a swing is bridged on an arc: it stays within a few degrees of the motion.
    expect(worstDirection(Array.from(positions), bridged)).toBeLessThan(8);
  });

  it('does not use positions below the confidence', () => {
    const motion = walking();
    const positions = motion.positions.slice();
    const confidences = new Float64Array(positions.length / 3).fill(0.9);
    const wrist = FIGURE_JOINTS.indexOf('left_wrist');
    positions[3 * (22 * 7 + wrist)] += 3;
    confidences[22 * 7 + wrist] = 0.1;
    const clean = motionFromPoints({ ...motion, positions, confidences });
    expect(worstDirection(Array.from(motion.positions), clean)).toBeLessThan(8);
  });

  it('raises hips that are the origin of all positions so that the lowest foot stands', () => {
    const frames = 20;
    const centered = walkingFigure(frames, RATE, [0, -0.95, 0]);
    const motion = motionFromPoints({ joints: 'smpl22', positions: Float64Array.from(centered), frameRate: RATE });
    expect(motion.issues.map(({ code }) => code)).toEqual(['POINTS_CENTERED']);
    for (const positions of solvedFrames(motion, frames)) {
      const toes = Math.min(positions[3 * BONE.leftToes + 1], positions[3 * BONE.rightToes + 1]);
      const ankles = Math.min(positions[3 * BONE.leftFoot + 1], positions[3 * BONE.rightFoot + 1]);
      expect(Math.min(toes, ankles)).toBeGreaterThan(-0.01);
      expect(toes).toBeLessThan(0.1);
    }
  });

  it('keeps the places of several people on one skeleton', () => {
    const people = [[0, 0, 0] as const, [1.5, 0, 0.25] as const].map(
      (place, k): PointMotion => ({
        ...walking(),
        name: `person ${k + 1}`,
        positions: Float64Array.from(walkingFigure(10, RATE, place)),
      }),
    );
    const { clips } = motionsFromPoints(people);
    expect(clips.map(({ name }) => name)).toEqual(['person 1', 'person 2']);
    const [one, other] = clips.map(({ tracks }) => tracks.find(({ path }) => path === 'translation')?.values ?? []);
    expect([0, 1, 2].map((c) => other[c] - one[c])).toEqual([1.5, 0, 0.25]);
  });

  it.each(Object.keys(JOINT_SETS) as JointSet[])('knows the joints of %s', (set) => {
    // Random points: what counts is which joints become bones.
    const count = JOINT_SETS[set].length;
    const positions = Float64Array.from({ length: 3 * count * 3 }, (_, k) => Math.sin(k * k + 1));
    const { skeleton, clip } = motionFromPoints({ joints: set, positions, frameRate: RATE });
    expect(skeleton.names).toEqual(expect.arrayContaining(['hips', 'spine', 'neck', 'head']));
    for (const bone of ['UpperArm', 'LowerArm', 'Hand', 'UpperLeg', 'LowerLeg', 'Foot'])
      expect(skeleton.names).toEqual(expect.arrayContaining([`left${bone}`, `right${bone}`]));
    expect(clip.tracks).toHaveLength(skeleton.names.length + 1);
  });

  it('gives fingers and toes to the joint lists that show them', () => {
    const bonesOf = (set: JointSet): readonly string[] => {
      const count = JOINT_SETS[set].length;
      const positions = Float64Array.from({ length: 3 * count }, (_, k) => Math.sin(k * k + 1));
      return motionFromPoints({ joints: set, positions, frameRate: RATE }).skeleton.names;
    };
    expect(bonesOf('smplx55')).toContain('leftIndexDistal');
    expect(bonesOf('soma77')).toContain('rightLittleProximal');
    expect(bonesOf('mediapipe33')).toContain('leftToes');
    expect(bonesOf('mediapipe33')).not.toContain('leftIndexProximal');
    expect(bonesOf('coco17')).not.toContain('leftToes');
  });

  it('reads rigs by the names that the bone mapper knows', () => {
    const names = FIGURE_JOINTS.map(
      (joint) =>
        ({
          pelvis: 'mixamorig:Hips',
          spine1: 'mixamorig:Spine',
          spine2: 'mixamorig:Spine1',
          spine3: 'mixamorig:Spine2',
          neck: 'mixamorig:Neck',
          head: 'mixamorig:Head',
        })[joint] ??
        `mixamorig:${joint.startsWith('left') ? 'Left' : 'Right'}${
          {
            hip: 'UpLeg',
            knee: 'Leg',
            ankle: 'Foot',
            foot: 'ToeBase',
            collar: 'Shoulder',
            shoulder: 'Arm',
            elbow: 'ForeArm',
            wrist: 'Hand',
          }[joint.replace(/^.*_/, '')]
        }`,
    );
    const motion = motionFromPoints({ ...walking(), joints: names });
    expect(worstDirection(Array.from(walking().positions), motion)).toBeLessThan(POINT_DIRECTION_DEGREES);
  });

  it.each([
    [{ joints: ['a', 'b'] }, /shoulders and both hip joints/],
    [{ joints: 'smpl23' as JointSet }, /expected names, or one of smpl22/],
    [{ positions: new Float64Array(65) }, /expected 1 to 250000 frames of 22 joints/],
    [{ frameRate: 0 }, /frame rate is 0/],
    [{ confidences: new Float64Array(3) }, /3 confidences; expected 880/],
    [{ parents: [0] }, /parents/],
    [{ positions: new Float64Array(66).fill(Number.NaN) }, /No position is that of leftUpperArm/],
  ])('refuses %o', (change, message) => {
    const positions = Float64Array.from(walkingFigure(40, RATE)).slice(
      0,
      'joints' in change && Array.isArray(change.joints) ? 6 : undefined,
    );
    expect(() => motionFromPoints({ ...walking(), positions, ...change } as PointMotion)).toThrow(message as RegExp);
  });
});
