/** Files that users are likely to try and anyrig cannot read: how to recognize them by content, and what to do with them. */
import { type FileStart, firstZipName, OLD_PYTORCH } from './adapters/signatures.ts';

export interface ForeignFile {
  /** What the file is, with its article: `a PNG image`. */
  readonly name: string;
  /** What to do instead, as a clause. */
  readonly advice: string;
}

/** A format that starts with words, which may follow a byte order mark and white space. */
interface ForeignText extends ForeignFile {
  readonly text: RegExp;
}

const PICTURE = 'anyrig reads 3D characters and motions, not pictures';
const VIDEO =
  'anyrig reads motions, not videos; capture the motion with a motion capture program and export it as BVH, FBX or GLB';
const SOUND = 'anyrig reads 3D characters and motions, not sound';
const UNPACK = 'unpack it and use the files in it';
const MARKERS =
  'it has markers on the skin and no skeleton; solve them for one in the capture program (Motive, Shogun, Cortex) or in MotionBuilder, and export it as BVH or FBX';
const NO_SKELETON = 'it has no skeleton; bind it to one in a 3D program and export it as GLB or FBX';

const FROM_PYTORCH =
  'load it in Python with torch.load, convert its tensors with .numpy() and save the arrays with numpy.savez';

const exported = (program: string, formats: string): string => `open it in ${program} and export it as ${formats}`;

/** Blender 3.0 and later compress with Zstandard. */
const ZSTANDARD = '\x28\xb5\x2f\xfd';

/** Beginnings of files as Latin-1, or a pattern that matches them, and their offset, 0 by default. */
const BINARY: readonly (ForeignFile & { readonly begins: readonly string[] | RegExp; readonly offset?: number })[] = [
  { name: 'a PNG image', begins: ['\x89PNG'], advice: PICTURE },
  { name: 'a JPEG image', begins: ['\xff\xd8\xff'], advice: PICTURE },
  { name: 'a GIF image', begins: ['GIF8'], advice: PICTURE },
  { name: 'a WebP image', begins: /^RIFF.{4}WEBP/s, advice: PICTURE },
  { name: 'a TIFF image', begins: ['II*\0', 'MM\0*'], advice: PICTURE },
  { name: 'a Photoshop image', begins: ['8BPS'], advice: PICTURE },
  { name: 'a texture (KTX, DDS, EXR or HDR)', begins: ['\xabKTX ', 'DDS ', 'v/1\x01', '#?RADIANCE'], advice: PICTURE },
  { name: 'an HEIF or AVIF image', begins: /^.{4}ftyp(?:hei|mif|avi)/s, advice: PICTURE },
  { name: 'an MP4 or QuickTime video', begins: /^.{4}(?:ftyp|moov|mdat)/s, advice: VIDEO },
  { name: 'an AVI video', begins: /^RIFF.{4}AVI /s, advice: VIDEO },
  { name: 'a WebM or Matroska video', begins: ['\x1a\x45\xdf\xa3'], advice: VIDEO },
  { name: 'a sound file', begins: /^(?:RIFF.{4}WAVE|ID3|OggS|fLaC|\xff\xfb)/s, advice: SOUND },
  { name: 'a PDF document', begins: ['%PDF'], advice: 'download the file that it describes' },
  { name: 'a 7z archive', begins: ['7z\xbc\xaf\x27\x1c'], advice: UNPACK },
  { name: 'a RAR archive', begins: ['Rar!'], advice: UNPACK },
  { name: 'an xz or bzip2 archive', begins: /^(?:\xfd7zXZ|BZh\d)/, advice: UNPACK },
  { name: 'a tar archive', begins: /^.{257}ustar/s, advice: UNPACK },
  {
    name: 'a Unity package',
    // Unity names the archive inside its packages so.
    begins: ['archtemp.tar'],
    offset: 10,
    advice: 'import it in Unity and export the character as FBX or VRM; or unpack it, it is a .tar.gz archive',
  },
  {
    name: 'a gzip archive (a .tar.gz, a Unity package or a compressed Blender file)',
    begins: ['\x1f\x8b'],
    advice: 'unpack it, or open it in its program and export it as GLB, VRM or FBX',
  },
  { name: 'a Blender file', begins: ['BLENDER'], advice: 'export it from Blender as GLB' },
  {
    name: 'a Zstandard archive, perhaps a compressed Blender file',
    begins: [ZSTANDARD],
    advice: exported('Blender', 'GLB'),
  },
  { name: 'a Maya scene', begins: /^(?:\/\/\s*Maya ASCII|FOR[48].{4,12}Maya)/s, advice: exported('Maya', 'FBX') },
  { name: 'a Cinema 4D scene', begins: /^Q?C4DC4D6/, advice: exported('Cinema 4D', 'FBX or GLB') },
  {
    name: 'a 3ds Max scene or an Office document',
    begins: ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
    advice: exported('3ds Max', 'FBX'),
  },
  { name: 'an Unreal Engine asset', begins: ['\xc1\x83\x2a\x9e'], advice: exported('Unreal Engine', 'FBX or GLB') },
  { name: 'an ActorX file (PSK, PSA)', begins: /^(?:ACTRHEAD|ANIMHEAD)/, advice: 'convert it to GLB or FBX first' },
  {
    name: 'a Unity asset bundle',
    begins: ['UnityFS', 'UnityWeb', 'UnityRaw'],
    advice: exported('Unity', 'FBX or VRM'),
  },
  {
    name: 'an Alembic cache',
    begins: ['Ogawa'],
    advice: 'it has moving vertices and no skeleton; export skeleton and motion as GLB or FBX',
  },
  { name: 'a file of PyTorch', begins: [OLD_PYTORCH], advice: FROM_PYTORCH },
  {
    name: 'a file compressed with zlib, perhaps a pickle of joblib',
    begins: ['\x78\x01', '\x78\x5e', '\x78\x9c', '\x78\xda'],
    advice: 'load it in Python with joblib.load and save its arrays with numpy.savez',
  },
  { name: 'an HDF5 file', begins: ['\x89HDF'], advice: 'convert the motion to BVH, FBX or GLB first' },
  { name: 'marker positions (C3D)', begins: ['\x02P'], advice: MARKERS },
  {
    name: 'a "._" file, in which macOS keeps attributes of another file',
    begins: ['\x00\x05\x16\x07'],
    advice: 'use the file without "._" before its name',
  },
  { name: 'a file of zeros', begins: ['\0'.repeat(64)], advice: 'its download or copy is incomplete; get it again' },
];

