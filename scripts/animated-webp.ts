/** Joins still WebP pictures into a moving one: https://developers.google.com/speed/webp/docs/riff_container. */

const ANIMATION = 0x02;
const ALPHA = 0x10;
/** Do not blend with the picture before. */
const NO_BLEND = 0x02;

function chunk(name: string, content: Uint8Array): Buffer {
  const header = Buffer.alloc(8);
  header.write(name, 'latin1');
  header.writeUInt32LE(content.length, 4);
  return Buffer.concat([header, content, Buffer.alloc(content.length % 2)]);
}

/** Returns the chunks of a still picture that hold it, and its size. */
function pictureOf(bytes: Uint8Array): { data: Buffer; width: number; height: number } {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const kept: Buffer[] = [];
  let [width, height] = [0, 0];
  for (let at = 12; at < file.length; ) {
    const name = file.toString('latin1', at, at + 4);
    const end = at + 8 + file.readUInt32LE(at + 4);
    if (name === 'VP8X') {
      width = 1 + file.readUIntLE(at + 12, 3);
      height = 1 + file.readUIntLE(at + 15, 3);
    } else if (name === 'VP8 ') {
      width ||= file.readUInt16LE(at + 14) & 0x3fff;
      height ||= file.readUInt16LE(at + 16) & 0x3fff;
    }
    if (name === 'VP8 ' || name === 'ALPH') kept.push(file.subarray(at, end + (end % 2)));
    at = end + (end % 2);
  }
  if (kept.length === 0) throw new Error('The picture has no lossy WebP in it. Encode it with a quality below 1.');
  return { data: Buffer.concat(kept), width, height };
}

/**
 * Joins pictures of one size into a picture that moves forever.
 *
 * @param pictures Files in lossy WebP.
 * @param milliseconds How long each is shown.
 * @returns The file.
 * @throws Error If a picture is not lossy WebP.
 */
export function animatedWebp(pictures: readonly Uint8Array[], milliseconds: number): Uint8Array {
  const frames = pictures.map(pictureOf);
  const size = Buffer.alloc(10);
  size[0] = ANIMATION | ALPHA;
  size.writeUIntLE(frames[0].width - 1, 4, 3);
  size.writeUIntLE(frames[0].height - 1, 7, 3);
  const chunks = frames.map(({ data, width, height }) => {
    const header = Buffer.alloc(16);
    header.writeUIntLE(width - 1, 6, 3);
    header.writeUIntLE(height - 1, 9, 3);
    header.writeUIntLE(milliseconds, 12, 3);
    header[15] = NO_BLEND;
    return chunk('ANMF', Buffer.concat([header, data]));
  });
  const content = Buffer.concat([Buffer.from('WEBP'), chunk('VP8X', size), chunk('ANIM', Buffer.alloc(6)), ...chunks]);
  return chunk('RIFF', content);
}
