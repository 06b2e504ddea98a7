import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Asset } from '../../../src/core/asset/asset.ts';
import { FormatError } from '../../../src/core/report/format-error.ts';
import { openBytes } from '../../../src/files/open.ts';
import { asset, assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { FIGURE_JOINTS, poseFigure, type Turn, walkingFigure } from '../../support/make/point-figure.ts';
import { peopleKeypoints, positionBvh, walkKeypoints, walkTrc } from '../../support/make/point-files.ts';
import { expectNear } from '../../support/near.ts';

async function read(text: string): Promise<Asset> {
  return (await openBytes(new TextEncoder().encode(text))).asset;
}

/** Positions of the hips, xyz per frame. */
function hipsOf({ clips }: Asset, clip = 0): ArrayLike<number> {
  return clips[clip].clips[0].tracks.find(({ path }) => path === 'translation')?.values ?? [];
}

/** Rotations of a node by its name. */
function rotationsOf({ clips, skeletons }: Asset, name: string): ArrayLike<number> {
  const node = skeletons[0].skeleton.names.indexOf(name);
  return clips[0].clips[0].tracks.find(({ path, target }) => path === 'rotation' && target === node)?.values ?? [];
}

const codes = ({ issues }: Asset): string[] => issues.map(({ code }) => code);
const message = ({ issues }: Asset): string => issues.map((issue) => issue.message).join(' ');

/** Positions of the pelvis of the figure. */
const HIPS = Array.from({ length: 6 }, (_, frame) => walkingFigure(6, 30).slice(66 * frame, 66 * frame + 3)).flat();
const BY_DECIMALS = 2e-5;

async function refusal(text: string): Promise<FormatError> {
  try {
    await read(text);
  } catch (error) {
    if (error instanceof FormatError) return error;
  }
  throw new Error('not refused');
}

describe('TRC', () => {
  it('reads names, rate, unit and positions', async () => {
    const file = await read(walkTrc(6));
    expect(file.format).toBe('points');
    expect(codes(file)).toEqual([]);
    expect(file.clips).toHaveLength(1);
    expect(file.clips[0].duration).toBeCloseTo(5 / 30, 6);
    expectNear(hipsOf(file), HIPS, BY_DECIMALS);
  });

  it.each([
    ['mm', 1000],
    ['cm', 100],
    ['inches', 1 / 0.0254],
  ])('converts %s', async (unit, factor) => {
    const file = await read(walkTrc(6, { unit, change: (point) => point.map((value) => value * factor) }));
    expect(codes(file)).toEqual([]);
    expectNear(hipsOf(file), HIPS, BY_DECIMALS);
  });

  it('finds unit and up axis of a file that does not say them', async () => {
    const change = ([x, y, z]: readonly number[]): number[] => [1000 * x, -1000 * z, 1000 * y];
    const file = await read(walkTrc(6, { unit: '', change }));
    expect(codes(file)).toEqual(['POINTS_ASSUMED']);
    expect(message(file)).toContain('lengths in mm, +Z up');
    expectNear(hipsOf(file), HIPS, BY_DECIMALS);
    expectNear(rotationsOf(file, 'leftUpperArm'), rotationsOf(await read(walkTrc(6)), 'leftUpperArm'), 1e-9);
  });

  it('mirrors left-handed positions, so that feet point forward', async () => {
    const file = await read(walkTrc(6, { change: ([x, y, z]) => [-x, y, z] }));
    expect(message(file)).toContain('left-handed axes');
    expectNear(rotationsOf(file, 'leftLowerLeg'), rotationsOf(await read(walkTrc(6)), 'leftLowerLeg'), 1e-9);
  });

  it('bridges empty cells and zeros', async () => {
    const wrist = FIGURE_JOINTS.indexOf('left_wrist');
    const empty = await read(walkTrc(6, { isLost: (frame, joint) => frame === 3 && joint === wrist }));
    expect(codes(empty)).toEqual(['POINTS_BRIDGED']);
    expect(message(empty)).toContain('"left_wrist"');
    const whole = walkTrc(6).split('\r\n');
    const row = whole[8].split('\t');
    row.splice(2 + 3 * wrist, 3, '0.000', '0.000', '0.000');
    whole[8] = row.join('\t');
    expect(codes(await read(whole.join('\r\n')))).toEqual(['POINTS_BRIDGED']);
  });

  it('says that markers on the skin must be solved', async () => {
    const names = FIGURE_JOINTS.map((_, k) => ['LASI', 'RASI', 'C7', 'T10', 'LELB', 'CLAV'][k] ?? `M${k}`);
    const error = await refusal(walkTrc(6, { names }));
    expect(error.code).toBe('POINTS_NOT_BODY');
    expect(error.message).toContain('"LASI", "RASI"');
    expect(error.message).toContain('OpenSim');
  });

  it.each(['PathFileType\t4\n', 'PathFileType\t4\na\nb\nc\nd\ne\n', 'PathFileType\t4\na\nb\nFrame#\tTime\tRHip\n\n\n'])(
    'refuses %j',
    async (text) => expect((await refusal(text)).code).toBe('POINTS_SYNTAX'),
  );
});

describe('keypoints in JSON', () => {
  const frames = JSON.parse(walkKeypoints(6)).frames as number[][][];
  const flat = frames.map((frame) => frame.flat());
  const byName = frames.map((frame) => Object.fromEntries(FIGURE_JOINTS.map((joint, k) => [joint, frame[k]])));
  const objects = frames.map((frame) => frame.map(([x, y, z]) => ({ x, y, z, visibility: 0.9 })));

  it.each<[string, unknown]>([
    ['names, rate and frames of points', JSON.parse(walkKeypoints(6))],
    ['a list of frames', frames],
    ['flat numbers', { fps: 30, frames: flat }],
    ['points as objects', { frame_rate: 30, frames: objects }],
    ['points by name', { fps: 30, frames: byName }],
    [
      'frames with times in milliseconds',
      { frames: frames.map((keypoints, k) => ({ timestamp: (1000 * k) / 30, keypoints })) },
    ],
    ['a member for positions', { fps: 30, joint_names: FIGURE_JOINTS, positions: frames }],
    [
      'instances of MMPose',
      {
        meta_info: { fps: 30 },
        instance_info: frames.map((keypoints, k) => ({
          frame_id: k + 1,
          instances: [{ keypoints, keypoint_scores: keypoints.map(() => 0.9) }],
        })),
      },
    ],
    ['people', { fps: 30, frames: frames.map((keypoints_3d) => ({ people: [{ keypoints_3d }] })) }],
  ])('reads %s', async (_, json) => {
    const file = await read(JSON.stringify(json));
    expectNear(hipsOf(file), HIPS, BY_DECIMALS);
    expect(file.clips[0].duration).toBeCloseTo(5 / 30, 4);
    expectNear(rotationsOf(file, 'rightUpperLeg'), rotationsOf(await read(walkKeypoints(6)), 'rightUpperLeg'), 1e-9);
  });

  it('keeps several people apart by their ids, with their places', async () => {
    const file = await read(peopleKeypoints(6));
    expect(file.clips.map(({ name }) => name)).toEqual(['person 7', 'person 3']);
    const [one, other] = [hipsOf(file, 0), hipsOf(file, 1)];
    for (let at = 0; at < one.length; at += 3) expect(other[at] - one[at]).toBeCloseTo(2, 4);
  });

  const at = (joint: string): number => FIGURE_JOINTS.indexOf(joint);

  /** 20 frames of the figure in a pose, with bent knees and a forearm that moves. */
  function posedFrames(turns: Readonly<Record<string, readonly Turn[]>>): number[][][] {
    return Array.from({ length: 20 }, (_, frame) => {
      const flat = poseFigure({
        turns: { left_knee: [['x', 10]], right_knee: [['x', 10]], ...turns, left_elbow: [['y', -20 + frame]] },
      });
      return FIGURE_JOINTS.map((_, joint) => flat.slice(3 * joint, 3 * joint + 3));
    });
  }

  /** The figure as landmarks of MediaPipe, of which only limbs are known. `turn` changes a point with +Y up. */
  function landmarksOf(
    turn: (point: readonly number[]) => readonly number[],
    figure: readonly number[][][] = JSON.parse(walkKeypoints(20)).frames,
  ): object[][] {
    return figure.map((frame) => {
      const middle = [0, 1, 2].map((c) => (frame[at('left_hip')][c] + frame[at('right_hip')][c]) / 2);
      const points = Array.from({ length: 33 }, () => ({ x: 0, y: 0, z: 0, visibility: 0 }));
      for (const [k, joint] of [
        ...['shoulder', 'elbow', 'wrist'].flatMap((one, i) => [
          [11 + 2 * i, `left_${one}`] as const,
          [12 + 2 * i, `right_${one}`] as const,
        ]),
        ...['hip', 'knee', 'ankle'].flatMap((one, i) => [
          [23 + 2 * i, `left_${one}`] as const,
          [24 + 2 * i, `right_${one}`] as const,
        ]),
      ]) {
        const [x, y, z] = turn([0, 1, 2].map((c) => frame[at(joint)][c] - middle[c]));
        points[k] = { x, y, z, visibility: 0.9 };
      }
      return points;
    });
  }

  it('reads world landmarks of MediaPipe: Y down, origin between the hips', async () => {
    const worldLandmarks = landmarksOf(([x, y, z]) => [x, -y, -z]);
    const file = await read(
      JSON.stringify({ fps: 30, frames: worldLandmarks.map((one) => ({ worldLandmarks: [one] })) }),
    );
    expect(codes(file)).toEqual(['POINTS_ASSUMED', 'POINTS_CENTERED']);
    expect(message(file)).toContain('mediapipe33');
    // Upright, on the ground, and bent like the figure.
    expect(hipsOf(file)[1]).toBeGreaterThan(0.7);
    expectNear(rotationsOf(file, 'leftLowerLeg'), rotationsOf(await read(walkKeypoints(20)), 'leftLowerLeg'), 1e-3);
  });

  it.each<[string, (point: readonly number[]) => readonly number[]]>([
    ['+Y up', ([x, y, z]) => [x, y, z]],
    ['+Z up', ([x, y, z]) => [x, -z, y]],
  ])('reads landmarks of MediaPipe that a program turned to %s', async (up, turn) => {
    const file = await read(JSON.stringify({ fps: 30, frames: landmarksOf(turn) }));
    expect(message(file)).toContain(up);
    expect(hipsOf(file)[1]).toBeGreaterThan(0.7);
    expectNear(rotationsOf(file, 'leftLowerLeg'), rotationsOf(await read(walkKeypoints(20)), 'leftLowerLeg'), 1e-3);
  });

  it.each<[string, Readonly<Record<string, readonly Turn[]>>]>([
    ['who lies across the picture', { pelvis: [['z', 90]] }],
    ['who lies with the head to the camera', { pelvis: [['x', 90]] }],
    [
      'in a plank, feet to the camera',
      {
        pelvis: [
          ['x', 90],
          ['y', 180],
        ],
        left_shoulder: [['y', -90]],
        right_shoulder: [['y', 90]],
      },
    ],
    ['in a handstand', { pelvis: [['z', 180]], left_shoulder: [['z', 80]], right_shoulder: [['z', -80]] }],
  ])('keeps Y down in landmarks of MediaPipe of somebody %s', async (_, turns) => {
    const landmarks = landmarksOf(([x, y, z]) => [x, -y, -z], posedFrames(turns));
    expect(message(await read(JSON.stringify({ fps: 30, frames: landmarks })))).not.toMatch(/[XYZ] up/);
  });

  it('keeps Y down in landmarks of MediaPipe of a few frames', async () => {
    const landmarks = landmarksOf(([x, y, z]) => [x, y, z]).slice(0, 5);
    expect(message(await read(JSON.stringify({ fps: 30, frames: landmarks })))).not.toMatch(/[XYZ] up/);
  });

  it('mirrors no body that sits cross-legged, whose feet are nearly parallel to shins', async () => {
    const sitting = posedFrames({}).map((frame) => {
      const points = frame.map((point) => [...point]);
      for (const [side, sign] of [
        ['left', 1],
        ['right', -1],
      ] as const) {
        const [x, y, z] = points[at(`${side}_hip`)];
        points[at(`${side}_knee`)] = [x + 0.29 * sign, y, z + 0.28];
        points[at(`${side}_ankle`)] = [x - 0.1 * sign, y - 0.04, z + 0.16];
        points[at(`${side}_foot`)] = [x - 0.2 * sign, y, z + 0.21];
      }
      return points;
    });
    const file = await read(JSON.stringify({ fps: 30, joints: FIGURE_JOINTS, frames: sitting }));
    expect(message(file)).not.toContain('left-handed');
  });

  it('takes a wrist that is never seen for missing, not for the origin of all positions', async () => {
    const unseen = frames.map((frame) => frame.map((point, joint) => (joint === at('left_wrist') ? [0, 0, 0] : point)));
    const file = await read(JSON.stringify({ fps: 30, joints: FIGURE_JOINTS, frames: unseen }));
    expect(file.skeletons[0].skeleton.names).not.toContain('leftHand');
    expect(file.skeletons[0].skeleton.names).toContain('rightHand');
  });

  it('follows people of whom many points are lost in a frame', async () => {
    const moved = (frame: number[][], by: number): number[][] => frame.map(([x, y, z]) => [x + by, y, z]);
    const people = frames.map((frame, k) => {
      const far = moved(frame, 2.5).map((point, joint) => (k === 3 && joint > 4 ? [0, 0, 0] : point));
      return { people: [{ keypoints3d: far }, { keypoints3d: moved(frame, 0.5) }] };
    });
    const file = await read(JSON.stringify({ fps: 30, joints: FIGURE_JOINTS, frames: people }));
    for (const [clip, x] of [2.5, 0.5].entries())
      for (let frame = 0; frame < 6; frame++) expect(hipsOf(file, clip)[3 * frame]).toBeCloseTo(x, 3);
  });

  it('bridges points at exactly the origin, except the one that positions are relative to', async () => {
    const centered = frames.map((frame) => frame.map((point) => point.map((value, c) => value - frame[0][c])));
    const relative = await read(JSON.stringify({ fps: 30, joints: FIGURE_JOINTS, frames: centered }));
    expect(codes(relative)).not.toContain('POINTS_BRIDGED');
    const wrist = FIGURE_JOINTS.indexOf('left_wrist');
    const lost = frames.map((frame, k) =>
      frame.map((point, joint) => (k === 3 && joint === wrist ? [0, 0, 0] : point)),
    );
    const file = await read(JSON.stringify({ fps: 30, joints: FIGURE_JOINTS, frames: lost }));
    expect(codes(file)).toEqual(['POINTS_BRIDGED']);
    expect(message(file)).toContain('"left_wrist"');
  });

  it('tells Human3.6M from COCO, which have 17 points each', async () => {
    const h36m = [
      'pelvis',
      'right_hip',
      'right_knee',
      'right_ankle',
      'left_hip',
      'left_knee',
      'left_ankle',
      'spine2',
      'neck',
      'head',
      'head',
    ];
    const arms = ['left_shoulder', 'left_elbow', 'left_wrist', 'right_shoulder', 'right_elbow', 'right_wrist'];
    const pick = (frame: number[][], names: readonly string[]): number[][] =>
      names.map((name) => frame[FIGURE_JOINTS.indexOf(name)]);
    const lifted = await read(
      JSON.stringify({ fps: 30, frames: frames.map((frame) => pick(frame, [...h36m, ...arms])) }),
    );
    expect(message(lifted)).toContain('h36m17');
    const sided = ['shoulder', 'elbow', 'wrist', 'hip', 'knee', 'ankle'].flatMap((joint) => [
      `left_${joint}`,
      `right_${joint}`,
    ]);
    const face = Array.from({ length: 5 }, () => 'head');
    const coco = await read(
      JSON.stringify({ fps: 30, frames: frames.map((frame) => pick(frame, [...face, ...sided])) }),
    );
    expect(message(coco)).toContain('coco17');
    const onHeels = posedFrames({
      ...{ left_hip: [['x', -75]], right_hip: [['x', -75]], left_knee: [['x', 155]], right_knee: [['x', 155]] },
    });
    const sitting = onHeels.map((frame) => pick(frame, [...h36m, ...arms]));
    expect(message(await read(JSON.stringify({ fps: 30, frames: sitting })))).toContain('h36m17');
  });

  it('refuses keypoints in pixels and landmarks in units of the image, and says why', async () => {
    const pixels = frames.map((frame) => frame.flatMap(([x, y]) => [640 + 100 * x, 900 - 300 * y, 0.9]));
    const flatImage = await refusal(JSON.stringify({ frames: pixels.map((keypoints) => ({ keypoints })) }));
    expect(flatImage.code).toBe('POINTS_WITHOUT_DEPTH');
    const pairs = await refusal(JSON.stringify({ frames: frames.map((frame) => frame.map(([x, y]) => [x, y])) }));
    expect(pairs.code).toBe('POINTS_WITHOUT_DEPTH');
    const landmarks = Array.from({ length: 33 }, (_, k) => ({ x: 0.4 + k / 200, y: 0.2 + k / 60, z: -0.1 - k / 400 }));
    const image = await refusal(JSON.stringify({ frames: [{ landmarks: [landmarks] }] }));
    expect(image.message).toContain('worldLandmarks');
  });

  it.each([
    ['{"frames":', /cannot be parsed/],
    ['{"frames":[]}', /no positions of joints/],
    ['{"frames":[{"label":"walk"}]}', /no positions of joints/],
    ['[[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]]', /4 points per person and does not name them/],
    ['{"frames":[[[0,0,0],[1,0,0],[0,1,0],[0,0,1]],[[0,0,0],[1,0,0],[0,1,0],[0,0,1],[2,2,2]]]}', /4, 5 points/],
  ])('refuses %s', async (text, expected) => {
    expect((await refusal(text)).message).toMatch(expected);
  });
});

describe('BVH with positions only', () => {
  it('is read as joint positions', async () => {
    const file = await read(positionBvh(6));
    expect(file.format).toBe('points');
    expectNear(hipsOf(file), HIPS, BY_DECIMALS);
    expectNear(rotationsOf(file, 'leftUpperLeg'), rotationsOf(await read(walkTrc(6)), 'leftUpperLeg'), 1e-3);
  });
});

describe.skipIf(!HAS_ASSETS)('files of other programs', () => {
  it('reads a TRC of Pose2Sim', async () => {
    const bytes = readFileSync(asset('assets', 'json', 'pose2sim_balancing_0-100.trc'));
    const { asset: file } = await openBytes(bytes);
    expect(codes(file)).toEqual([]);
    expect(file.clips[0].duration).toBeCloseTo(99 / 60, 4);
    expect(file.skeletons[0].skeleton.names).toEqual(expect.arrayContaining(['leftToes', 'rightToes', 'head']));
  });

  it.each(assetFiles('assets/json/openpose_balancing', 'json').slice(0, 2))('refuses %s, which is 2D', async (path) => {
    await expect(openBytes(readFileSync(path))).rejects.toThrow(/but no depth/);
  });
});
