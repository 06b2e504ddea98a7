/**
 * Parses keypoints in JSON, in the forms that detectors and people write: MediaPipe results, MMPose instances, lists of frames with lists of points or with points
 * by name, flat lists of numbers. Positions in pixels are refused.
 */
import { upperMedian } from '../../core/math/median.ts';
import { FormatError } from '../../core/report/format-error.ts';
import { isObject } from '../../core/text/is-object.ts';
import { MAX_NUMBERS, type PointFile, type PointTake } from './point-file.ts';

/** Members that hold the frames, before those that can also hold one frame. */
const FRAMES = ['frames', 'instance_info', 'poses', 'motion', 'sequence', 'results', 'data', 'annotations'];
/** Members that hold positions in space, best first. */
const POINTS_3D = [
  ...['worldLandmarks', 'poseWorldLandmarks', 'pose_world_landmarks', 'world_landmarks'],
  ...[
    'keypoints_3d',
    'keypoints3d',
    'keypoints3D',
    'pose_keypoints_3d',
    'joints_3d',
    'joints3d',
    'joints3D',
    'positions',
  ],
  ...['keypoints', 'joints', 'landmarks', 'poseLandmarks', 'pose_landmarks', 'points', 'markers', 'pose', 'position'],
];
/** Members that hold several people. */
const PEOPLE = ['people', 'persons', 'instances', 'bodies', 'subjects', 'characters', 'tracks'];
const RATES = ['fps', 'frameRate', 'frame_rate', 'framerate', 'frequency', 'sampleRate'];
const NAMES = [
  'joint_names',
  'jointNames',
  'keypoint_names',
  'keypointNames',
  'landmark_names',
  'names',
  'labels',
  'marker_names',
  'joints',
  'keypoints',
  'markers',
];
const TIMES = ['timestamp', 'timestampMs', 'timestamp_ms', 'time', 't'];
const IDS = ['id', 'person_id', 'personId', 'track_id', 'trackId', 'idx'];
const SCORES = ['keypoint_scores', 'scores', 'confidences', 'visibility'];
const POINT_SCORES = ['visibility', 'score', 'confidence', 'c', 'presence', 'v'];
const UNIT_WORDS: Readonly<Record<string, number>> = {
  m: 1,
  meters: 1,
  metres: 1,
  cm: 0.01,
  centimeters: 0.01,
  mm: 0.001,
  millimeters: 0.001,
};

const MAX_POINTS = 1024;
const MAX_PEOPLE = 64;
/** Nested lists and objects around the points. */
const MAX_DEPTH = 8;
interface JsonObject {
  readonly [name: string]: unknown;
}

/** Reads a member that an object has itself: names of a file can be those of its prototype. */
function member(value: JsonObject, names: readonly string[]): unknown {
  const name = names.find((one) => Object.hasOwn(value, one) && value[one] !== null);
  return name === undefined ? undefined : value[name];
}

/** Points of a person in a frame: x, y, z and confidence each; NaN where missing. */
interface FramePoints {
  readonly id: string | null;
  readonly names: readonly string[] | null;
  readonly values: number[];
  readonly isFlat: boolean;
}

