/**
 * Contacts with the ground frame by frame, on a walk of two characters with skinned meshes: the time that a frame with both feet takes on top of
 * plain retargeting of the pose, against that retargeting itself. A foot takes half of it.
 */
import {
  createLiveContacts,
  describeContactSurface,
  planContacts,
  planRetarget,
  restPose,
  retargetPose,
  type SkinPoints,
  sampleClip,
} from 'anyrig';
import { collectSkinPoints } from '../src/core/asset/collect-skin-points.ts';
import type { Humanoid } from '../src/core/humanoid/humanoid.ts';
import type { DemoCharacter } from '../src/demo/characters/character.ts';
import { characterDocument, glbBytes } from '../src/demo/files/glb.ts';
import { adapterOf } from '../src/files/adapters/adapters.ts';
import { chooseHumanoid } from '../src/files/humanoid/find-humanoid.ts';
import { openBytes } from '../src/files/open.ts';
import { sourceCharacter, targetCharacter, walkOf } from './characters.ts';
import { compare, type Row } from './measure.ts';

const EFFORT = { time: 60, calls: 200 };
const FPS = 60;
/** Goal of a frame with both feet relative to `retargetPose`: 1 µs a foot where that takes 1.33 µs. */
const GOAL = 1.5;

async function load(character: DemoCharacter, hasWalk: boolean) {
  const clips = hasWalk ? [walkOf(character)] : [];
  const file = await openBytes(glbBytes(characterDocument(character, { clips })), { name: 'bench.glb' });
  const { humanoid, index } = chooseHumanoid(file, 'target', {}).found!;
  const skin: SkinPoints | null = collectSkinPoints(adapterOf(file).readVertices!(file), file.asset.skeletons[index]);
  return { humanoid: humanoid as Humanoid, surface: describeContactSurface(humanoid, skin), file, index };
}

/** Compares a walk with contacts, one second per call, with the same walk without. */
export async function liveContacts(rounds: number): Promise<Row[]> {
  const [source, target] = [await load(sourceCharacter(), true), await load(targetCharacter(), false)];
  const clip = source.file.asset.clips[0].clips[source.index];
  const retarget = planRetarget(source.humanoid, target.humanoid);
  const surfaces = { sourceSurface: source.surface, targetSurface: target.surface };
  const contacts = createLiveContacts(planContacts(retarget, source.humanoid, target.humanoid, surfaces));
  const frames = Array.from({ length: FPS }, (_, frame) => {
    const sourcePose = restPose(source.humanoid.skeleton);
    sampleClip(clip, (frame / FPS) * clip.duration, sourcePose);
    return { sourcePose, plain: retargetPose(retarget, sourcePose, restPose(target.humanoid.skeleton)) };
  });
  const targetPose = restPose(target.humanoid.skeleton);
  const own = {
    name: 'contacts',
    run: () => {
      for (const { sourcePose, plain } of frames) {
        targetPose.set(plain);
        contacts.update(sourcePose, targetPose, 1 / FPS);
      }
    },
  };
  const against = {
    name: 'retargetPose',
    run: () => {
      for (const { sourcePose } of frames) retargetPose(retarget, sourcePose, targetPose);
    },
  };
  return compare([{ name: `live contacts, ${FPS} frames`, own, against, kind: 'cost', limit: GOAL }], rounds, EFFORT);
}
