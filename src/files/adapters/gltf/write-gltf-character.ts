import { changeClipSpace } from '../../../core/animation/change-clip-space.ts';
import type { NewAnimation } from '../../../core/asset/asset.ts';
import { bakeBindShapes } from '../../../core/asset/bake-bind-shapes.ts';
import { changeGeometrySpace } from '../../../core/asset/geometry-space.ts';
import type { SpaceChange } from '../../../core/skeleton/change-space.ts';
import { writeCharacterDocument } from '../../../formats/gltf/meshes/write-geometry.ts';
import { gltfSpace } from '../../../formats/gltf/write/gltf-space.ts';
import type { GltfFormat } from '../../outputs/output-format.ts';
import { serializeDocument } from '../../outputs/serialize-output.ts';
import { bindMatrices } from '../bind-matrices.ts';
import type { NewCharacter, WriteCharacter } from '../format-adapter.ts';

/** Changes the space of an animation: root tracks are rotated, all translations get the new unit. */
function changeAnimation(
  animation: NewAnimation,
  parentOf: ReadonlyMap<number, number>,
  change: SpaceChange,
): NewAnimation {
  const parents = Array.from(animation.sourceNodes, (source) => parentOf.get(source) ?? -1);
  return { ...animation, clip: changeClipSpace(animation.clip, parents, change) };
}

/**
 * Prepares writing a character as a new glTF in the space of glTF: meters, +Y up, a humanoid faces +Z. The space is baked into the data, without an
 * extra root node, and bind shapes into the vertices.
 */
export function planGltfCharacter({ file, geometry, humanoid }: NewCharacter, format: GltfFormat): WriteCharacter {
  const change = gltfSpace(file.asset, humanoid);
  const { parents } = geometry.nodes;
  const parentOf = new Map(Array.from(geometry.sourceNodes, (source, node) => [source, parents[node]]));
  const baked =
    change === null
      ? geometry
      : changeGeometrySpace(bakeBindShapes(geometry, bindMatrices(file.asset, geometry, geometry.nodes.rest)), change);
  return (animations, path, issues) => {
    const moved = change === null ? animations : animations.map((clip) => changeAnimation(clip, parentOf, change));
    const written = writeCharacterDocument(baked, moved);
    issues.push(...written.issues);
    return serializeDocument(written.document, file, { path, format }, issues);
  };
}
