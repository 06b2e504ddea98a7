/** A character moves in the same way wherever it stands in its scene, whichever way it faces, and however large its unit is: judged by joint positions. */
import { beforeAll, describe, expect, it } from 'vitest';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { characterDocument, glbBytes } from '../../../src/demo/files/glb.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { openBytes } from '../../../src/files/open.ts';
import { sampledCases } from '../../support/law-runs.ts';
import { walkFbx } from '../../support/make/demo-fbx.ts';
import { type Placement, placeScene } from '../../support/make/placed-scene.ts';
import { aboutAxis, apart, minus, rotated, times, type Vector, worldPose } from '../../support/reference/plain.ts';
import { PLACED_POSITION } from '../../support/tolerances.ts';

const HERE: Placement = { move: [0, 0, 0], turn: 0, scale: 1 };
const PLACEMENTS: readonly (readonly [string, Partial<Placement>])[] = [
  ['two heights to the side', { move: [3.1, 0, -2] }],
  ['facing another way', { turn: 2.2 }],
  ['a hundredth as large', { scale: 0.01 }],
  ['in centimeters', { scale: 100 }],
  ['all at once', { move: [-4, 0, 7], turn: -1, scale: 0.02 }],
];

interface Walk {
  readonly keys: number;
  /** Names of the joints, and their positions at some times, in the frame in which the character stands at the origin. */
  readonly names: readonly string[];
  readonly positions: readonly (readonly Vector[])[];
}

/** Puts the walk of the demo on a character at a place of its scene. */
async function walkAt({ move, turn, scale }: Placement, contacts: 'auto' | 'off'): Promise<Walk> {
  const document = characterDocument(makeCharacter({}));
  placeScene(document, { move, turn, scale });
  const character = await openBytes(glbBytes(document), { name: 'character.glb' });
  const options = { output: 'a.glb', contacts, face: false } as const;
  // A recording, whose keys are chosen anew.
  const walk = await openBytes(walkFbx(), { name: 'walk.fbx' });
  const { report, outputs } = await retargetMotions([walk], character, options);
  const { asset } = await openBytes(Buffer.concat(outputs[0].parts), { name: 'a.glb' });
  const [{ skeleton }] = asset.skeletons;
  const [clip] = asset.clips[0].clips;
  const back = aboutAxis([0, 1, 0], -turn);
  const joints = skeleton.names.flatMap((name, node) => (name === 'Scene' ? [] : [node]));
  const positions = Array.from({ length: 40 }, (_, k) => {
    const pose = restPose(skeleton);
    sampleClip(clip, (k / 39) * clip.duration, pose);
    const world = worldPose(skeleton.parents, pose).positions;
    return joints.map((node) => times(rotated(back, minus(world[node], move)), 1 / scale));
  });
  return { keys: report.clips[0].keys, names: joints.map((node) => skeleton.names[node]), positions };
}

describe.each(['auto', 'off'] as const)('characters elsewhere in their scene, contacts: %s', (contacts) => {
  let here: Walk;
  beforeAll(async () => {
    here = await walkAt(HERE, contacts);
  });

  it.each(sampledCases(PLACEMENTS, 2))('%s: they move in the same way, with as many keys', async (_, placement) => {
    const there = await walkAt({ ...HERE, ...placement }, contacts);
    expect(there.names).toEqual(here.names);
    const heights = here.positions[0].map(([, y]) => y);
    const height = Math.max(...heights) - Math.min(...heights);
    const errors = here.positions.flatMap((pose, k) => pose.map((at, joint) => apart(at, there.positions[k][joint])));
    expect(Math.max(...errors) / height).toBeLessThan(PLACED_POSITION);
    expect(there.keys / here.keys).toBeGreaterThan(0.97);
    expect(there.keys / here.keys).toBeLessThan(1.03);
  });
});
