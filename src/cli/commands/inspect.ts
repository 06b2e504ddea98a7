import { defineCommand } from 'citty';
import { loadDecoders } from '../../files/geometry.ts';
import type { FileReport } from '../../files/jobs/describe-file.ts';
import { inspectFile } from '../../files/jobs/inspect-file.ts';
import type { InspectUsdSkelOptions } from '../../files/jobs/inspect-usd-skel.ts';
import { readInputSync, resourceReader } from '../../files/node/read-input.ts';
import { nodeTree } from '../../files/reports/node-report.ts';
import type { CommandData, CommandModule } from '../command.ts';
import { UsageError } from '../errors/cli-errors.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { ASSET_FLAGS, INPUT_FILE, MODEL_FLAG } from '../flags/input-flags.ts';
import { OPEN_FLAGS, readInput } from '../flags/motion-flags.ts';
import { requirePositionals } from '../flags/positionals.ts';
import { type Io, oneLine, stylesFor, writeLines } from '../io.ts';
import { blame, type InputOptions, openInput } from '../open-input.ts';
import { withProgress } from '../progress.ts';
import { columns } from '../show/columns.ts';
import { humanoidLines } from '../show/humanoid.ts';
import { issueBlock } from '../show/issues.ts';
import { showUsdSkel } from '../show/usd-skel.ts';

interface Flags {
  readonly input: InputOptions;
  readonly why: boolean;
  readonly nodes: boolean;
  readonly isVerbose: boolean;
  readonly isJson: boolean;
}

/** Most clips that are listed. The JSON report has all. */
const CLIPS = 100;

async function show(report: FileReport, { why, isVerbose }: Flags, io: Io): Promise<void> {
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
  for (const { index, name, tree } of report.skeletons) {
    if (tree === undefined) continue;
    lines.push(style('bold', `nodes of skeleton ${index}, ${oneLine(name)}: index, name, position`));
    lines.push(...nodeTree(tree).map((line) => `  ${oneLine(line)}`), '');
  }
  lines.push(style('bold', `clips: ${report.clips.length}`));
  const clips = report.clips.slice(0, CLIPS).map(({ name, index, duration, tracks, keys }) => {
    return [String(index), `${duration.toFixed(2)} s`, `${tracks} tracks`, `${keys} keys`, oneLine(name)];
  });
  lines.push(...columns(clips, [0, 1, 2, 3]).map((line) => `  ${line}`));
  if (report.clips.length > CLIPS) lines.push(`  and ${report.clips.length - CLIPS} more`);
  writeLines(io.stdout, [...lines, ...issueBlock(report.issues, style, isVerbose)]);
}

async function inspect(path: string, flags: Flags, io: Io): Promise<ExitCode> {
  const report = await withProgress(io, `reading ${path}`, async () => {
    const file = await openInput(path, flags.input);
    await loadDecoders(file);
    return inspectFile(file, { nodes: flags.nodes });
  });
  if (flags.isJson) writeLines(io.stdout, [JSON.stringify(report)]);
  else await show(report, flags, io);
  return report.ok ? EXIT.done : EXIT.nothing;
}

const USD_FLAGS = ['animation-binding', 'strict'] as const;

const ANIMATION_BINDINGS = ['skeleton', 'bindingSite', 'either'] as const;

function readAnimationBinding(text: string): (typeof ANIMATION_BINDINGS)[number] {
  const found = ANIMATION_BINDINGS.find((binding) => binding === text);
  if (found !== undefined) return found;
  throw new UsageError(`--animation-binding is ${JSON.stringify(text)}; expected ${ANIMATION_BINDINGS.join(', ')}`);
}

async function inspectSkel(
  path: string,
  flags: { readonly 'animation-binding': string | undefined; readonly strict: boolean | undefined },
  { input, isVerbose, isJson }: Omit<Flags, 'why' | 'nodes'>,
  io: Io,
): Promise<ExitCode> {
  const { 'animation-binding': binding, strict } = flags;
  const options: InspectUsdSkelOptions = {
    name: path,
    ...(binding === undefined ? {} : { animationBinding: readAnimationBinding(binding) }),
    isStrict: strict === true,
    // The points of a character are too many to read in a terminal.
    hasSamples: isJson,
    readResource: resourceReader(path, input.assetRoot),
  };
  const { inspectUsdSkel } = await import('../../files/adapters/usd-bundle.ts');
  const report = await withProgress(io, `reading ${path}`, () => {
    return blame(path, () => inspectUsdSkel(readInputSync(path), options));
  });
  if (isJson) writeLines(io.stdout, [JSON.stringify(report)]);
  else await showUsdSkel(report, io, isVerbose);
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
      description: 'Explain each bone match and show the runner-up; explain the reference pose',
    },
    nodes: {
      type: 'boolean',
      description: 'List all nodes with their indices, as bone maps refer to them; --json adds them to skeletons',
    },
    verbose: { type: 'boolean', description: 'Also print infos, and all messages completely' },
    json: {
      type: 'boolean',
      description: 'Print JSON with all explanations and the world rotation of every bone in the reference pose',
    },
    'usd-skel': {
      type: 'boolean',
      description:
        'Show the skeletons of a USD file with their UsdSkel bindings; --json adds joint matrices, weights, points and normals at sampled times',
    },
    'animation-binding': {
      type: 'string',
      valueHint: 'WHERE',
      description:
        'Where --usd-skel looks for the animation: skeleton (on the Skeleton and its ancestors, as players do), bindingSite (on the prim that binds it and its ancestors), either',
    },
    strict: {
      type: 'boolean',
      description: 'With --usd-skel: ignore bindings on prims without SkelBindingAPI, as players do',
    },
    ...OPEN_FLAGS,
    ...MODEL_FLAG,
    ...ASSET_FLAGS,
  },
  run: async ({ args, data }) => {
    const { io, values } = data as CommandData;
    const [path] = requirePositionals(args._, ['file']);
    const input = await readInput(args, values);
    const [isVerbose, isJson] = [args.verbose === true, args.json === true];
    if (args['usd-skel'] === true) {
      if (args.nodes === true)
        throw new UsageError(
          '--nodes lists the nodes for bone maps and --usd-skel shows USD skeletons. Use one of the two',
        );
      if (args.why === true)
        throw new UsageError('--why explains humanoids and --usd-skel shows USD skeletons. Use one of the two');
      return inspectSkel(path, args, { input, isVerbose, isJson }, io);
    }
    const stray = USD_FLAGS.find((flag) => values.has(flag));
    if (stray !== undefined) throw new UsageError(`--${stray} needs --usd-skel. Add --usd-skel`);
    return inspect(path, { input, why: args.why === true, nodes: args.nodes === true, isVerbose, isJson }, io);
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig inspect avatar.vrm', 'bone map, reference pose, facing, unit and clips'],
  ['anyrig inspect avatar.glb --why', 'the evidence for each bone and each part of the reference pose'],
  ['anyrig inspect robot.glb --nodes', 'the indices of all nodes, for a bone map'],
  ['anyrig inspect walk.bvh --json | jq .humanoids[0].referencePose', 'for programs'],
  ['anyrig inspect character.usdz --usd-skel', 'skeletons and the prims bound to them'],
  ['anyrig inspect character.usda --usd-skel --json', 'joints, points and normals over time'],
];

export const repeatable: CommandModule['repeatable'] = [];
