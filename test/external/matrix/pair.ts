/** Retargets one motion to one character with the command line, and measures the written file and the report. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { validateBytes } from 'gltf-validator';
import { run } from '../../../src/cli/run.ts';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { BONE, BONE_COUNT, BONES, type BoneName } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { describeFileHumanoid } from '../../../src/files/humanoid/describe-file-humanoid.ts';
import { openFile } from '../../../src/files/node.ts';
import type { OpenFile } from '../../../src/files/open.ts';
import type { HumanoidReport } from '../../../src/files/reports/humanoid-report.ts';
import { type FootSkateMeasure, measureFootSkate } from '../../support/reference/foot-skate.ts';
import { type JointAngles, measurePoseError, type PoseErrorMeasure } from '../../support/reference/pose-error.ts';
import { hipsShiftOf } from './hips-shift.ts';

/** The result of a pair. */
export interface PairResult {
  readonly motion: string;
  readonly character: string;
  readonly clip: string;
  readonly exit: number;
  /** Why nothing was written; null if a file was written. */
  readonly reason: string | null;
  readonly poseError: PoseErrorMeasure | null;
  /** Foot sliding; null if nothing was written. */
  readonly skate: FootSkateMeasure | null;
  /**
   * Allowed differences of directions: the reported deviations of reference poses (for palms and feet only of non-estimated ones), plus the
   * joint shifts of the motion.
   */
  readonly allowed: JointAngles;
  /** Allowed difference of the hips heights: by how much the motion moves the legs against the hips, in units of the hips height. */
  readonly hipsShift: number;
  /** New codes of gltf-validator, which the character lacks. */
  readonly newCodes: readonly string[];
}

interface RetargetJson {
  readonly ok: boolean;
  readonly clips: readonly { readonly name: string }[];
  readonly source: HumanoidReport;
  readonly target: HumanoidReport;
  readonly issues: readonly { readonly code: string; readonly message: string }[];
  readonly error?: { readonly message: string };
}

const opened = new Map<string, Promise<OpenFile>>();
const codesOfInput = new Map<string, Promise<ReadonlySet<string>>>();

/** Returns the cached value of a key, or creates it. */
function once<T>(known: Map<string, T>, key: string, make: (key: string) => T): T {
  const value = known.get(key) ?? make(key);
  known.set(key, value);
  return value;
}

/** Opens a file once for all pairs. */
export function openOnce(path: string): Promise<OpenFile> {
  return once(opened, path, openFile);
}

async function validatorCodes(path: string): Promise<ReadonlySet<string>> {
  const report = await validateBytes(new Uint8Array(readFileSync(path)), { maxIssues: 0, writeTimestamp: false });
  return new Set(report.issues.messages.map(({ code }: { code: string }) => code));
}

/** Builds the humanoid from a report, so that the measurement depends on the printed values only. */
function humanoidOf(report: HumanoidReport, file: OpenFile): Humanoid {
  const { skeleton, sourceNodes } = file.asset.skeletons[report.skeletonIndex];
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const rotations = new Float64Array(4 * BONE_COUNT);
  const positions = new Float64Array(3 * BONE_COUNT);
  positions.set(report.referencePose.hips);
  // The report has the height of the pelvis, which is between the hip joints.
  for (const bone of [BONE.leftUpperLeg, BONE.rightUpperLeg]) {
    positions.set([positions[0], report.ground + report.hipsHeight, positions[2]], 3 * bone);
  }
  for (const [bone, { node }] of Object.entries(report.bones)) {
    const index = BONES.indexOf(bone as BoneName);
    nodes[index] = sourceNodes.indexOf(node);
    rotations.set(report.referencePose.rotations[bone as BoneName] ?? [0, 0, 0, 1], 4 * index);
  }
  return {
    skeleton,
    map: { nodes, confidence: new Float32Array(BONE_COUNT), from: report.mapFrom },
    reference: { ...report.referencePose, rotations, positions },
    basePose: null,
    frame: Float64Array.from(report.frame),
    metersPerUnit: report.metersPerUnit,
    ground: report.ground,
    hipsHeight: report.hipsHeight,
    height: report.heightMeters,
    issues: [],
  };
}

