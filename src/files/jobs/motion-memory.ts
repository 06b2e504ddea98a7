/** What jobs over many characters need of motions again and again: humanoids, surfaces, edited clips and samples, found once. */
import type { Clip } from '../../core/animation/clip.ts';
import type { AssetClip } from '../../core/asset/asset.ts';
import { createSourceSamples, getOrCreate, type SourceSamples } from '../../core/contacts/frames/source-samples.ts';
import type { ContactSurface } from '../../core/contacts/surface/contact-surface.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import type { ClipEdits } from '../clips/clip-edits.ts';
import { applyGround, applyMirrorToClip, applyMirrorToHumanoid, trimAndChangeSpeed } from '../clips/edit-clips.ts';
import { contactSurfaceOf } from '../humanoid/contact-surface.ts';
import type { HumanoidOptions } from '../humanoid/describe-file-humanoid.ts';
import { chooseHumanoid, type FoundHumanoid, type HumanoidChoice } from '../humanoid/find-humanoid.ts';
import type { OpenFile } from '../open-file.ts';

/** A humanoid as it moves, mirrored if the edits say so. */
export interface MovingHumanoid {
  /** The humanoid. */
  readonly humanoid: Humanoid;
  /** Describes what of it can touch the ground, on first use. */
  readonly surface: () => ContactSurface;
  /** Samples of its clips. */
  readonly samples: SourceSamples;
}

/** A clip with its edits. */
interface EditedClip {
  /** The clip, trimmed and at its new speed. */
  readonly clip: AssetClip;
  /** Returns the motion of a humanoid of the file, mirrored and put on the ground if the edits say so. */
  readonly motionOf: (found: FoundHumanoid, moving: MovingHumanoid) => Clip;
}

/** What is known of motions. It is released with their files. */
export interface MotionMemory {
  /** Finds the humanoid of the wanted clips, as `chooseHumanoid` does. */
  readonly find: (file: OpenFile, wanted: readonly AssetClip[]) => HumanoidChoice;
  /** Describes a humanoid of `find` as it moves. */
  readonly moving: (file: OpenFile, found: FoundHumanoid) => MovingHumanoid;
  /** Applies the edits to a clip of a file. */
  readonly edited: (clip: AssetClip) => EditedClip;
  /** Returns the bytes of the samples of a file. */
  readonly bytesOf: (file: OpenFile) => number;
}

/** Creates an empty memory. */
export function createMotionMemory(source: HumanoidOptions, edits: ClipEdits): MotionMemory {
  const choices = new WeakMap<OpenFile, Map<string, HumanoidChoice>>();
  const humanoids = new WeakMap<FoundHumanoid, MovingHumanoid>();
  const clips = new WeakMap<AssetClip, EditedClip>();
  const find: MotionMemory['find'] = (file, wanted) => {
    const known = getOrCreate(choices, file, () => new Map<string, HumanoidChoice>());
    const key = wanted.map((clip) => file.asset.clips.indexOf(clip)).join();
    return getOrCreate(known, key, () => chooseHumanoid(file, 'source', source, wanted));
  };
  const describe = (file: OpenFile, found: FoundHumanoid): MovingHumanoid => {
    const humanoid = applyMirrorToHumanoid(found.humanoid, edits);
    let known: ContactSurface | null = null;
    const surface = (): ContactSurface => {
      known ??= contactSurfaceOf(file, found, humanoid === found.humanoid ? undefined : humanoid);
      return known;
    };
    return { humanoid, surface, samples: createSourceSamples() };
  };
  const edit = (original: AssetClip): EditedClip => {
    const clip = trimAndChangeSpeed(original, edits);
    const motions = new Map<number, Clip>();
    const motionOf: EditedClip['motionOf'] = ({ index }, { humanoid, surface }) =>
      getOrCreate(motions, index, () =>
        applyGround(humanoid, surface, applyMirrorToClip(clip.clips[index], edits), edits),
      );
    return { clip, motionOf };
  };
  const bytesOf = (file: OpenFile): number => {
    const found = [...(choices.get(file)?.values() ?? [])].flatMap((choice) => choice.found ?? []);
    return found.reduce((sum, one) => sum + (humanoids.get(one)?.samples.bytes ?? 0), 0);
  };
  return {
    find,
    bytesOf,
    moving: (file, found) => getOrCreate(humanoids, found, () => describe(file, found)),
    edited: (clip) => getOrCreate(clips, clip, () => edit(clip)),
  };
}
