/** Recognition of formats by the first bytes of a file. Imports no format code, so that detection stays cheap to load. */
import type { OpenFile } from '../open-file.ts';

/** Containers that can be read. `.vrm` and `.vrma` are GLB. USD is text, binary or a package. */
export type FileFormat = 'glb' | 'gltf' | 'bvh' | 'fbx' | 'usd' | 'mmd';

/** The first bytes of a file, decoded in two ways. */
export interface FileStart {
  /** The first bytes as Latin-1: one character per byte. */
  readonly latin1: string;
  /** The first characters of UTF-8 or UTF-16 text, without byte order mark and leading white space. */
  readonly text: string;
}

/** How a format is recognized and named. */
export interface FormatSignature {
  /** Names of the character formats, for messages and help. */
  readonly characters: readonly string[];
  /** Names of the formats that hold motion only, for messages and help. */
  readonly motions: readonly string[];
  /** Usual file extensions, in lower case with a dot, by which files are found in folders. */
  readonly extensions: readonly string[];
  /**
   * Recognizes the format.
   *
   * @param start The first bytes of a file.
   * @returns The container; null for another format.
   */
  detect(start: FileStart): FileFormat | null;
}

/** FBX text starts with a comment that names the format, or with the record that is always the first. */
const FBX_TEXT = /^(?:;[^\n\r]*[\n\r]\s*)*(?:;\s*FBX\s|FBXHeaderExtension\s*:)/;

/** BVH text starts with its first section; some programs write comments before it. */
const BVH_TEXT = /^(?:(?:#|;|%|\/\/)[^\n\r]*[\n\r]\s*)*HIERARCHY(?:\s|$)/i;

/** Files of MikuMikuDance: models (PMX, PMD) and motions (VMD). */
const MMD_BINARY = /^(?:PMX |Pmd|Vocaloid Motion Data)/;

/** USD text starts with its magic comment; `#sdf` is the old one. */
const USD_TEXT = /^#(?:usda|sdf)\s/;

/** Recognizes a USDZ: a ZIP archive whose first file, named after 30 bytes of header, is a layer. */
function isUsdPackage(latin1: string): boolean {
  if (!latin1.startsWith('PK\x03\x04')) return false;
  const nameLength = latin1.charCodeAt(26) + 256 * latin1.charCodeAt(27);
  return /\.usd[acz]?$/i.test(latin1.slice(30, 30 + nameLength));
}

/** The signatures of all formats. */
export const SIGNATURES: Readonly<Record<OpenFile['format'], FormatSignature>> = {
  gltf: {
    characters: ['GLB', 'glTF', 'VRM'],
    motions: ['VRMA'],
    extensions: ['.glb', '.gltf', '.vrm', '.vrma'],
    detect: ({ latin1, text }) => (latin1.startsWith('glTF') ? 'glb' : text.startsWith('{') ? 'gltf' : null),
  },
  bvh: {
    characters: [],
    motions: ['BVH'],
    extensions: ['.bvh'],
    detect: ({ text }) => (BVH_TEXT.test(text) ? 'bvh' : null),
  },
  fbx: {
    characters: ['FBX'],
    motions: [],
    extensions: ['.fbx'],
    detect: ({ latin1, text }) => (latin1.startsWith('Kaydara FBX Binary') || FBX_TEXT.test(text) ? 'fbx' : null),
  },
  mmd: {
    characters: ['PMX', 'PMD'],
    motions: ['VMD', 'VPD'],
    extensions: ['.vmd', '.vpd', '.pmx', '.pmd'],
    detect: ({ latin1, text }) => (MMD_BINARY.test(latin1) || text.startsWith('Vocaloid Pose Data') ? 'mmd' : null),
  },
  usd: {
    characters: ['USD'],
    motions: [],
    extensions: ['.usd', '.usda', '.usdc', '.usdz'],
    detect: ({ latin1, text }) =>
      latin1.startsWith('PXR-USDC') || isUsdPackage(latin1) || USD_TEXT.test(text) ? 'usd' : null,
  },
};
