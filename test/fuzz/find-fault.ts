/** Runs one job on one file and judges the result: a documented error, or outputs that are finite, can be opened again and pass the validator. */
import { validateBytes } from 'gltf-validator';
import { boneAtOrAbove, mapNodesToBones } from '../../src/core/humanoid/node-bones.ts';
import { FormatError } from '../../src/core/report/format-error.ts';
import { tryFindHumanoid } from '../../src/files/humanoid/find-humanoid.ts';
import { convertFile } from '../../src/files/jobs/convert-file.ts';
import { defineHumanoid } from '../../src/files/jobs/define-humanoid.ts';
import { extractMotions } from '../../src/files/jobs/extract-motions.ts';
import { inspectFile } from '../../src/files/jobs/inspect-file.ts';
import { type RetargetMotionsOptions, retargetMotions } from '../../src/files/jobs/retarget-motions.ts';
import { type OpenFile, openBytes } from '../../src/files/open.ts';
import { OptionError } from '../../src/files/option-error.ts';
import type { OutputFile } from '../../src/files/outputs/output-file.ts';
import { concatParts } from '../../src/formats/gltf/document/glb.ts';
import { previewFiles } from '../../src/preview/preview-files.ts';
import { danceVmd } from '../support/make/mmd-files.ts';
import { faultOfAsset, nonFiniteIn } from './check-asset.ts';
import type { FuzzInput } from './mutations/mutate-file.ts';
import type { FuzzFormat } from './seeds.ts';

/** Files that jobs need beside the damaged one. */
export interface Partners {
  readonly motion: OpenFile;
  readonly character: OpenFile;
}

/** What is wrong with the result of a job. */
export interface Fault {
  /** Name of the job. */
  readonly job: string;
  /** The first line that tells faults of the same cause apart. */
  readonly message: string;
}

/** What came of a file and its job. */
export interface Verdict {
  /** The fault; null when everything is as documented. */
  readonly fault: Fault | null;
  /** Whether the job wrote an output, instead of ending in a documented error. */
  readonly isWritten: boolean;
}

/** What a job returns. */
interface Done {
  readonly report: unknown;
  readonly outputs: readonly OutputFile[];
}

/** What a job does, and the path of what it writes for a file of a format; null for jobs without an output. */
interface Job {
  readonly output: (format: FuzzFormat, choice: number) => string | null;
  readonly run: (file: OpenFile, partners: Partners, choice: number, output: string) => Promise<Done>;
}

/** Formats that jobs of the fuzzer write. */
export const CONVERTED = ['glb', 'gltf', 'vrma', 'bvh', 'fbx', 'usda', 'usdc', 'usdz'] as const;
const CONTACTS = ['auto', 'off'] as const;

/** One file in this many has its glTF outputs validated. */
const VALIDATED = 50;

/** Writes an FBX as FBX: unchanged, with its clips edited, or with another motion. */
const editFbx: Job['run'] = async (file, { motion }, choice, output) => {
  const options = { output, ascii: choice % 3 === 0 };
  if (choice % 4 === 0) return convertFile(file, options);
  if (choice % 4 === 1) return convertFile(file, { ...options, edits: { speed: 2 } });
  return retargetMotions([motion], file, { ...options, contacts: 'off', replace: choice % 4 === 2 });
};

/** Nodes beyond the bones of a file, by the bone that they hang on. */
function extraNodes(file: OpenFile): Map<number, string> {
  const found = tryFindHumanoid(file);
  if (found === null) return new Map();
  const { skeleton, map } = found.humanoid;
  const bones = mapNodesToBones(map.nodes, skeleton.names.length);
  const nodes = skeleton.names.flatMap((name, node): [number, string][] =>
    bones[node] < 0 ? [[boneAtOrAbove(skeleton.parents, bones, node), name]] : [],
  );
  return new Map(nodes);
}

/** Options of some retargets: cleaned motions, and bones beyond the humanoid where both files have them, else ones that are refused. */
function unusual(motion: OpenFile, character: OpenFile, choice: number): Partial<RetargetMotionsOptions> {
  const edits = choice % 4 >= 2 ? { edits: { clean: true } } : {};
  if (choice % 3 > 0) return edits;
  const to = extraNodes(character);
  const pair = [...extraNodes(motion)].find(([bone]) => to.has(bone)) ?? [-1, ''];
  return { ...edits, extra: { [pair[1]]: to.get(pair[0]) ?? '' } };
}