/**
 * Returns the reports with the poses that a pair is measured from: between a VRM Animation and a VRM the declared ones, as the standard has
 * it, and the straightened ones otherwise.
 */
function posesOfPair(source: HumanoidReport, target: HumanoidReport): [source: HumanoidReport, target: HumanoidReport] {
  const formats = [source, target].map(({ mapFrom }) => mapFrom);
  const isStandard = formats.includes('vrma') && formats.every((format) => ['vrma', 'vrm0', 'vrm1'].includes(format));
  const asDeclared = (report: HumanoidReport): HumanoidReport => {
    const { declaredPose } = report;
    if (!isStandard || declaredPose === undefined) return report;
    const { ground, heightMeters, hipsHeight } = declaredPose;
    return { ...report, referencePose: declaredPose, ground, heightMeters, hipsHeight };
  };
  return [asDeclared(source), asDeclared(target)];
}

function sumOf<Part extends string>(
  deviations: readonly Readonly<Partial<Record<Part, number>>>[],
): Partial<Record<Part, number>> {
  const sum: Partial<Record<Part, number>> = {};
  for (const deviation of deviations) {
    for (const [part, degrees] of Object.entries(deviation) as [Part, number][]) sum[part] = (sum[part] ?? 0) + degrees;
  }
  return sum;
}

/** Returns the joint shifts of a motion that its reference pose does not include. */
function beyond<Part extends string>(
  shifts: Readonly<Partial<Record<Part, number>>>,
  deviation: Readonly<Partial<Record<Part, number>>>,
): Partial<Record<Part, number>> {
  const rest: Partial<Record<Part, number>> = {};
  for (const [part, degrees] of Object.entries(shifts) as [Part, number][]) {
    rest[part] = Math.max(0, degrees - (deviation[part] ?? 0));
  }
  return rest;
}

function allowedAngles(source: HumanoidReport, target: HumanoidReport, shifts: JointAngles): JointAngles {
  const from = source.referencePose;
  const poses = [from, target.referencePose];
  // Parts of a declared pose that are far from a T-pose stay as they are.
  const obeyed = [source, target].flatMap(({ referencePose, declaredPose }) =>
    referencePose.kind !== 'estimated' || declaredPose !== undefined ? [referencePose] : [],
  );
  return {
    directions: sumOf([
      ...poses.map(({ deviationDegrees }) => deviationDegrees),
      beyond(shifts.directions, from.deviationDegrees),
    ]),
    palms: sumOf([...obeyed.map(({ palmDegrees }) => palmDegrees), beyond(shifts.palms, from.palmDegrees)]),
    headings: sumOf([
      ...obeyed.map(({ headingDegrees }) => headingDegrees),
      beyond(shifts.headings, from.headingDegrees),
    ]),
  };
}

const NOTHING: JointAngles = { directions: {}, palms: {}, headings: {} };

/** Measures foot sliding in both motions. The humanoids are described again, because reports do not contain foot positions. */
function skateOf(
  [source, sourceSkeleton, sourceClip]: readonly [OpenFile, number, Clip],
  [target, targetSkeleton, targetClip]: readonly [OpenFile, number, Clip],
  fps: number,
): FootSkateMeasure | null {
  const [from, to] = [describeFileHumanoid(source, sourceSkeleton), describeFileHumanoid(target, targetSkeleton)];
  if (from.humanoid === null || to.humanoid === null) return null;
  return measureFootSkate(from.humanoid, sourceClip, to.humanoid, targetClip, { fps });
}