function coordinate(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

/** Reads a point: `[x, y, z]`, `[x, y, z, confidence]` or `{ x, y, z }`; null for something else. Without z, it is NaN. */
function readPoint(value: unknown): readonly [x: number, y: number, z: number, confidence: number] | null {
  if (value === null) return [Number.NaN, Number.NaN, Number.NaN, 0];
  if (Array.isArray(value)) {
    const isPoint =
      value.length >= 2 && value.length <= 4 && value.every((one) => typeof one === 'number' || one === null);
    return isPoint
      ? [coordinate(value[0]), coordinate(value[1]), coordinate(value[2]), value.length > 3 ? coordinate(value[3]) : 1]
      : null;
  }
  if (!isObject(value)) return null;
  const has = (name: string): boolean => Object.hasOwn(value, name);
  if (!has('x') || !has('y')) {
    const inner = member(value, ['position', 'pos', 'location', 'point']);
    return inner === undefined ? null : readPoint(Array.isArray(inner) || isObject(inner) ? inner : undefined);
  }
  const score = member(value, POINT_SCORES);
  return [
    coordinate(value['x']),
    coordinate(value['y']),
    has('z') ? coordinate(value['z']) : Number.NaN,
    score === undefined ? 1 : coordinate(score),
  ];
}

function readList(list: readonly unknown[], stride: 3 | 4): number[] | null {
  if (list.length === 0 || list.length > 4 * MAX_POINTS) return null;
  if (list.every((one) => typeof one === 'number' || one === null)) {
    // Three numbers are a point, and less than four points no body.
    if (list.length < 12 || list.length % stride !== 0) return null;
    const values: number[] = [];
    for (let at = 0; at < list.length; at += stride)
      values.push(...[0, 1, 2].map((c) => coordinate(list[at + c])), stride === 4 ? coordinate(list[at + 3]) : 1);
    return values;
  }
  const values: number[] = [];
  for (const one of list) {
    const point = readPoint(one);
    if (point === null) return null;
    values.push(...point);
  }
  return values.length >= 16 ? values : null;
}

/** Names of the points of a list whose items name themselves. */
function listNames(list: readonly unknown[]): string[] | null {
  const names = list.map((one) => (isObject(one) ? member(one, ['name', 'part', 'joint', 'bodyPart']) : undefined));
  return names.length > 0 && names.every((name) => typeof name === 'string') ? (names as string[]) : null;
}

function applyScores(values: number[], scores: unknown): void {
  if (!Array.isArray(scores) || 4 * scores.length !== values.length) return;
  for (const [k, score] of scores.entries()) if (typeof score === 'number') values[4 * k + 3] = score;
}

function readFrame(value: unknown, depth = 0, id: string | null = null): FramePoints[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) {
    const values = readList(value, 3);
    if (values !== null) return [{ id, names: listNames(value), values, isFlat: typeof value[0] === 'number' }];
    return value.slice(0, MAX_PEOPLE).flatMap((one) => (typeof one === 'object' ? readFrame(one, depth + 1, id) : []));
  }
  if (!isObject(value)) return [];
  const ownId = member(value, IDS);
  const isId = typeof ownId === 'number' || typeof ownId === 'string';
  const own = isId ? String(ownId) : id;
  const people = member(value, PEOPLE);
  if (Array.isArray(people)) return readFrame(people, depth + 1, id);
  for (const name of POINTS_3D) {
    const points = Object.hasOwn(value, name) ? value[name] : undefined;
    if (!Array.isArray(points) && !isObject(points)) continue;
    const isQuads = name === 'pose_keypoints_3d' && Array.isArray(points) && points.length % 4 === 0;
    const quads = isQuads ? readList(points as unknown[], 4) : null;
    const found =
      quads === null ? readFrame(points, depth + 1, own) : [{ id: own, names: null, values: quads, isFlat: true }];
    if (found.length === 0) continue;
    if (found.length === 1) applyScores(found[0].values, member(value, SCORES));
    return found;
  }
  return readNamed(value, own);
}

/** Reads points by name: `{ "left_hip": [x, y, z] }`. */
function readNamed(value: JsonObject, id: string | null): FramePoints[] {
  const names: string[] = [];
  const values: number[] = [];
  for (const [name, one] of Object.entries(value)) {
    const point = one === null ? null : readPoint(one);
    if (point === null) continue;
    if (names.length === MAX_POINTS) return [];
    names.push(name);
    values.push(...point);
  }
  return names.length >= 4 ? [{ id, names, values, isFlat: false }] : [];
}

function fail(message: string): never {
  throw new FormatError('POINTS_SYNTAX', message);
}

/** Refuses positions in an image: without depth there is no motion in space. */
function refuseFlat(frames: readonly (readonly FramePoints[])[], isOpenPose: boolean): void {
  const known = frames.flat();
  if (known.length === 0 && !isOpenPose) return;
  let flat = 0;
  let total = 0;
  let depthless = 0;
  for (const { values, isFlat } of known) {
    for (let at = 0; at < values.length; at += 4) {
      const [x, y, z] = values.slice(at, at + 3);
      if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
      total++;
      if (!Number.isFinite(z) || z === 0) depthless++;
      // A third number of a flat list that is always a confidence, beside positions in pixels.
      if (isFlat && z >= 0 && z <= 1 && Math.max(Math.abs(x), Math.abs(y)) > 2) flat++;
    }
  }
  if (!(isOpenPose && known.length === 0) && !(depthless > 0.95 * total) && !(flat > 0.8 * total)) return;
  throw new FormatError(
    'POINTS_WITHOUT_DEPTH',
    'The file has keypoints in an image: x and y, but no depth, which does not show how arms and legs point toward the camera. Expected positions in space. ' +
      'Lift or triangulate them (Pose2Sim, MotionBERT, MediaPipe world landmarks) and use that file.',
  );
}

/** Pose landmarks of MediaPipe, and the hip joints among them. */
const MEDIAPIPE = 33;
const MEDIAPIPE_HIPS = [23, 24];
/** World landmarks have their origin between the hips, meters. */
const AT_ORIGIN = 0.05;

