/** Makes files of any size for the scale bench: a demo character that walks, with many keys, joints, clips or vertices. */
import type { Clip, Skeleton } from 'anyrig';
import { convertFile, openBytes } from 'anyrig/files';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../src/core/skeleton/skeleton.ts';
import type { DemoCharacter } from '../../src/demo/characters/character.ts';
import { makeCharacter } from '../../src/demo/characters/make-character.ts';
import { BVH_RIG, MIXAMO_RIG } from '../../src/demo/characters/rigs.ts';
import { bvhText } from '../../src/demo/files/bvh.ts';
import { encodeMotion } from '../../src/demo/files/encode.ts';
import { characterDocument, glbBytes } from '../../src/demo/files/glb.ts';
import { makeWalk } from '../../src/demo/motions/walk.ts';
import { concatParts } from '../../src/formats/gltf/document/glb.ts';
import { walkFbx } from '../../test/support/make/demo-fbx.ts';
import { repeatClip } from '../../test/support/make/repeat-clip.ts';

/** What grows. */
export type Dimension = 'keys' | 'joints' | 'clips' | 'vertices';
/** Formats that the scale bench reads. */
export type ScaleFormat = 'glb' | 'fbx' | 'bvh' | 'usda' | 'usdc';

/** A file to make. */
export interface ScaleFile {
  readonly format: ScaleFormat;
  readonly dimension: Dimension;
  /** Number of keys, joints, clips or vertices, approximately. */
  readonly count: number;
}

/** Joints of a chain of added joints, as of a strand of hair. */
const CHAIN = 8;
/** Vertices of the demo mesh at detail 1; they grow with the square of the detail. */
const VERTICES_AT_DETAIL_1 = 3000;
/**
 * Frame rate of an FBX, that of much motion capture. At 30 fps the largest file would last 47 minutes, where float32 times are so coarse that tracks need
 * more keys than the file has.
 */
const FBX_FPS = 120;
/** Keys of the curves of one walk in an FBX of the demo. */
const FBX_KEYS = 44_000;

/** Appends chains of joints to the head of a character, 2 cm apart; both rigs are in centimeters. */
function withJoints(character: DemoCharacter, count: number): DemoCharacter {
  const { skeleton } = character;
  const first = skeleton.names.length;
  const total = Math.max(first, count);
  const head = skeleton.names.findIndex((name) => /head$/i.test(name));
  const parents = new Int32Array(total);
  const rest = new Float64Array(total * POSE_STRIDE);
  const bind = skeleton.bind === null ? null : new Float64Array(total * MATRIX_STRIDE);
  const joints = new Uint8Array(total).fill(bind === null ? 0 : 1);
  parents.set(skeleton.parents);
  rest.set(skeleton.rest);
  if (skeleton.bind !== null) bind?.set(skeleton.bind);
  joints.set(skeleton.joints);
  const names = [...skeleton.names];
  for (let node = first; node < total; node++) {
    const parent = (node - first) % CHAIN === 0 ? head : node - 1;
    parents[node] = parent;
    const at = node * POSE_STRIDE;
    rest.set([0, 2, 0, 0, 0, 0, 1, 1, 1, 1], at);
    if (bind !== null) {
      bind.copyWithin(node * MATRIX_STRIDE, parent * MATRIX_STRIDE, (parent + 1) * MATRIX_STRIDE);
      bind[node * MATRIX_STRIDE + 13] += 0.02;
    }
    names.push(`strand_${node}`);
  }
  const wider: Skeleton = { ...skeleton, names, parents, rest, bind, joints };
  return { ...character, skeleton: wider };
}

/** Adds a rotation track for every node from `first` on. */
function withStrandTracks(clip: Clip, first: number, total: number): Clip {
  const { times } = clip.tracks[0];
  const values = new Float64Array(4 * times.length);
  for (const [key, time] of times.entries()) {
    const angle = 0.1 * Math.sin((2 * Math.PI * time) / clip.duration);
    values.set([Math.sin(angle), 0, 0, Math.cos(angle)], 4 * key);
  }
  const strands = Array.from({ length: total - first }, (_, k) => {
    return { target: first + k, path: 'rotation', interpolation: 'LINEAR', times, values } as const;
  });
  return { ...clip, tracks: [...clip.tracks, ...strands] };
}

/** Makes a character and its clips. */
function makeContent({ format, dimension, count }: ScaleFile): {
  character: DemoCharacter;
  clips: Clip[];
  detail: number;
} {
  const small = makeCharacter(format === 'bvh' ? BVH_RIG : MIXAMO_RIG);
  const first = small.skeleton.names.length;
  const character = dimension === 'joints' ? withJoints(small, count) : small;
  const walk = encodeMotion(small, makeWalk(small.figure), { fps: 30 });
  const keys = walk.tracks.reduce((sum, { times }) => sum + times.length, 0);
  const clip = dimension === 'keys' ? repeatClip(walk, Math.max(1, Math.round(count / keys))) : walk;
  const whole = withStrandTracks(clip, first, character.skeleton.names.length);
  const clips =
    dimension === 'clips' ? Array.from({ length: count }, (_, k) => ({ ...whole, name: `walk ${k}` })) : [whole];
  return { character, clips, detail: dimension === 'vertices' ? Math.sqrt(count / VERTICES_AT_DETAIL_1) : 0.2 };
}

/**
 * Makes a file.
 *
 * @param file Format and size.
 * @returns The bytes.
 */
export async function makeFile(file: ScaleFile): Promise<Uint8Array> {
  const { format, dimension, count } = file;
  if (format === 'fbx') {
    if (dimension !== 'keys') throw new TypeError(`The scale bench makes no FBX with many ${dimension}; use keys.`);
    // A walk of the demo has about this many keys in the file.
    return walkFbx('binary', { compresses: false, fps: FBX_FPS, repeat: Math.max(1, Math.round(count / FBX_KEYS)) });
  }
  const { character, clips, detail } = makeContent(file);
  if (format === 'bvh') return new TextEncoder().encode(bvhText(character, clips[0]));
  const glb = glbBytes(characterDocument(character, { clips, detail }));
  if (format === 'glb') return glb;
  const { outputs } = await convertFile(await openBytes(glb, { name: 'walk.glb' }), { output: `walk.${format}` });
  return concatParts(outputs[outputs.length - 1].parts);
}
