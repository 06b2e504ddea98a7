/** Recognition of formats by the first bytes of a file. Imports no format code, so that detection stays cheap to load. */
import type { OpenFile } from '../open-file.ts';

/** Containers that can be read. `.vrm` and `.vrma` are GLB. USD is text, binary or a package. NPZ is also a single array or a pickle. */
export type FileFormat = 'glb' | 'gltf' | 'bvh' | 'fbx' | 'usd' | 'npz' | 'mmd' | 'trc' | 'keypoints';

/** The first bytes of a file, decoded in two ways. */
export interface FileStart {
  /** The first bytes as Latin-1: one character per byte. */
  readonly latin1: string;
  /** The first characters of UTF-8 or UTF-16 text, without byte order mark and leading white space. */
  readonly text: string;
}

interface FormatSignature {
  /** Names of the character formats, for messages and help. */
  readonly characters: readonly string[];
  /** Names of the formats that hold motion only, for messages and help. */
  readonly motions: readonly string[];
  /** Usual file extensions, in lower case with a dot, by which files are found in folders. */
  readonly extensions: readonly string[];
  /** Recognizes the format. `start`: the first bytes of a file. Returns the container; null for another format. */
  detect(start: FileStart): FileFormat | null;
}

/** The first pickle of files of PyTorch before version 1.6 is this number. */
export const OLD_PYTORCH = '\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19';

/** FBX text starts with a comment that names the format, or with the record that is always the first. */
const FBX_TEXT = /^(?:;[^\n\r]*[\n\r]\s*)*(?:;\s*FBX\s|FBXHeaderExtension\s*:)/;

/** BVH text starts with its first section; some programs write comments before it. */
const BVH_TEXT = /^(?:(?:#|;|%|\/\/)[^\n\r]*[\n\r]\s*)*HIERARCHY(?:\s|$)/i;

/** Files of MikuMikuDance: models (PMX, PMD) and motions (VMD). */
const MMD_BINARY = /^(?:PMX |Pmd|Vocaloid Motion Data)/;

/** A BVH whose joints have positions only. Joints of usual motions have rotations from the first on. */
const POSITION_BVH =
  /^(?![\s\S]*\b[XYZ]rotation\b)[\s\S]*?\bCHANNELS\s+3\s+[XYZ]position\s+[XYZ]position\s+[XYZ]position\b[\s\S]*\bCHANNELS\s+3\s+[XYZ]position\b/i;

const TRC_TEXT = /^PathFileType\s/;

/** Members of JSON with keypoints; glTF has none of them. */
const KEYPOINT_MEMBER =
  /"(?:\w*[wW]orld_?[lL]andmarks|(?:pose_?)?[lL]andmarks|frames|fps|frame_?[rR]ate|people|persons|instance_info|meta_info|\w*keypoints\w*|joint_?[nN]ames|joints_?3[dD]|left_?(?:hip|shoulder|knee)|l_?hip|poses|positions)"\s*:/i;
/** Members that begin a glTF. */
const GLTF_MEMBER = /"(?:asset|accessors|bufferViews|buffers|scenes|meshes|extensionsUsed)"\s*:/;

function isKeypoints(text: string): boolean {
  if (/^\[\s*[[{]/.test(text)) return true;
  return text.startsWith('{') && KEYPOINT_MEMBER.test(text) && !GLTF_MEMBER.test(text);
}

/** USD text starts with its magic comment; `#sdf` is the old one. */
const USD_TEXT = /^#(?:usda|sdf)\s/;

/** Returns the name of the first file of a ZIP archive, which follows 30 bytes of header; null for other files. */
export function firstZipName(latin1: string): string | null {
  if (!latin1.startsWith('PK\x03\x04')) return null;
  return latin1.slice(30, 30 + latin1.charCodeAt(26) + 256 * latin1.charCodeAt(27));
}

/** A USDZ is a ZIP archive whose first file is a layer. */
function isUsdPackage(latin1: string): boolean {
  return /\.usd[acz]?$/i.test(firstZipName(latin1) ?? '');
}

/** Arrays of NumPy, archives of them, and pickles: with their protocol, or a dict of the oldest protocols. */
function isNumpy(latin1: string): boolean {
  if (firstZipName(latin1)?.endsWith('.npy') === true) return true;
  const protocol = latin1.charCodeAt(1);
  const isPickle = latin1.startsWith('\x80') && protocol >= 2 && protocol <= 5 && !latin1.startsWith(OLD_PYTORCH);
  return isPickle || /^(?:\x93NUMPY|\(dp\d+\r?\n|\}q)/.test(latin1);
}

export const SIGNATURES: Readonly<Record<OpenFile['format'], FormatSignature>> = {
  gltf: {
    characters: ['GLB', 'glTF', 'VRM'],
    motions: ['VRMA'],
    extensions: ['.glb', '.gltf', '.vrm', '.vrma'],
    detect: ({ latin1, text }) =>
      latin1.startsWith('glTF') ? 'glb' : text.startsWith('{') && !isKeypoints(text) ? 'gltf' : null,
  },
  bvh: {
    characters: [],
    motions: ['BVH'],
    extensions: ['.bvh'],
    detect: ({ text }) => (BVH_TEXT.test(text) && !POSITION_BVH.test(text) ? 'bvh' : null),
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
  npz: {
    characters: [],
    motions: ['NPZ'],
    extensions: ['.npz', '.npy', '.smpl', '.pkl'],
    detect: ({ latin1 }) => (isNumpy(latin1) ? 'npz' : null),
  },
  points: {
    characters: [],
    motions: ['TRC', 'JSON keypoints'],
    extensions: ['.trc'],
    detect: ({ text }) =>
      TRC_TEXT.test(text)
        ? 'trc'
        : isKeypoints(text)
          ? 'keypoints'
          : BVH_TEXT.test(text) && POSITION_BVH.test(text)
            ? 'bvh'
            : null,
  },
};