/** Runs a command line in this process and records its output. */
async function runCommand(argv: readonly string[]): Promise<{ exit: number; stdout: string }> {
  let stdout = '';
  const exit = await run(argv, {
    stdout: {
      isTerminal: false,
      write: (text) => {
        stdout += text;
      },
    },
    stderr: { isTerminal: false, write: () => {} },
    env: {},
    script: 'anyrig',
  });
  return { exit, stdout };
}

const converted = new Map<string, Promise<string>>();
const conversions = mkdtempSync(join(tmpdir(), 'anyrig-matrix-characters-'));
process.once('exit', () => rmSync(conversions, { recursive: true, force: true }));

/** Converts a file to another format with `anyrig convert`. */
export function convertTo(format: 'glb' | 'usdc' | 'usda', path: string): Promise<string> {
  const output = join(conversions, `${basename(path)}.${format}`);
  return once(converted, output, async () => {
    const { exit, stdout } = await runCommand(['convert', path, '-o', output, '--json']);
    if (exit !== 0) throw new Error(`convert ${path} ended with ${exit}: ${stdout.slice(0, 500)}`);
    return output;
  });
}

const isUsd = (path: string): boolean => /\.usd[acz]?$/.test(path);

/** Returns the codes of gltf-validator that a result has and the character lacks. */
async function newValidatorCodes(character: string, output: string): Promise<string[]> {
  if (isUsd(output)) return [];
  const known = await once(codesOfInput, character, validatorCodes);
  const after = await validatorCodes(output);
  return [...after].filter((code) => code !== 'UNSUPPORTED_EXTENSION' && !known.has(code));
}

/**
 * Retargets one clip of a motion to a character and measures the written file. FBX characters are converted to GLB first; others keep their
 * format.
 */
export async function retargetPair(motion: string, clip: number, path: string, fps = 60): Promise<PairResult> {
  const character = path.endsWith('.fbx') ? await convertTo('glb', path) : path;
  const folder = mkdtempSync(join(tmpdir(), 'anyrig-matrix-'));
  const output = join(folder, `out${isUsd(character) || character.endsWith('.vrm') ? extname(character) : '.glb'}`);
  const named = { motion: basename(motion), character: basename(path) };
  try {
    const { exit, stdout } = await runCommand([
      'retarget',
      motion,
      character,
      '-o',
      output,
      '--clip',
      String(clip),
      '--contacts',
      'off',
      '--keys',
      'exact',
      '--json',
    ]);
    const json = JSON.parse(stdout) as RetargetJson;
    if (exit !== 0) {
      const reason = json.error?.message ?? json.issues.map(({ message }) => message).join('; ');
      const nothing = { poseError: null, skate: null, allowed: NOTHING, hipsShift: 0, newCodes: [] };
      return { ...named, clip: String(clip), exit, reason, ...nothing };
    }
    const source = await openOnce(motion);
    const target = await openFile(output);
    const sourceClip = source.asset.clips[clip].clips[json.source.skeletonIndex];
    // In glTF, new clips are last; in USD, the bound clip is first.
    const written = target.asset.clips.findLast(({ name }) => !isUsd(output) || name === json.clips[0].name);
    const targetClip = written!.clips[json.target.skeletonIndex];
    const [from, to] = posesOfPair(json.source, json.target);
    const poseError = measurePoseError(humanoidOf(from, source), sourceClip, humanoidOf(to, target), targetClip, {
      fps,
    });
    const skate = skateOf(
      [source, json.source.skeletonIndex, sourceClip],
      [await openOnce(character), json.target.skeletonIndex, targetClip],
      fps,
    );
    const moved = describeFileHumanoid(source, json.source.skeletonIndex).humanoid;
    const hipsShift = moved === null ? 0 : hipsShiftOf(moved, sourceClip, fps);
    const newCodes = await newValidatorCodes(character, output);
    const allowed = allowedAngles(from, to, poseError.shifts);
    return { ...named, clip: json.clips[0].name, exit, reason: null, poseError, skate, allowed, hipsShift, newCodes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
