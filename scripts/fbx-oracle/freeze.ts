/**
 * Freezes the poses that Blender and assimp compute for the FBX files of the asset folder and for the two files of
 * make-pivots.py:
 *
 *     npx tsx scripts/fbx-oracle/freeze.ts            all files
 *     npx tsx scripts/fbx-oracle/freeze.ts ozz_pab    files whose name contains a word
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PoseTable } from '../../test/external/oracle/fbx-poses.ts';
import { assetFiles } from '../../test/support/assets.ts';
import { type AssbinAnimation, readAssbin } from './assbin.ts';
import { assimpTransforms, isAtKeys, type TransformRow } from './assimp-poses.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const target = fileURLToPath(new URL('../../test/external/oracle/fbx-poses/', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'fbx-oracle-'));
/** Poses of a file in Blender. */
const POSES = 9;

/** Minor nodes, which the motions omit to keep the tables small. */
const MINOR =
  /nub$|_end$|footsteps|camera|producer|switcher|effector|ctrl|ik$|roll$|finger\d|eye|pelvis|buttock|(middle|ring|mid)_?1$|(thumb|index|middle|ring|pinky|mid)_?[2-4]$/i;

/** Rounds to six digits: absolute for rotations, relative to the extent for positions. */
function clean(rows: readonly TransformRow[], extent: number): TransformRow[] {
  const decimals = Math.max(0, 6 - Math.ceil(Math.log10(extent)));
  return rows.map((row) => row.map((value, c) => Number(value.toFixed(c < 3 ? decimals : 6)) + 0));
}

/** Checks whether two lists of transforms differ in their last digit only. */
const isSame = (a: readonly TransformRow[], b: readonly TransformRow[], extent: number): boolean =>
  a.every((row, r) => row.every((value, c) => Math.abs(value - b[r][c]) <= (c < 3 ? 1.5e-5 * extent : 4e-6)));

const extentOf = (rows: readonly TransformRow[]): number =>
  Math.max(...rows.flatMap((row) => row.slice(0, 3).map(Math.abs)));
const printed = (table: PoseTable): string =>
  JSON.stringify(table, null, 1).replace(
    /\[\s+([^[\]{}]*?)\s+\]/g,
    (_, row: string) => `[${row.replace(/\s*\n\s*/g, '')}]`,
  );

