/** Explains a retarget that failed because its files are in the wrong order, or because one of motion and character is missing. */
import { visibleGeometryOf } from '../../files/geometry.ts';
import { OptionError } from '../../files/option-error.ts';
import type { Io } from '../io.ts';
import { type InputOptions, openInput } from '../open-input.ts';
import { correctedCommand } from '../show/command-line.ts';
import { UsageError } from './cli-errors.ts';

interface RetargetFiles {
  /** The motions as typed: paths, patterns, folders. */
  readonly motions: readonly string[];
  readonly character: string;
  readonly rawArgs: readonly string[];
  /** Which files an input may reference. */
  readonly input: InputOptions;
  readonly io: Pick<Io, 'env' | 'script'>;
}

interface Contents {
  readonly path: string;
  readonly clips: number;
  readonly hasMesh: boolean;
  readonly isVrm: boolean;
  /** Whether it holds clips per bone and no character. */
  readonly isLibrary: boolean;
}

const MOST_OPENED = 8;

/** Opens a file and looks for clips and meshes; null for one that cannot be read. */
async function contentsOf(path: string, input: InputOptions): Promise<Contents | null> {
  try {
    const file = await openInput(path, input, { wantsClip: () => false });
    const { format, clips, skeletons } = file.asset;
    const isVrm = format === 'vrm0' || format === 'vrm1';
    const isLibrary = skeletons.length > 0 && skeletons.every(({ isCanonicalRig }) => isCanonicalRig === true);
    return {
      path,
      clips: clips.length,
      hasMesh: (await visibleGeometryOf(file)) !== null,
      isVrm,
      isLibrary,
    };
  } catch {
    return null;
  }
}

function listed(files: readonly Contents[]): string {
  const names = files.map(({ path }) => path);
  return names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

async function allContents({ motions, character, input }: RetargetFiles): Promise<[Contents[], Contents | null]> {
  const opened = await Promise.all(motions.slice(0, MOST_OPENED).map((path) => contentsOf(path, input)));
  return [opened.filter((one) => one !== null), await contentsOf(character, input)];
}

function reordered({ motions, character, rawArgs, io }: RetargetFiles, last: string): string {
  const others = motions.filter((path) => path !== last);
  return correctedCommand(io, ['retarget', ...rawArgs], [...motions, character], [...others, character, last]);
}

/** The command line with the name of a character after its files. */
function withCharacter({ motions, character, rawArgs, io }: RetargetFiles): string {
  const files = [...motions, character];
  return correctedCommand(io, ['retarget', ...rawArgs], files, [...files, 'hero.glb']);
}

/** Explains that the last file cannot be the character: it has no mesh, or it is not a VRM although the output is. */
export async function explainCharacter(error: unknown, files: RetargetFiles): Promise<unknown> {
  if (!(error instanceof OptionError) || (error.option !== 'mesh' && error.option !== 'output')) return error;
  const [motions, last] = await allContents(files);
  if (last === null) return error;
  const isVrmWanted = error.option === 'output';
  if (isVrmWanted && last.isVrm) return error;
  // The later one: with several characters, the last is more likely the one that is meant.
  const better =
    motions.findLast(({ hasMesh, isVrm, clips }) => (isVrmWanted ? isVrm : hasMesh && clips === 0)) ??
    motions.findLast(({ hasMesh }) => hasMesh && !isVrmWanted);
  if (better !== undefined) {
    const why = last.isLibrary
      ? `${last.path} has humanoid clips, but no character to retarget to`
      : last.hasMesh
        ? `${last.path} is not a VRM, but ${better.path} is one`
        : `${last.path} has no mesh, but ${better.path} has one`;
    return new UsageError(
      `${why}. The last file must be the character. Did you mean:\n  ${reordered(files, better.path)}`,
    );
  }
  if (last.hasMesh || last.clips === 0) return error;
  return new UsageError(
    `The last file must be a character, but ${last.path} is a motion: it has clips and no mesh. Add a character, for example:\n` +
      `  ${withCharacter(files)}\nTo write only the skeleton of ${last.path} with the new clips, add --no-mesh.`,
  );
}

/** Explains that nothing was written because no motion has a clip. Returns sentences and the right command; null when there is another reason. */
export async function explainMotions(files: RetargetFiles): Promise<string | null> {
  const [motions, last] = await allContents(files);
  if (last === null || motions.length < files.motions.length || motions.some(({ clips }) => clips > 0)) return null;
  const names = listed(motions);
  const has = motions.length === 1 ? 'has' : 'have';
  const better = motions.find(({ hasMesh }) => hasMesh);
  if (last.clips > 0 && better !== undefined) {
    const clips = last.clips === 1 ? 'one' : `${last.clips}`;
    return `${names} ${has} no clips, and ${last.path} has ${clips}. The last file must be the character. Did you mean:\n  ${reordered(files, better.path)}`;
  }
  if (last.clips > 0) return null;
  const typed = ['retarget', ...files.rawArgs];
  const example = correctedCommand(files.io, typed, [...files.motions, last.path], ['walk.fbx', last.path]);
  const all = [...motions, last];
  const what = all.every(({ hasMesh }) => hasMesh)
    ? `${listed(all)} are characters without clips`
    : `${names} ${has} no clips`;
  return `${what}, so there is no motion. Name a motion before the character, for example:\n  ${example}`;
}