const JOBS: Readonly<Record<string, Job>> = {
  'inspect, and edit an FBX': {
    output: (format) => (format === 'fbx' ? 'out.fbx' : null),
    run: async (file, partners, choice, output) => {
      const report = inspectFile(file);
      // A model is also played on.
      if (file.format === 'mmd' && file.asset.clips.length === 0)
        return convertFile(await openBytes(danceVmd(), { name: 'dance.vmd', model: file }), { output: 'out.glb' });
      return file.format === 'fbx' ? editFbx(file, partners, choice, output) : { report, outputs: [] };
    },
  },
  preview: {
    output: () => null,
    run: async (file) => {
      const { svg, report } = previewFiles([file], { frames: 3 });
      if (svg !== null && /NaN|Infinity/.test(svg)) throw new Error('the sheet has numbers that are not finite');
      return { report, outputs: [] };
    },
  },
  'retarget from': {
    output: (_, choice) => ['out.glb', 'out.vrma', 'out.usda', 'out.bvh', 'out.fbx'][choice % 5],
    run: async (file, { character }, choice, output) =>
      retargetMotions([file], character, {
        output,
        contacts: CONTACTS[choice % 2],
        mesh: choice % 3 > 0,
        ...unusual(file, character, choice),
      }),
  },
  'retarget to': {
    output: (_, choice) => ['out.glb', 'out.vrma', 'out.usdc', 'out.bvh', 'out.fbx'][choice % 5],
    run: async (file, { motion }, choice, output) =>
      retargetMotions([motion], file, {
        output,
        contacts: CONTACTS[choice % 2],
        ...unusual(motion, file, choice),
      }),
  },
  ...Object.fromEntries(
    CONVERTED.map((format): [string, Job] => [
      `convert to ${format}`,
      {
        output: () => `out.${format}`,
        run: async (file, _, choice, output) =>
          convertFile(file, {
            output,
            mesh: choice % 3 > 0,
            ...(choice % 5 === 0 ? { fps: 30 } : {}),
            ...(choice % 7 === 0
              ? { edits: { reduce: 0.5, loop: true } }
              : choice % 4 === 1
                ? { edits: { clean: true } }
                : {}),
          }),
      },
    ]),
  ),
  define: {
    output: () => 'out.glb',
    run: async (file, _, choice, output) =>
      defineHumanoid(file, { output, axes: choice % 2 === 0, tPose: choice % 3 === 0 }),
  },
  extract: {
    output: () => 'out.glb',
    run: async (file, _, choice, output) =>
      extractMotions([file], { output, ...(choice % 5 === 0 ? { fps: 30 } : {}) }),
  },
};
const NAMES = Object.keys(JOBS);

/** Returns the path of what a job writes; null for jobs without an output. */
export function outputOf({ format, job }: Pick<FuzzInput, 'format' | 'job'>): string | null {
  return JOBS[NAMES[job % NAMES.length]].output(format, Math.floor(job / NAMES.length));
}

/** Whether an error is one that the documentation names. */
function isDocumented(error: unknown): boolean {
  return error instanceof FormatError || error instanceof OptionError;
}

/** Describes an error by its message without numbers and names, and where it was thrown. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const at =
    /(src\/[\w./-]+\.ts):(\d+)/
      .exec(error.stack ?? '')
      ?.slice(1, 3)
      .join(':') ?? '';
  const message = error.message.split('\n')[0].replace(/"[^"]*"|-?\d[\d.e+-]*/g, '#');
  return `${error.name}: ${message.slice(0, 160)} ${at}`;
}

/** Codes of the errors that the validator finds. It fails on some damaged files itself, which counts as one more error. */
async function errorCodes(bytes: Uint8Array): Promise<Set<string>> {
  try {
    const { issues } = await validateBytes(bytes, { maxIssues: 0, writeTimestamp: false });
    return new Set(issues.messages.filter(({ severity }) => severity === 0).map(({ code }) => code));
  } catch {
    return new Set(['THE_VALIDATOR_FAILED']);
  }
}

/** Opens the output and all that it references. */
async function reopen(outputs: readonly OutputFile[]): Promise<OpenFile> {
  const main = outputs[outputs.length - 1];
  const byPath = new Map(outputs.map(({ path, parts }) => [path, concatParts(parts)]));
  return openBytes(concatParts(main.parts), {
    name: main.path,
    readResource: async (path) => {
      const bytes = byPath.get(path);
      if (bytes === undefined) throw new Error('it is not among the outputs');
      return bytes;
    },
  });
}

async function faultOfOutputs({ outputs }: Done, input: FuzzInput, isValidated: boolean): Promise<string | null> {
  const main = outputs.at(-1);
  if (main === undefined) return null;
  let again: OpenFile;
  try {
    again = await reopen(outputs);
  } catch (error) {
    return `the output cannot be opened: ${describeError(error)}`;
  }
  const fault = faultOfAsset(again.asset);
  if (fault !== null) return `in the output ${fault}`;
  if (!isValidated || !/\.(glb|vrma|vrm)$/.test(main.path)) return null;
  const isGltf = /^(?:glb|gltf|vrm|vrma)$/.test(input.format);
  const before = isGltf ? await errorCodes(input.bytes) : new Set();
  // The validator has read no data of such files, which JavaScript can read, and so does not know their errors.
  if (before.has('INVALID_URI') || before.has('INVALID_JSON')) return null;
  const added = [...(await errorCodes(concatParts(main.parts)))].filter((code) => !before.has(code));
  return added.length === 0 ? null : `the validator reports ${added.sort().join(', ')}`;
}

/**
 * Opens a file, runs its job, and judges both.
 *
 * @param input The file and its job.
 * @param partners Files for jobs that need two.
 * @param validates Whether glTF outputs are validated; a sample by default.
 * @returns The fault, and whether there was an output.
 */
export async function findFault(
  input: FuzzInput,
  partners: Partners,
  validates: boolean = input.job % VALIDATED === 0,
): Promise<Verdict> {
  let job = 'open';
  let isWritten = false;
  const verdict = (message: string | null): Verdict => ({
    fault: message === null ? null : { job, message },
    isWritten,
  });
  try {
    const readResource = async (): Promise<never> => {
      throw new Error('there are no files beside it');
    };
    const file = await openBytes(input.bytes, { name: `damaged.${input.format}`, readResource });
    const fault = faultOfAsset(file.asset);
    if (fault !== null) return verdict(fault);
    job = NAMES[input.job % NAMES.length];
    const choice = Math.floor(input.job / NAMES.length);
    const done = await JOBS[job].run(file, partners, choice, outputOf(input) ?? '');
    isWritten = done.outputs.length > 0;
    const where = nonFiniteIn(done.report);
    if (where !== null) return verdict(`the report has a number that is not finite at ${where}`);
    return verdict(await faultOfOutputs(done, input, validates));
  } catch (error) {
    return verdict(isDocumented(error) ? null : describeError(error));
  }
}
