import type { ReadResource } from '../../../core/asset/asset.ts';
import { isImage } from '../../../core/asset/image-type.ts';
import { FormatError } from '../../../core/report/format-error.ts';

/**
 * Returns a reader that takes images only: a glTF must not carry away what else is in its folder. The buffers are loaded when a glTF is opened, so
 * all that is read later is an image. The reader. It throws FormatError `GLTF_URI_REFUSED` for a file whose first bytes are not those of an image.
 */
export function imageReader(readResource: ReadResource): ReadResource {
  return async (path) => {
    const bytes = await readResource(path);
    if (isImage(bytes)) return bytes;
    const message = `The file ${path} was refused as an image: its first bytes are not those of one; save it as PNG or JPEG`;
    throw new FormatError('GLTF_URI_REFUSED', message, { resource: path });
  };
}
