/** What jobs over many characters need of motions again and again: humanoids as they move, edited clips and samples. */
import type { Clip } from '../../core/animation/clip.ts';
import type { AssetClip } from '../../core/asset/asset.ts';
import { createSourceSamples, type SourceSamples } from '../../core/contacts/frames/source-samples.ts';
import type { ContactSurface } from '../../core/contacts/surface/contact-surface.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import type { ClipEdits } from '../clips/clip-edits.ts';
import { applyGround, applyMirrorToClip, applyMirrorToHumanoid, motionEditor } from '../clips/edit-clips.ts';
import type { EditedMotion } from '../clips/edit-motion.ts';
import { contactSurfaceOf } from '../humanoid/contact-surface.ts';
import type { FoundHumanoid } from '../humanoid/find-humanoid.ts';
import { type Kept, keepOrFind, numberOf } from '../keep.ts';
import type { OpenFile } from '../open-file.ts';

export interface MovingHumanoid {
  readonly humanoid: Humanoid;
  readonly surface: () => Promise<ContactSurface>;
  readonly samples: SourceSamples;
}

interface EditedClip extends EditedMotion {
  /** Returns the motion of a humanoid of the file, mirrored and put on the ground if the edits say so. */
  readonly motionOf: (found: FoundHumanoid, moving: MovingHumanoid) => Promise<Clip>;
}

const humanoids: Kept<OpenFile, MovingHumanoid> = new WeakMap();
const clips: Kept<AssetClip, EditedClip> = new WeakMap();

/** Describes a humanoid of a file as it moves. The last four of a file are the same objects. */
export function movingHumanoid(file: OpenFile, found: FoundHumanoid, edits: ClipEdits): MovingHumanoid {
  return keepOrFind(humanoids, file, `${numberOf(found)} ${JSON.stringify(edits)}`, () => {
    const humanoid = applyMirrorToHumanoid(found.humanoid, edits);
    const mirrored = humanoid === found.humanoid ? undefined : humanoid;
    const surface: MovingHumanoid['surface'] = () => contactSurfaceOf(file, found, mirrored);
    return { humanoid, surface, samples: createSourceSamples() };
  });
}

/** Applies edits to a clip of a file. The last four edits of a clip are the same objects. */
export async function editedClip({ asset }: OpenFile, original: AssetClip, edits: ClipEdits): Promise<EditedClip> {
  const edit = await motionEditor(edits);
  return keepOrFind(clips, original, JSON.stringify(edits), () => {
    const { clip, cleaned } = edit(asset.skeletons, original);
    const motions = new WeakMap<MovingHumanoid, Clip>();
    const motionOf: EditedClip['motionOf'] = async ({ index }, moving) => {
      const known = motions.get(moving);
      if (known !== undefined) return known;
      const mirrored = applyMirrorToClip(clip.clips[index], edits);
      const motion = await applyGround(moving.humanoid, moving.surface, mirrored, edits);
      // Kept when it is there, not while it is awaited: loading contacts may fail once.
      motions.set(moving, motion);
      return motion;
    };
    return { clip, cleaned, motionOf };
  });
}

export function sampleBytes(file: OpenFile): number {
  return [...(humanoids.get(file)?.values() ?? [])].reduce((sum, { samples }) => sum + samples.bytes, 0);
}
