/** In-memory GLB I/O: parse a character of 30 MB, add a clip and serialize it to one array; anyrig against glTF-Transform. */
import { NodeIO } from '@gltf-transform/core';
import type { Clip } from 'anyrig';
import { appendClips, concatParts, parseGltf, readGltf, serializeGltf } from 'anyrig/gltf';
import { characterGlb, sourceCharacter, walkOf } from './characters.ts';
import { compare, type Row } from './measure.ts';

/** Mesh density and copies of the three clips that give 30 MB, of which a tenth is clips. */
const DETAIL = 11.5;
const COPIES = 10;
const NAME = 'added';

function addInAnyrig(glb: Uint8Array, clip: Clip, sourceNodes: ArrayLike<number>): Uint8Array {
  const doc = parseGltf(glb);
  appendClips(doc, [{ name: NAME, clip, sourceNodes }]);
  return concatParts(serializeGltf(doc).parts);
}

async function addInGltfTransform(io: NodeIO, glb: Uint8Array, clip: Clip): Promise<Uint8Array> {
  const doc = await io.readBinary(glb);
  const buffer = doc.getRoot().listBuffers()[0];
  const nodes = doc.getRoot().listNodes();
  const { times } = clip.tracks[0];
  const input = doc.createAccessor().setArray(Float32Array.from(times)).setType('SCALAR').setBuffer(buffer);
  const animation = doc.createAnimation(NAME);
  for (const { target, path, interpolation, values } of clip.tracks) {
    const type = path === 'rotation' ? 'VEC4' : 'VEC3';
    const output = doc.createAccessor().setArray(Float32Array.from(values)).setType(type).setBuffer(buffer);
    const sampler = doc.createAnimationSampler().setInput(input).setOutput(output).setInterpolation(interpolation);
    const channel = doc.createAnimationChannel().setTargetNode(nodes[target]).setTargetPath(path).setSampler(sampler);
    animation.addSampler(sampler).addChannel(channel);
  }
  return io.writeBinary(doc);
}

/** Throws an error when the two files have different clips. */
function checkSame(own: Uint8Array, other: Uint8Array): void {
  const [a, b] = [own, other].map((bytes) => readGltf(parseGltf(bytes)).clips);
  if (a.length !== 3 * COPIES + 1 || b.length !== a.length)
    throw new Error(`The files have ${a.length} and ${b.length} clips, but ${3 * COPIES + 1} each were expected.`);
  a.forEach(({ name, clips }, k) => {
    const tracks = b[k].clips[0].tracks;
    const isSame =
      b[k].name === name &&
      tracks.length === clips[0].tracks.length &&
      clips[0].tracks.every(({ target, path, values }) => {
        const twin = tracks.find((track) => track.target === target && track.path === path);
        return twin?.values.every((value, i) => Math.abs(value - values[i]) < 1e-6) === true;
      });
    if (!isSame) throw new Error(`Clips ${name} and ${b[k].name} differ.`);
  });
}

/** Measures GLB I/O against glTF-Transform. */
export async function glbIoVsGltfTransform(rounds: number): Promise<Row[]> {
  const character = sourceCharacter();
  const glb = characterGlb(character, DETAIL, COPIES);
  const clip = walkOf(character);
  const sourceNodes = Int32Array.from(character.skeleton.names.keys());
  const io = new NodeIO();
  checkSame(addInAnyrig(glb, clip, sourceNodes), await addInGltfTransform(io, glb, clip));
  const own = { name: 'parseGltf, appendClips, serializeGltf', run: () => addInAnyrig(glb, clip, sourceNodes) };
  const against = { name: 'glTF-Transform NodeIO', run: () => addInGltfTransform(io, glb, clip) };
  return compare([{ name: 'glb-io-vs-gltf-transform', own, against, kind: 'speedup', limit: 10 }], rounds, {
    time: 500,
    calls: 5,
  });
}