const TEXT: readonly ForeignText[] = [
  { name: 'an HTML page', text: /^<(?:!doctype html|html)/i, advice: 'download the file itself' },
  { name: 'COLLADA or other XML', text: /^<(?:\?xml|COLLADA)/i, advice: 'convert it to GLB first' },
  {
    name: 'a Git LFS pointer',
    text: /^version https:\/\/git-lfs/,
    advice: 'fetch the file itself with "git lfs pull"',
  },
  { name: 'a Unity asset', text: /^%YAML.{0,40}%TAG !u!/s, advice: exported('Unity', 'FBX or VRM') },
  {
    name: 'an Acclaim skeleton or motion (ASF, AMC)',
    text: /^(?:#[^\n]*\n\s*)*:(?:version|FULLY)/i,
    advice: 'convert it to BVH first',
  },
  { name: 'a Valve model or motion (SMD)', text: /^version 1\s+nodes/, advice: 'convert it to GLB or FBX first' },
  { name: 'an OBJ mesh', text: /^(?:[#og][^\n]*\n\s*)*(?:mtllib \S|v -?[\d.]+ )/, advice: NO_SKELETON },
  { name: 'an STL or PLY mesh', text: /^(?:solid\s.*\sfacet\s|ply\s+format\s)/s, advice: NO_SKELETON },
];

const JSON_TEXT: readonly ForeignText[] = [
  {
    name: 'a bone map of anyrig',
    text: /^\{\s*"bones"\s*:/,
    advice:
      'it belongs to the option map, the option sourceMap or the option targetMap, beside the file that it is for',
  },
  { name: 'a DAZ Studio file', text: /^\{\s*"file_version"\s*:/, advice: exported('DAZ Studio', 'FBX') },
];

function describeZip(first: string): ForeignFile {
  if (/(?:^|\/)data\.pkl$/.test(first)) return { name: 'an archive of PyTorch', advice: FROM_PYTORCH };
  const begins = first === '' ? '' : ` that begins with ${JSON.stringify(first)}`;
  return {
    name: `a ZIP archive${begins}, neither a USDZ nor an NPZ, because its first file is neither a USD layer nor an array`,
    advice: UNPACK,
  };
}

/** What the extension of a file adds to its content. */
function describeByName(name: string, latin1: string): ForeignFile | null {
  if (/\.unitypackage$/i.test(name)) return BINARY.find((format) => format.name === 'a Unity package') ?? null;
  const isBlend = /\.blend\d*$/i.test(name) && (latin1.startsWith(ZSTANDARD) || latin1.startsWith('\x1f\x8b'));
  return isBlend ? { name: 'a compressed Blender file', advice: exported('Blender', 'GLB') } : null;
}

/** Recognizes JSON that is not glTF, although it starts like it. Returns what the file is and what to do with it; null for other files. */
export function recognizeForeignJson({ text }: FileStart): ForeignFile | null {
  return JSON_TEXT.find((format) => format.text.test(text)) ?? null;
}

/** Recognizes a file that anyrig cannot read, from its first bytes. Returns what the file is and what to do with it; null for an unknown file. */
export function recognizeForeignFile({ latin1, text }: FileStart, name = ''): ForeignFile | null {
  const firstInZip = firstZipName(latin1);
  if (firstInZip !== null) return describeZip(firstInZip);
  const byName = describeByName(name, latin1);
  if (byName !== null) return byName;
  const found =
    BINARY.find(({ begins, offset = 0 }) =>
      begins instanceof RegExp ? begins.test(latin1) : begins.some((text) => latin1.startsWith(text, offset)),
    ) ?? TEXT.find((format) => format.text.test(text));
  return found ?? null;
}