function run(command: string, args: readonly string[]): string {
  const { stdout, stderr, status, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (error) throw error;
  return `${stdout}\n${stderr}\n[exit ${status}]`;
}

/** Returns the line of a program's output that has the error. */
const reasonIn = (log: string): string => log.split('\n').find((line) => /^error:/i.test(line)) ?? log.slice(-200);

interface BlenderPoses {
  readonly version: string;
  readonly names: string[];
  readonly bind: TransformRow[];
  readonly rest: TransformRow[];
  readonly times: number[];
  readonly poses: TransformRow[][];
}

function askBlender(file: string): BlenderPoses | string {
  const out = join(scratch, 'blender.json');
  rmSync(out, { force: true });
  const script = join(here, 'blender-fbx-poses.py');
  const log = run('blender', [
    '-b',
    '--factory-startup',
    '--python-exit-code',
    '1',
    '--python',
    script,
    '--',
    `${POSES}`,
    file,
    out,
  ]);
  return existsSync(out)
    ? (JSON.parse(readFileSync(out, 'utf8')) as BlenderPoses)
    : reasonIn(log).replace(file, basename(file));
}

/** Returns the key times, seconds, of the first animated rotation. */
function keyTimes(animation: AssbinAnimation | undefined): number[] {
  const channel = animation?.channels.find(({ rotations }) => rotations.length > 1);
  return channel === undefined ? [] : channel.rotations.map(([ticks]) => ticks / animation!.ticksPerSecond);
}

function assimpVersion(): string {
  const debian = spawnSync('dpkg-query', ['-W', 'assimp-utils'], { encoding: 'utf8' });
  return debian.status === 0 ? debian.stdout.split('\t')[1].trim() : 'unknown';
}

function freeze(file: string): void {
  const name = basename(file, '.fbx');
  const blender = askBlender(file);
  const dump = join(scratch, 'scene.assbin');
  rmSync(dump, { force: true });
  const log = run('assimp', ['export', file, dump]);
  const head = { file: basename(file), date: new Date().toISOString().slice(0, 10) };
  const say = (program: string, table: PoseTable): void => {
    writeFileSync(join(target, `${name}.${program}.json`), `${printed(table)}\n`);
  };
  const blenderCommand = `blender -b --factory-startup --python scripts/fbx-oracle/blender-fbx-poses.py -- ${POSES} in.fbx out.json`;
  const assimpCommand = 'assimp export in.fbx out.assbin, then scripts/fbx-oracle/assimp-poses.ts';
  const assimpHead = { ...head, program: 'assimp', version: assimpVersion(), command: assimpCommand };
  const blenderHead = {
    ...head,
    program: 'Blender',
    version: typeof blender === 'string' ? '' : blender.version,
    command: blenderCommand,
  };
  const scene = existsSync(dump) ? readAssbin(readFileSync(dump)) : null;
  const known = scene && assimpTransforms(scene);

  if (typeof blender === 'string') say('blender', { ...blenderHead, version: '3.4.1', refused: blender });
  else {
    // Blender invents a name for the armature of bones without a parent.
    const rows = blender.names.flatMap((bone, row) => (known === null || known.has(bone) ? [row] : []));
    const moving = rows.filter((row) => !MINOR.test(blender.names[row]));
    const extent = extentOf(blender.rest);
    const rest = clean(
      rows.map((row) => blender.rest[row]),
      extent,
    );
    const bind = clean(
      rows.map((row) => blender.bind[row]),
      extent,
    );
    say('blender', {
      ...blenderHead,
      names: rows.map((row) => blender.names[row]),
      rest,
      bind: isSame(bind, rest, extent) ? 'as rest' : bind,
      motion:
        blender.times.length === 0
          ? null
          : {
              names: moving.map((row) => blender.names[row]),
              times: blender.times.map((time) => Number(time.toFixed(9))),
              poses: blender.poses.map((pose) =>
                clean(
                  moving.map((row) => pose[row]),
                  extent,
                ),
              ),
            },
    });
  }

  if (scene === null || known === null) say('assimp', { ...assimpHead, refused: reasonIn(log) });
  else {
    const names = [...known.keys()].filter(
      (node) => node !== 'RootNode' && !/camera|producer|switcher|^sky/i.test(node),
    );
    const moving = names.filter((node) => !MINOR.test(node));
    const extent = extentOf(names.map((node) => known.get(node)!));
    const [animation] = scene.animations;
    const times = typeof blender === 'string' ? keyTimes(animation) : blender.times;
    const apart = animation ? times.filter((time) => !isAtKeys(animation, new Set(moving), time)) : [];
    if (apart.length > 0)
      console.log(`${name}: assimp has no keys at ${apart.map((time) => time.toFixed(4)).join(', ')} s`);
    const poses = animation ? times.map((time) => assimpTransforms(scene, animation, time)) : [];
    say('assimp', {
      ...assimpHead,
      names,
      rest: clean(
        names.map((node) => known.get(node)!),
        extent,
      ),
      bind: null,
      motion:
        poses.length === 0
          ? null
          : {
              names: moving,
              times: times.map((time) => Number(time.toFixed(9))),
              poses: poses.map((pose) =>
                clean(
                  moving.map((node) => pose.get(node)!),
                  extent,
                ),
              ),
            },
    });
  }
  console.log(`${name}: done`);
}

mkdirSync(target, { recursive: true });
const own = ['pivots.ascii.fbx', 'pivots.binary.fbx'].map((file) => join(target, file));
for (const file of [...assetFiles('assets/fbx', 'fbx'), ...own]) {
  if (basename(file).includes(process.argv[2] ?? '')) freeze(file);
}
rmSync(scratch, { recursive: true });
