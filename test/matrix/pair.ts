/** One motion onto one character through the command line, measured from the outside: the files and the printed report. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { validateBytes } from 'gltf-validator';
import { run } from '../../src/cli/run.ts';
import { BONE_COUNT, BONES, type BoneName } from '../../src/core/humanoid/bones.ts';
import type { Humanoid, Limb } from '../../src/core/humanoid/humanoid.ts';
import { type GestureMeasure, measureGesture } from '../../src/core/measure/gesture.ts';
import type { HumanoidReport } from '../../src/files/humanoid-report.ts';
import { openFile } from '../../src/files/node.ts';
import type { OpenFile } from '../../src/files/open.ts';

/** What came of a pair. */
export interface PairResult {
  readonly motion: string;
  readonly character: string;
  readonly clip: string;
  readonly exit: number;
  /** Why nothing was written; null when something was. */
  readonly reason: string | null;
  readonly gesture: GestureMeasure | null;
  /** What the directions of each limb may differ by, degrees: the printed deviations of declared reference poses. */
  readonly allowed: Readonly<Partial<Record<Limb, number>>>;
  /** Codes of gltf-validator that the character did not have. */
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

/** The value of a key, made once. */
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

/** The humanoid that a report describes: the measuring believes what is printed, not what the library has in mind. */
function humanoidOf(report: HumanoidReport, file: OpenFile): Humanoid {
  const { skeleton, sourceNodes } = file.asset.skeletons[report.skeletonIndex];
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const rotations = new Float64Array(4 * BONE_COUNT);
  const positions = new Float64Array(3 * BONE_COUNT);
  positions.set(report.referencePose.hips);
  for (const [bone, { node }] of Object.entries(report.bones)) {
    const index = BONES.indexOf(bone as BoneName);
    nodes[index] = sourceNodes.indexOf(node);
    rotations.set(report.referencePose.rotations[bone as BoneName] ?? [0, 0, 0, 1], 4 * index);
  }
  return {
    skeleton,
    map: { nodes, confidence: new Float32Array(BONE_COUNT), from: report.mapFrom },
    reference: { ...report.referencePose, rotations, positions },
    shape: null,
    frame: Float64Array.from(report.frame),
    metresPerUnit: report.metresPerUnit,
    ground: report.ground,
    hipsHeight: report.hipsHeight,
    height: report.heightMetres,
    issues: [],
  };
}

function allowedDeviation(reports: readonly HumanoidReport[]): Partial<Record<Limb, number>> {
  const allowed: Partial<Record<Limb, number>> = {};
  for (const { referencePose } of reports) {
    for (const [limb, degrees] of Object.entries(referencePose.deviationDegrees) as [Limb, number][]) {
      allowed[limb] = (allowed[limb] ?? 0) + degrees;
    }
  }
  return allowed;
}

/** Runs a command line in this process and keeps what it prints. */
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
  });
  return { exit, stdout };
}

/** Retargets one clip of a motion onto a character and measures the file that was written. */
export async function retargetPair(motion: string, clip: number, character: string, fps = 60): Promise<PairResult> {
  const folder = mkdtempSync(join(tmpdir(), 'anyrig-matrix-'));
  const output = join(folder, `out.${character.endsWith('.vrm') ? 'vrm' : 'glb'}`);
  const named = { motion: basename(motion), character: basename(character) };
  try {
    const { exit, stdout } = await runCommand([
      'retarget',
      motion,
      character,
      '-o',
      output,
      '--clip',
      String(clip),
      '--json',
    ]);
    const json = JSON.parse(stdout) as RetargetJson;
    if (exit !== 0) {
      const reason = json.error?.message ?? json.issues.map(({ message }) => message).join('; ');
      return { ...named, clip: String(clip), exit, reason, gesture: null, allowed: {}, newCodes: [] };
    }
    const source = await openOnce(motion);
    const target = await openFile(output);
    const sourceClip = source.asset.clips[clip].clips[json.source.skeletonIndex];
    const targetClip = target.asset.clips[target.asset.clips.length - 1].clips[json.target.skeletonIndex];
    const gesture = measureGesture(
      humanoidOf(json.source, source),
      sourceClip,
      humanoidOf(json.target, target),
      targetClip,
      { fps },
    );
    const known = await once(codesOfInput, character, validatorCodes);
    const after = await validatorCodes(output);
    const newCodes = [...after].filter((code) => code !== 'UNSUPPORTED_EXTENSION' && !known.has(code));
    const allowed = allowedDeviation([json.source, json.target]);
    return { ...named, clip: json.clips[0].name, exit, reason: null, gesture, allowed, newCodes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
