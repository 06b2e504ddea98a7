/** Writes random rigs as GLB files and reads them. */
import type { Clip } from '../../../src/core/animation/clip.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { concatParts, parseGltf, readGltf, serializeGltf } from '../../../src/formats/gltf/index.ts';
import { appendClips } from '../../../src/formats/gltf/write/write-clips.ts';
import { read } from '../reference/plain.ts';
import { glbOf } from './glb.ts';

/** A rig and its clip, read from a file. */
export interface FiledRig {
  readonly humanoid: Humanoid;
  readonly clip: Clip;
}

/** Writes a rig and a clip to a GLB with float32 keys, and reads the file. The description of the humanoid is kept. */
export function throughGlb(humanoid: Humanoid, clip: Clip): FiledRig {
  const { parents, names, rest } = humanoid.skeleton;
  const childrenOf: number[][] = names.map(() => []);
  parents.forEach((parent, node) => {
    if (parent >= 0) childrenOf[parent].push(node);
  });
  const nodes = names.map((name, node) => {
    const children = childrenOf[node];
    return {
      name,
      translation: read(rest, 10 * node, 3),
      rotation: read(rest, 10 * node + 3, 4),
      scale: read(rest, 10 * node + 7, 3),
      ...(children.length > 0 && { children }),
    };
  });
  const roots = Array.from(parents.keys()).filter((node) => parents[node] < 0);
  const doc = parseGltf(glbOf({ asset: { version: '2.0' }, nodes, scenes: [{ nodes: roots }] }));
  appendClips(doc, [{ name: clip.name, clip, sourceNodes: nodes.map((_, node) => node) }]);
  const { skeletons, clips } = readGltf(parseGltf(concatParts(serializeGltf(doc).parts)));
  // Without skins every tree is a skeleton: choose the one with the hips.
  const index = skeletons.findIndex(({ sourceNodes }) => sourceNodes.includes(humanoid.map.nodes[0]));
  const { skeleton, sourceNodes } = skeletons[index];
  const places = humanoid.map.nodes.map((node) => (node < 0 ? -1 : sourceNodes.indexOf(node)));
  return { humanoid: { ...humanoid, skeleton, map: { ...humanoid.map, nodes: places } }, clip: clips[0].clips[index] };
}
