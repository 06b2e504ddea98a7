import type { AssetSkeleton } from '../../core/asset/asset.ts';
import { collectSkinPoints } from '../../core/asset/collect-skin-points.ts';
import type { ContactSurface } from '../../core/contacts/surface/contact-surface.ts';
import { mirrorSkinPoints, type SkinPoints } from '../../core/deform/skin-points.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { readVertices } from '../geometry.ts';
import type { OpenFile } from '../open-file.ts';
import type { FoundHumanoid } from './find-humanoid.ts';

/** Reads the vertices that move with the skeleton of a humanoid. Returns the vertices; null where meshes are missing or cannot be read. */
export function readSkinPoints(file: OpenFile, part: AssetSkeleton): SkinPoints | null {
  const geometry = readVertices(file);
  return geometry === null ? null : collectSkinPoints(geometry, part);
}

/** Surfaces of the humanoids in use, from their skin. */
const surfaces = new WeakMap<Humanoid, ContactSurface>();

/**
 * Describes the surface of a humanoid of a file: from its meshes, or from its joints where meshes are missing or cannot be read. `mirrored`: the
 * humanoid after `mirrorHumanoid`; omitted for one that is not mirrored.
 */
export async function contactSurfaceOf(
  file: OpenFile,
  found: FoundHumanoid,
  mirrored?: Humanoid,
): Promise<ContactSurface> {
  const { describeContactSurface } = await import('../contacts-bundle.ts');
  const humanoid = mirrored ?? found.humanoid;
  const known = surfaces.get(humanoid);
  if (known !== undefined) return known;
  const skin = readSkinPoints(file, found.part);
  const surface = describeContactSurface(
    humanoid,
    skin === null || mirrored === undefined ? skin : mirrorSkinPoints(skin),
  );
  // Without skin it is cheap, and there may be one when a decoder has been loaded.
  if (skin !== null) surfaces.set(humanoid, surface);
  return surface;
}