/** Refuses landmarks of MediaPipe in units of the image, whose depth has another scale: its world landmarks are in meters. */
function refuseImageLandmarks(people: readonly FramePoints[]): void {
  const isInImage = ({ values }: FramePoints): boolean => {
    const hips = [0, 1].map((c) => MEDIAPIPE_HIPS.reduce((sum, point) => sum + values[4 * point + c] / 2, 0));
    const isRelative = values.every((value, at) => at % 4 > 1 || (value > -0.5 && value < 1.5));
    return values.length === 4 * MEDIAPIPE && isRelative && Math.hypot(...hips) > AT_ORIGIN;
  };
  if (!(people.filter(isInImage).length > 0.5 * people.length)) return;
  throw new FormatError(
    'POINTS_WITHOUT_DEPTH',
    'The file has landmarks of MediaPipe in units of the image, whose depth has another scale than width and height. Expected world landmarks, which are in ' +
      'meters: save `worldLandmarks` of the same results.',
  );
}

/** Assigns the people of each frame to tracks: by their ids, else by the nearest of the last frame. */
function trackPeople(frames: readonly (readonly FramePoints[])[]): { name: string; points: (FramePoints | null)[] }[] {
  const tracks: { name: string; id: string | null; points: (FramePoints | null)[]; center: number[] }[] = [];
  for (const [frame, people] of frames.entries()) {
    const isFree = new Set(tracks.keys());
    for (const person of people) {
      const center = centerOf(person.values);
      let best = -1;
      let nearest = Infinity;
      for (const track of isFree) {
        if (person.id !== null || tracks[track].id !== null) {
          if (person.id === tracks[track].id) {
            best = track;
            break;
          }
          continue;
        }
        const distance = Math.hypot(...center.map((value, c) => value - tracks[track].center[c]));
        if (distance < nearest) [best, nearest] = [track, distance];
      }
      if (best < 0) {
        if (tracks.length === MAX_PEOPLE) continue;
        best = tracks.length;
        tracks.push({ name: '', id: person.id, points: [], center });
      }
      isFree.delete(best);
      const track = tracks[best];
      while (track.points.length < frame) track.points.push(null);
      track.points.push(person);
      track.center = center;
    }
  }
  // People who are seen in a few frames only are passers-by or mistakes.
  const least = Math.min(frames.length, Math.max(1, 0.05 * frames.length));
  const kept = tracks.filter(({ points }) => points.filter((one) => one !== null).length >= least);
  return kept.map(({ id, points }, k) => ({ name: kept.length === 1 ? '' : `person ${id ?? k + 1}`, points }));
}

/** Finds the middle of the points of a person. Zeros are points that the program lost. */
function centerOf(values: readonly number[]): number[] {
  const sum = [0, 0, 0];
  let count = 0;
  for (let at = 0; at < values.length; at += 4) {
    const point = values.slice(at, at + 3);
    if (!point.every(Number.isFinite) || point.every((value) => value === 0)) continue;
    for (let c = 0; c < 3; c++) sum[c] += point[c];
    count++;
  }
  return sum.map((value) => value / Math.max(1, count));
}

/** The frames of a file: a list, a list in an object, or the file is one frame. */
function findFrames(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return readList(json, 3) === null ? json : [json];
  if (!isObject(json))
    return fail('The JSON is neither a list nor an object; expected frames with positions of joints.');
  const frames = member(json, FRAMES);
  if (Array.isArray(frames)) return frames;
  const points = member(json, POINTS_3D);
  // A list of frames may be in a member that holds one frame elsewhere.
  if (Array.isArray(points) && points.some((one) => Array.isArray(one) && typeof one[0] === 'object')) return points;
  if (Array.isArray(points) && points.some((one) => Array.isArray(one) && one.length >= 12)) return points;
  return [json];
}

function findNames(json: unknown): readonly string[] | null {
  if (!isObject(json)) return null;
  for (const name of NAMES) {
    const list = Object.hasOwn(json, name) ? json[name] : undefined;
    if (Array.isArray(list) && list.length > 0 && list.every((one) => typeof one === 'string')) return list as string[];
  }
  for (const name of ['meta_info', 'meta', 'metadata', 'skeleton', 'info']) {
    const inner = Object.hasOwn(json, name) ? findNames(json[name]) : null;
    if (inner !== null) return inner;
  }
  return null;
}

