import { defineCommand } from 'citty';
import { type FileReport, inspectFile } from '../../files/inspect-file.ts';
import type { InspectUsdSkelOptions } from '../../files/inspect-usd-skel.ts';
import { readInputSync, resourceReader } from '../../files/read-input.ts';
import { columns } from '../columns.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { ASSET_FLAGS, INPUT_FILE } from '../input-flags.ts';
import { type Io, oneLine, stylesFor } from '../io.ts';
import { blame, type InputOptions, openInput } from '../open-input.ts';
import { positionals } from '../positionals.ts';
import { readInputOptions } from '../read-options.ts';
import type { CommandData, CommandModule } from '../run.ts';
import { humanoidLines } from '../show-humanoid.ts';
import { issueLines } from '../show-issues.ts';
import { showUsdSkel } from '../show-usd-skel.ts';
import { UsageError } from '../usage-error.ts';
import { writeLines } from '../write-lines.ts';

/** Clips that are listed for people; the JSON has all. */
const CLIPS = 100;

async function show(report: FileReport, why: boolean, io: Io): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const lines = [`${style('bold', oneLine(report.file))}  ${report.format}`, ''];
  for (const humanoid of report.humanoids) {
    lines.push(style('bold', `humanoid: skeleton ${humanoid.skeletonIndex}, ${oneLine(humanoid.skeleton)}`));
    lines.push(...humanoidLines(humanoid, why).map((line) => `  ${line}`.trimEnd()), '');
  }
  lines.push(style('bold', `skeletons: ${report.skeletons.length}`));
  const skeletons = report.skeletons.map(({ name, index, nodes, joints, humanoid, reason }) => {
    const what = humanoid ? 'humanoid' : `not humanoid: ${reason}`;
    return [String(index), `${nodes} nodes`, `${joints} joints`, oneLine(name), oneLine(what)];
  });
  lines.push(...columns(skeletons, [0, 1, 2]).map((line) => `  ${line}`), '');
  lines.push(style('bold', `clips: ${report.clips.length}`));
  const clips = report.clips.slice(0, CLIPS).map(({ name, index, duration, tracks, keys }) => {
    return [String(index), `${duration.toFixed(2)} s`, `${tracks} tracks`, `${keys} keys`, oneLine(name)];
  });
  lines.push(...columns(clips, [0, 1, 2, 3]).map((line) => `  ${line}`));
  if (report.clips.length > CLIPS) lines.push(`  and ${report.clips.length - CLIPS} more`);
  if (report.issues.length > 0) {
    lines.push('', style('bold', `issues: ${report.issues.length}`));
    lines.push(...issueLines(report.issues, style).map((line) => `  ${line}`));
  }
  writeLines(io.stdout, lines);
}

interface Flags {
  readonly input: InputOptions;
  readonly why: boolean;
  readonly isJson: boolean;
}

async function inspect(path: string, { input, why, isJson }: Flags, io: Io): Promise<ExitCode> {
  const report = inspectFile(await openInput(path, input));
  if (isJson) writeLines(io.stdout, [JSON.stringify(report)]);
  else await show(report, why, io);
  return report.humanoids.length > 0 ? EXIT.done : EXIT.nothing;
}

/** Flags that say something about `--usd-skel`. */
const USD_FLAGS = ['animation-binding', 'strict'] as const;

interface UsdFlags {
  readonly 'animation-binding': string | undefined;
  readonly strict: boolean | undefined;
}

const ANIMATION_BINDINGS = ['skeleton', 'bindingSite', 'either'] as const;

function readAnimationBinding(text: string): (typeof ANIMATION_BINDINGS)[number] {
  const found = ANIMATION_BINDINGS.find((binding) => binding === text);
  if (found !== undefined) return found;
  throw new UsageError(`--animation-binding is ${JSON.stringify(text)}; expected ${ANIMATION_BINDINGS.join(', ')}`);
}

async function inspectSkel(
  path: string,
  flags: UsdFlags,
  { input, isJson }: Omit<Flags, 'why'>,
  io: Io,
): Promise<ExitCode> {
  const { 'animation-binding': binding, strict } = flags;
  const options: InspectUsdSkelOptions = {
    name: path,
    ...(binding === undefined ? {} : { animationBinding: readAnimationBinding(binding) }),
    isStrict: strict === true,
    // Points of characters fill the memory of many terminals.
    hasSamples: isJson,
    readResource: resourceReader(path, input.assetRoot),
  };
  const { inspectUsdSkel } = await import('../../files/usd.ts');
  const report = await blame(path, () => inspectUsdSkel(readInputSync(path), options));
  if (isJson) writeLines(io.stdout, [JSON.stringify(report)]);
  else await showUsdSkel(report, io);
  return report.roots.some(({ bindings }) => bindings.length > 0) ? EXIT.done : EXIT.nothing;
}

export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig inspect',
    description: 'Show what a file contains: bone map, reference pose, facing, unit, ground, clips, issues',
  },
  args: {
    file: INPUT_FILE,
    why: {
      type: 'boolean',
      description:
        'Say of every bone what spoke for its node and which came next, and why the reference pose is as it is',
    },
    json: {
      type: 'boolean',
      description: 'Print JSON, all of that included, with the world rotation of every bone in the reference pose',
    },
    'usd-skel': {
      type: 'boolean',
      description:
        'Show the skeletons of a USD file as UsdSkel binds them; with --json also joint matrices, weights, points and normals at a few times',
    },
    'animation-binding': {
      type: 'string',
      valueHint: 'WHERE',
      description:
        'Where --usd-skel looks for the animation: skeleton (at the Skeleton and above it, as players do), bindingSite (at the prim that binds it and above), either',
    },
    strict: {
      type: 'boolean',
      description: 'With --usd-skel: ignore bindings of prims without SkelBindingAPI, as players do',
    },
    ...ASSET_FLAGS,
  },
  run: ({ args, data }) => {
    const { io, values } = data as CommandData;
    const [path] = positionals(args._, ['file']);
    const input = readInputOptions(args['asset-root']);
    const isJson = args.json === true;
    if (args['usd-skel'] === true) {
      if (args.why === true) throw new UsageError('--why is about humanoids, --usd-skel is not; give one of both');
      return inspectSkel(path, args, { input, isJson }, io);
    }
    const stray = USD_FLAGS.find((flag) => values.has(flag));
    if (stray !== undefined) throw new UsageError(`--${stray} says something about --usd-skel, which is missing`);
    return inspect(path, { input, why: args.why === true, isJson }, io);
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig inspect avatar.vrm', 'which node is which bone, and how the character stands'],
  ['anyrig inspect avatar.glb --why', 'what spoke for each bone, and for each part of the reference pose'],
  ['anyrig inspect walk.bvh --json | jq .humanoids[0].referencePose', 'the same for programs'],
  ['anyrig inspect character.usdz --usd-skel', 'its skeletons, and what is bound to them'],
  ['anyrig inspect character.usda --usd-skel --json', 'and what becomes of joints, points and normals over time'],
];

export const repeatable: CommandModule['repeatable'] = [];
