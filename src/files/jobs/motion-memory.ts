/** What jobs over many characters need of motions again and again: mirrored humanoids, edited clips and samples, found once. */
import type { Clip } from '../../core/animation/clip.ts';
import type { AssetClip } from '../../core/asset/asset.ts';
import { createSourceSamples, getOrCreate, type SourceSamples } from '../../core/contacts/frames/source-samples.ts';
import type { ContactSurface } from '../../core/contacts/surface/contact-surface.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import type { ClipEdits } from '../clips/clip-edits.ts';
import {
  applyGround,
  applyMirrorToClip,
  applyMirrorToHumanoid,
  type EditedMotion,
  editMotion,
} from '../clips/edit-clips.ts';
import { contactSurfaceOf } from '../humanoid/contact-surface.ts';
import type { FoundHumanoid } from '../humanoid/find-humanoid.ts';
import type { OpenFile } from '../open-file.ts';

/** A humanoid as it moves, mirrored if the edits say so. */
export interface MovingHumanoid {
  /** The humanoid. */
  readonly humanoid: Humanoid;
  /** Describes what of it can touch the ground. */
  readonly surface: () => ContactSurface;
  /** Samples of its clips. */
  readonly samples: SourceSamples;
}

/** A clip with its edits. */
interface EditedClip extends EditedMotion {
  /** Returns the motion of a humanoid of the file, mirrored and put on the ground if the edits say so. */
  readonly motionOf: (found: FoundHumanoid, moving: MovingHumanoid) => Clip;
}

/** What is known of motions. It is released with their files. */
export interface MotionMemory {
  /** Describes a humanoid of a file as it moves. */
  readonly moving: (file: OpenFile, found: FoundHumanoid) => MovingHumanoid;
  /** Applies the edits to a clip of a file. */
  readonly edited: (file: OpenFile, clip: AssetClip) => EditedClip;
  /** Returns the bytes of the samples of a file. */
  readonly bytesOf: (file: OpenFile) => number;
}

/** Creates an empty memory. */
export function createMotionMemory(edits: ClipEdits): MotionMemory {
  const humanoids = new WeakMap<OpenFile, Map<FoundHumanoid, MovingHumanoid>>();
  const clips = new WeakMap<AssetClip, EditedClip>();
  const describe = (file: OpenFile, found: FoundHumanoid): MovingHumanoid => {
    const humanoid = applyMirrorToHumanoid(found.humanoid, edits);
    const surface = (): ContactSurface =>
      contactSurfaceOf(file, found, humanoid === found.humanoid ? undefined : humanoid);
    return { humanoid, surface, samples: createSourceSamples() };
  };
  const edit = ({ asset }: OpenFile, original: AssetClip): EditedClip => {
    const { clip, cleaned } = editMotion(asset.skeletons, original, edits);
    const motions = new Map<number, Clip>();
    const motionOf: EditedClip['motionOf'] = ({ index }, { humanoid, surface }) =>
      getOrCreate(motions, index, () =>
        applyGround(humanoid, surface, applyMirrorToClip(clip.clips[index], edits), edits),
      );
    return { clip, cleaned, motionOf };
  };
  const bytesOf = (file: OpenFile): number => {
    const moving = [...(humanoids.get(file)?.values() ?? [])];
    return moving.reduce((sum, { samples }) => sum + samples.bytes, 0);
  };
  return {
    bytesOf,
    moving: (file, found) =>
      getOrCreate(
        getOrCreate(humanoids, file, () => new Map()),
        found,
        () => describe(file, found),
      ),
    edited: (file, clip) => getOrCreate(clips, clip, () => edit(file, clip)),
  };
}
