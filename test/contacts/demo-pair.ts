/** Procedural characters with their surfaces, and the walk of the demo, for tests of contacts. */
import type { Clip } from '../../src/core/animation/clip.ts';
import { collectSkinPoints } from '../../src/core/asset/collect-skin-points.ts';
import { type ContactSurface, describeContactSurface } from '../../src/core/contacts/surface/contact-surface.ts';
import type { SkinPoints } from '../../src/core/deform/skin-points.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { makeCharacter } from '../../src/demo/characters/make-character.ts';
import { ADULT, type Proportions } from '../../src/demo/figure/proportions.ts';
import { encodeMotion } from '../../src/demo/files/encode.ts';
import { characterDocument, glbBytes } from '../../src/demo/files/glb.ts';
import { makeWalk } from '../../src/demo/motions/walk.ts';
import { adapterOf } from '../../src/files/adapters/adapters.ts';
import { chooseHumanoid } from '../../src/files/humanoid/find-humanoid.ts';
import { openBytes } from '../../src/files/open.ts';
import { type Placement, placeScene } from '../support/make/placed-scene.ts';

/** A procedural character. */
export interface DemoBody {
  readonly humanoid: Humanoid;
  readonly skin: SkinPoints;
  readonly surface: ContactSurface;
  /** Its own walk. */
  readonly walk: Clip;
}

const made = new Map<string, Promise<DemoBody>>();

/** Makes a character with a mesh and a walk of its own, at the origin of its scene unless it is placed elsewhere. Each is made once for all tests of a process. */
export function demoBody(proportions: Proportions = ADULT, placement?: Placement): Promise<DemoBody> {
  const key = JSON.stringify([proportions, placement]);
  const body = made.get(key) ?? makeBody(proportions, placement);
  made.set(key, body);
  return body;
}

async function makeBody(proportions: Proportions, placement: Placement | undefined): Promise<DemoBody> {
  const character = makeCharacter({ proportions });
  const walk = encodeMotion(character, makeWalk(character.figure));
  const document = characterDocument(character, { color: [0.5, 0.5, 0.5], clips: [walk] });
  if (placement !== undefined) placeScene(document, placement);
  const file = await openBytes(glbBytes(document), { name: 'demo.glb' });
  const { humanoid, index } = chooseHumanoid(file, 'target', {}).found!;
  const skin = collectSkinPoints(adapterOf(file).readVertices!(file), file.asset.skeletons[index])!;
  return { humanoid, skin, surface: describeContactSurface(humanoid, skin), walk: file.asset.clips[0].clips[index] };
}