function findNumber(json: unknown, names: readonly string[]): number | null {
  if (!isObject(json)) return null;
  const value = member(json, names);
  if (typeof value === 'number' && value > 0 && Number.isFinite(value)) return value;
  for (const name of ['meta_info', 'meta', 'metadata', 'info']) {
    const inner = Object.hasOwn(json, name) ? findNumber(json[name], names) : null;
    if (inner !== null) return inner;
  }
  return null;
}

/** Frames per second by the times of the frames: milliseconds where they are further apart than frames of a motion in seconds. */
function rateOfFrames(frames: readonly unknown[]): number | null {
  const times = frames.map((frame) => (isObject(frame) ? member(frame, TIMES) : undefined));
  const steps: number[] = [];
  for (let k = 1; k < times.length; k++) {
    const [before, now] = [times[k - 1], times[k]];
    if (typeof before === 'number' && typeof now === 'number' && now > before) steps.push(now - before);
  }
  const step = upperMedian(steps);
  if (step === undefined) return null;
  // Microseconds, milliseconds, or seconds.
  const rate = (step > 1000 ? 1e6 : step > 1 ? 1e3 : 1) / step;
  return rate <= 10_000 ? Number(rate.toPrecision(6)) : null;
}

/** Names in the order of the first person that has any; points by name are put in that order. */
function toTake(
  name: string,
  points: readonly (FramePoints | null)[],
  frames: number,
  count: number,
  names: readonly string[] | null,
): PointTake {
  const positions = new Float64Array(3 * frames * count).fill(Number.NaN);
  const confidences = new Float64Array(frames * count);
  const order = names === null ? null : new Map(names.map((one, k) => [one, k]));
  for (const [frame, person] of points.entries()) {
    if (person === null) continue;
    for (let k = 0; 4 * k < person.values.length; k++) {
      const at = person.names === null || order === null ? k : (order.get(person.names[k]) ?? -1);
      if (at < 0 || at >= count) continue;
      for (let c = 0; c < 3; c++) positions[3 * (frame * count + at) + c] = person.values[4 * k + c];
      confidences[frame * count + at] = person.values[4 * k + 3];
    }
  }
  return {
    name,
    positions,
    confidences: confidences.some((one) => one > 0 && one < 1) ? confidences : null,
  };
}

/**
 * Parses keypoints in JSON. Throws FormatError `POINTS_SYNTAX` for text that is no JSON or has no positions of joints; `POINTS_WITHOUT_DEPTH` for
 * positions in an image.
 */
export function parseKeypoints(text: string): PointFile {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return fail(`The JSON cannot be parsed: ${(error as Error).message}. Export it again.`);
  }
  const rawFrames = findFrames(json);
  const frames = rawFrames.map((frame) => readFrame(frame));
  refuseFlat(frames, text.includes('"pose_keypoints_2d"'));
  const people = frames.flat();
  refuseImageLandmarks(people);
  if (people.length === 0) {
    return fail(
      'The JSON has no positions of joints. Expected frames with points as [x, y, z] or { "x", "y", "z" }, in a list or by name, such as ' +
        '{ "fps": 30, "joints": ["left_hip", …], "frames": [[[0, 1, 0], …], …] }.',
    );
  }
  const declared = findNames(json);
  const named = people.find(({ names }) => names !== null)?.names ?? null;
  const names = named ?? declared;
  const count = names?.length ?? people[0].values.length / 4;
  const counts = new Set(people.map(({ values }) => values.length / 4));
  if (named === null && (counts.size > 1 || !counts.has(count)))
    return fail(
      `The frames have ${[...counts].slice(0, 4).join(', ')} points${declared === null ? '' : `, but ${count} names are given`}; expected the same number in all. Write null for a missing point.`,
    );
  if (count > MAX_POINTS) return fail(`A person has ${count} points; expected at most ${MAX_POINTS}.`);
  const tracks = trackPeople(frames);
  if (3 * count * frames.length * tracks.length > MAX_NUMBERS)
    return fail(
      `The file has ${frames.length} frames of ${tracks.length} people; at most ${MAX_NUMBERS} numbers can be read. Split the file.`,
    );
  const unit = isObject(json) ? member(json, ['unit', 'units']) : undefined;
  const word = typeof unit === 'string' ? unit.toLowerCase() : '';
  return {
    names,
    count,
    parents: null,
    zerosAreLost: true,
    takes: tracks.map(({ name, points }) => toTake(name, points, frames.length, count, names)),
    frameRate: findNumber(json, RATES) ?? rateOfFrames(rawFrames),
    metersPerUnit: Object.hasOwn(UNIT_WORDS, word) ? UNIT_WORDS[word] : null,
  };
}
