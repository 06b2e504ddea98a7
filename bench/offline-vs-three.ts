/**
 * Offline retargeting of a clip in memory: `retargetClip` against three.js. Both load the same two GLBs, drive the same bones and
 * create the same number of keys per second. three.js gets the difference of the bone axes through `localOffsets`, so that it gives
 * the same rotations. The results are compared before measuring.
 */
import { BONES, type Clip, describeHumanoid, type Humanoid, planRetarget, retargetClip } from 'anyrig';
import { parseGltf, readGltf } from 'anyrig/gltf';
import { type AnimationClip, Matrix4, Quaternion } from 'three';
import { retargetClip as retargetClipInThree } from 'three/examples/jsm/utils/SkeletonUtils.js';
import * as quat from '../src/core/math/quat.ts';
import { characterDocument, glbBytes } from '../src/demo/files/glb.ts';
import { sourceCharacter, targetCharacter, walkOf } from './characters.ts';
import { compare, type Row } from './measure.ts';
import { loadInThree, nameInThree, type ThreeCharacter } from './three-character.ts';

const FRAME_RATE = 30;
/** Greatest difference between the two results at a key, radians; keys are float32. */
const TOLERANCE = 1e-5;

interface Character {
  readonly humanoid: Humanoid;
  readonly clip: Clip | undefined;
  readonly three: ThreeCharacter;
}

async function openCharacter(glb: Uint8Array): Promise<Character> {
  const asset = readGltf(parseGltf(glb));
  const { humanoid, reason } = describeHumanoid(asset.skeletons[0].skeleton, { metersPerUnit: 1 });
  if (humanoid === null) throw new Error(reason);
  return { humanoid, clip: asset.clips[0]?.clips[0], three: await loadInThree(glb) };
}

function nodeName({ skeleton, map }: Humanoid, bone: number): string {
  return nameInThree(skeleton.names[map.nodes[bone]]);
}

function referenceRotation({ reference }: Humanoid, bone: number): Quaternion {
  return new Quaternion().fromArray(reference.rotations, 4 * bone);
}

/** Creates the options of three.js: source bone names by target bone name, and the difference of their axes. */
function threeOptions(source: Humanoid, target: Humanoid): Parameters<typeof retargetClipInThree>[3] {
  const names: Record<string, string> = {};
  const localOffsets: Record<string, Matrix4> = {};
  BONES.forEach((_, bone) => {
    if (source.map.nodes[bone] < 0 || target.map.nodes[bone] < 0) return;
    const name = nodeName(target, bone);
    names[name] = nodeName(source, bone);
    const rotation = referenceRotation(source, bone).invert().multiply(referenceRotation(target, bone));
    localOffsets[name] = new Matrix4().makeRotationFromQuaternion(rotation);
  });
  const options = { names, localOffsets, hip: nodeName(source, 0), fps: FRAME_RATE };
  return options;
}

/** Throws an error when the rotations differ at the ends of a track. three.js creates one frame less and stretches the others over the clip. */
function checkSame(own: Clip, three: AnimationClip, { skeleton }: Humanoid): void {
  const tracks = own.tracks.filter(({ path }) => path === 'rotation');
  if (three.tracks.length !== tracks.length + 1) {
    throw new Error(`three.js created ${three.tracks.length} tracks, anyrig ${own.tracks.length}.`);
  }
  for (const track of tracks) {
    const name = `.bones[${nameInThree(skeleton.names[track.target])}].quaternion`;
    const other = three.tracks.find((candidate) => candidate.name === name);
    if (other === undefined) throw new Error(`three.js has no track ${name}.`);
    const ends = [0, track.values.length - 4].map((at) => {
      const atOther = at === 0 ? 0 : other.values.length - 4;
      return quat.angleBetween(track.values, at, other.values, atOther);
    });
    const off = Math.max(...ends);
    if (!(off < TOLERANCE))
      throw new Error(`The rotations of ${name} differ by ${off} rad between three.js and anyrig.`);
  }
}

/** Measures offline retargeting against three.js. */
export async function offlineVsThree(rounds: number): Promise<Row[]> {
  const sourceRig = sourceCharacter();
  const source = await openCharacter(glbBytes(characterDocument(sourceRig, { clips: [walkOf(sourceRig)] })));
  const target = await openCharacter(glbBytes(characterDocument(targetCharacter())));
  const { humanoid, clip, three } = source;
  if (clip === undefined) throw new Error('The source GLB has no clip.');
  const plan = planRetarget(humanoid, target.humanoid);
  const options = threeOptions(humanoid, target.humanoid);
  const runThree = (): AnimationClip =>
    retargetClipInThree(target.three.mesh, three.mesh, three.gltf.animations[0], { ...options });
  checkSame(retargetClip(plan, clip), runThree(), target.humanoid);

  const against = { name: 'three.js SkeletonUtils.retargetClip', run: runThree };
  const own = { name: 'retargetClip', run: () => retargetClip(plan, clip) };
  const planned = {
    name: 'planRetarget and retargetClip',
    run: () => retargetClip(planRetarget(humanoid, target.humanoid), clip),
  };
  return compare(
    [
      { name: 'offline-vs-three', own, against, kind: 'speedup', limit: 150 },
      { name: 'offline-vs-three, planning included', own: planned, against, kind: 'speedup' },
    ],
    rounds,
    { time: 400, calls: 5 },
  );
}
