/** Converts clips of the core to animations of glTF-Transform. */
import type { Accessor, Animation, Document, Node } from '@gltf-transform/core';
import type { Clip } from '../../core/animation/clip.ts';
import type { Floats } from '../../core/math/floats.ts';

/**
 * Adds a clip to a document as a new animation. Times and values become float accessors in the first buffer, which is created when the document has
 * none. Tracks with the same array of key times share an accessor.
 */
export function writeAnimation(document: Document, clip: Clip, nodes: readonly Node[]): Animation {
  const buffer = document.getRoot().listBuffers()[0] ?? document.createBuffer();
  const inputs = new Map<Floats, Accessor>();
  const accessor = (type: 'SCALAR' | 'VEC3' | 'VEC4', values: Floats): Accessor =>
    document.createAccessor().setType(type).setArray(Float32Array.from(values)).setBuffer(buffer);
  const animation = document.createAnimation(clip.name);
  for (const { target, path, interpolation, times, values } of clip.tracks) {
    const input = inputs.get(times) ?? accessor('SCALAR', times);
    inputs.set(times, input);
    const sampler = document
      .createAnimationSampler()
      .setInput(input)
      .setOutput(accessor(path === 'rotation' ? 'VEC4' : 'VEC3', values))
      .setInterpolation(interpolation);
    const channel = document
      .createAnimationChannel()
      .setTargetNode(nodes[target])
      .setTargetPath(path)
      .setSampler(sampler);
    animation.addSampler(sampler).addChannel(channel);
  }
  return animation;
}
