/**
 * Every code that a FormatError or an Issue can carry. Codes are permanent: never renamed, never reused.
 * `severity` is that of an Issue; `fatal` codes are those a FormatError carries.
 */
export type Severity = 'fatal' | 'error' | 'warning' | 'info';

interface Code {
  readonly severity: Severity;
  /** What the code means, one sentence, for docs. */
  readonly about: string;
}

export const CODES = {
  // Files of any format
  FORMAT_UNKNOWN: { severity: 'fatal', about: 'The content is of no format that anyrig reads.' },
  FILE_NOT_FOUND: { severity: 'fatal', about: 'A file that is named does not exist or cannot be opened.' },
  RESOURCE_MISSING: {
    severity: 'warning',
    about: 'A file that another one names could not be read; what it holds was left out.',
  },

  // glTF, VRM and VRMA
  GLB_HEADER_INVALID: {
    severity: 'fatal',
    about: 'The 12-byte GLB header is damaged, too short or of another version.',
  },
  GLB_CHUNK_INVALID: { severity: 'fatal', about: 'A GLB chunk is missing, misplaced or longer than the file.' },
  GLB_LENGTH_MISMATCH: { severity: 'warning', about: 'The length in the GLB header is not the length of the file.' },
  GLB_ALIGNMENT: { severity: 'warning', about: 'A GLB chunk is not a multiple of 4 bytes or padded with wrong bytes.' },
  GLB_CHUNKS_DROPPED: { severity: 'warning', about: 'Chunks of a GLB that a .gltf has no place for were left out.' },
  JSON_INVALID: { severity: 'fatal', about: 'The text is not JSON, not UTF-8, or nested too deeply.' },
  GLTF_SCHEMA: { severity: 'fatal', about: 'A JSON value that anyrig must follow has the wrong type or range.' },
  GLTF_VERSION: { severity: 'fatal', about: 'The asset is not a glTF 2 asset.' },
  GLTF_REFERENCE: { severity: 'fatal', about: 'An index points to nothing.' },
  GLTF_NODE_TREE: { severity: 'fatal', about: 'Nodes do not form trees: a cycle, or a node with two parents.' },
  GLTF_ACCESSOR: { severity: 'fatal', about: 'An accessor does not fit its data or its own description.' },
  GLTF_BUFFER: { severity: 'fatal', about: 'A buffer is missing, too short or not readable.' },
  GLTF_URI_REFUSED: {
    severity: 'fatal',
    about: 'A URI leaves the folder of the asset or has a scheme that is not read.',
  },
  GLTF_LIMIT: { severity: 'fatal', about: 'The file asks for more memory or depth than anyrig allows.' },
  GLTF_COMPRESSION: { severity: 'fatal', about: 'Compressed data is damaged, or its decoder is not installed.' },
  GLTF_EXTENSION_REQUIRED: { severity: 'warning', about: 'The file requires an extension that anyrig does not know.' },
  GLTF_SKIN: {
    severity: 'warning',
    about: 'A skin is unusual: joints without inverse bind matrices, duplicates, no common root.',
  },
  GLTF_ANIMATION: { severity: 'warning', about: 'An animation channel was left out or mended.' },
  NODE_TRANSFORM_REPAIRED: {
    severity: 'warning',
    about:
      'The transform of a node has shear or a rotation that is not of unit length; the nearest translation, rotation and scale are used.',
  },
  NODE_MATRIX_DECOMPOSED: {
    severity: 'warning',
    about: 'The matrix of an animated node was replaced by translation, rotation, scale.',
  },
  ANIMATION_REFERENCED: {
    severity: 'warning',
    about: 'Animations were removed although something else in the file seems to refer to animations by index.',
  },
  VRM_HUMANOID: {
    severity: 'warning',
    about: 'The humanoid map of a VRM or VRMA is incomplete or contradicts itself.',
  },
  VRM_FACE: {
    severity: 'warning',
    about: 'An expression or the gaze of a VRM or VRMA points to nothing; it was left out.',
  },

  // EXT_skeleton_humanoid, and the drafts that say the same of a character
  EXT_SKELETON: {
    severity: 'warning',
    about: 'A skeleton definition of EXT_skeleton_humanoid is not as its text asks; what cannot be used was left out.',
  },
  EXT_SINGLE_OBJECT: {
    severity: 'warning',
    about: 'EXT_skeleton_humanoid holds one skeleton instead of a list, as its published schema has it.',
  },
  EXT_CHANNEL: {
    severity: 'warning',
    about: 'A humanoid channel of EXT_skeleton_humanoid is not as its text asks; the message says how it was taken.',
  },
  EXT_FACING: {
    severity: 'warning',
    about: 'A character with EXT_skeleton_humanoid does not face +Z with +Y up; its own facing was taken.',
  },
  EXT_BIND_NOT_REST: {
    severity: 'info',
    about: 'Bones stand elsewhere at rest than bound; the reference pose is the bind pose.',
  },
  CHARACTER_DRAFT: {
    severity: 'warning',
    about: 'A rig mapping of the KHR_character drafts is in a layout that is not read, or points to nothing.',
  },

  // EXT_skeleton_humanoid and skins, asked by the validator
  EXT_NOT_LISTED: { severity: 'error', about: 'The extension is used but not in extensionsUsed.' },
  EXT_SCHEMA: {
    severity: 'error',
    about: 'A property of the extension is missing or has the wrong type; what its JSON Schema says.',
  },
  EXT_NODE_MISSING: { severity: 'error', about: 'A skeleton definition names a node that is not there.' },
  EXT_BONE_UNKNOWN: { severity: 'error', about: 'A name is none of the 55 bones.' },
  EXT_BONE_REPEATED: { severity: 'error', about: 'Two bones of a skeleton are the same node.' },
  EXT_BONE_NOT_JOINT: { severity: 'error', about: 'A bone is not a joint of any skin.' },
  EXT_BONE_HIERARCHY: {
    severity: 'error',
    about: 'The nearest bone above a bone is not its parent in the tree of bones.',
  },
  EXT_BONE_REQUIRED: { severity: 'error', about: 'A bone that VRM requires is missing (only with the strict rules).' },
  EXT_ROOT_NOT_ANCESTOR: { severity: 'error', about: 'The root node of a skeleton is not above all of its bones.' },
  EXT_CHANNEL_NODE: {
    severity: 'warning',
    about: 'A humanoid channel names a node too, which players without the extension would animate.',
  },
  EXT_CHANNEL_PATH: {
    severity: 'error',
    about: 'The path of a humanoid channel is not rotation, translation or scale.',
  },
  EXT_CHANNEL_UNUSUAL: {
    severity: 'warning',
    about: 'A humanoid channel scales a bone, or moves one that is not the hips; other bodies have other lengths.',
  },
  EXT_CHANNEL_REPEATED: { severity: 'error', about: 'Two channels of an animation have the same bone and path.' },
  EXT_SAMPLER_SHARED: {
    severity: 'error',
    about: 'A sampler is used by channels with and without the extension.',
  },
  EXT_POSE_OFF: { severity: 'warning', about: 'The reference pose is more than 5 degrees off a rule of the text.' },
  EXT_POSE_WRONG: { severity: 'error', about: 'The reference pose is more than 15 degrees off a rule of the text.' },
  EXT_AXES_OFF: { severity: 'warning', about: 'The axes of a bone are more than 5 degrees off the canonical ones.' },
  EXT_AXES_WRONG: { severity: 'error', about: 'The axes of a bone are more than 15 degrees off the canonical ones.' },
  EXT_UNREADABLE: { severity: 'error', about: 'The file is too broken for its reference poses to be measured.' },
  SKIN_JOINTS: { severity: 'error', about: 'The joints of a skin are missing, repeated, or no nodes.' },
  SKIN_ROOTS: {
    severity: 'error',
    about: 'The joints of a skin have no common root, or its skeleton is not above them.',
  },
  SKIN_MATRICES: { severity: 'error', about: 'Inverse bind matrices are too few, of a wrong type, or cannot be used.' },
  SKIN_NO_MATRICES: {
    severity: 'warning',
    about: 'A skin has no inverse bind matrices, so no reference pose of its own.',
  },
  SKIN_CONFLICT: { severity: 'warning', about: 'Two skins bind the same joints in different poses.' },
  ANIMATION_SAMPLER: { severity: 'error', about: 'A sampler, or what it refers to, is missing or cannot be read.' },
  ANIMATION_TIMES: { severity: 'error', about: 'Key times are not floats that rise from 0 on, or lack their bounds.' },
  ANIMATION_VALUES: { severity: 'error', about: 'Values of keys are of a wrong type or number, or no rotations.' },

  // BVH
  BVH_SYNTAX: { severity: 'fatal', about: 'The BVH text breaks off or has another word than the format wants.' },
  BVH_MOTION: {
    severity: 'warning',
    about: 'The MOTION section does not fit its header: frame count, frame time or numbers.',
  },
  BVH_POSITIONS_ADDED: {
    severity: 'warning',
    about:
      'Position channels stay near 0 where OFFSETs do not, so they were added to the OFFSETs, not put in their place.',
  },
  BVH_CHANNELS_MISSING: {
    severity: 'warning',
    about: 'A motion turns or moves joints in ways that the channels of the BVH that it was written into do not have.',
  },
  BVH_POSITIONS_AMBIGUOUS: {
    severity: 'warning',
    about:
      'Position channels were written as the character means them, added to the OFFSETs or in their place, but their numbers look like the other.',
  },

  // FBX
  FBX_SYNTAX: { severity: 'fatal', about: 'The FBX file breaks off, is damaged, or is not an FBX file.' },
  FBX_VERSION: {
    severity: 'fatal',
    about: 'The FBX file is of a version or kind that is not read: before 6.0, encrypted, big-endian.',
  },
  FBX_LIMIT: { severity: 'fatal', about: 'The FBX file asks for more memory or depth than anyrig allows.' },
  FBX_SCENE: {
    severity: 'warning',
    about:
      'Objects, connections, properties or poses of an FBX are broken or odd; the message says how they were taken.',
  },
  FBX_ANIMATION: {
    severity: 'warning',
    about: 'Curves, layers or channels of an FBX animation were mended, simplified or left out.',
  },
  FBX_GEOMETRY: {
    severity: 'warning',
    about:
      'Meshes, skins or blend shapes of an FBX are broken, or hold what has no place in a glTF; some was left out.',
  },
  FBX_MATERIAL: {
    severity: 'warning',
    about: 'Materials or textures of an FBX hold what has no place in a glTF material; it was left out.',
  },

  // USD
  USD_SYNTAX: { severity: 'fatal', about: 'The USD text breaks off or has another word than the format wants.' },
  USD_LIMIT: { severity: 'fatal', about: 'The USD file asks for more memory or depth than anyrig allows.' },
  USD_DEPRECATED_SYNTAX: {
    severity: 'warning',
    about: 'A USD text has mappers or markers of connections, which USD has given up; they are left out.',
  },
  USD_PACKAGE: {
    severity: 'fatal',
    about:
      'The .usdz breaks off, lies about its files, or holds them compressed, encrypted or under names that lead out of it.',
  },
  USD_PACKAGE_UNUSUAL: {
    severity: 'warning',
    about: 'Files of a .usdz are not where they should be or have another check sum; they were read all the same.',
  },
  USD_CRATE: { severity: 'fatal', about: 'The binary USD file breaks off, is damaged, or is not one.' },
  USD_CRATE_UNUSUAL: {
    severity: 'warning',
    about: 'Specs, samples or the version of a binary USD file are odd; the message says how they were taken.',
  },
  USD_COMPOSITION: {
    severity: 'warning',
    about:
      'Layers, references, targets or value clips of a USD scene form a cycle, point to nothing or are not supported.',
  },
  USD_VALUE_SKIPPED: {
    severity: 'warning',
    about: 'A USD file holds values of a type that anyrig does not read; they were left out.',
  },
  USD_SKELETON_INVALID: {
    severity: 'warning',
    about: 'A Skeleton of UsdSkel has joints before their parents, or a pose that has not one matrix a joint.',
  },
  USD_ANIMATION_INVALID: {
    severity: 'warning',
    about:
      'A SkelAnimation of UsdSkel fits no skeleton, or has not one translation, rotation and scale a joint; the rest pose is shown.',
  },
  USD_BINDING_INVALID: {
    severity: 'warning',
    about:
      'A binding of UsdSkel lacks its API schema or a SkelRoot, leads to a prim that is missing or of another type, or is where players do not look.',
  },
  USD_INFLUENCES_INVALID: {
    severity: 'warning',
    about: 'Joint influences of a USD prim do not fit each other, its points or its joints; joints do not move it.',
  },
  USD_BLEND_SHAPE_INVALID: {
    severity: 'warning',
    about:
      'A blend shape or in-between of UsdSkel does not fit its mesh, or has a weight at which another shape stands.',
  },
  USD_GEOMETRY: {
    severity: 'warning',
    about:
      'Meshes of a USD file have faces, primvars, subsets or bindings that do not fit each other; some was left out.',
  },
  USD_MATERIAL: {
    severity: 'warning',
    about:
      'Shaders of USD and the metallic and rough materials of glTF do not say all that the other says; the message says what was left out.',
  },

  // Skeletons and clips
  BIND_SHAPE_UNSOLVED: {
    severity: 'warning',
    about: 'The bind matrices do not fit the node tree by one common transform.',
  },
  NON_UNIFORM_SCALE: {
    severity: 'warning',
    about: 'A joint has a non-uniform or negative scale; world rotations leave it out.',
  },
  CLIP_EMPTY: { severity: 'warning', about: 'A clip animates no humanoid bone.' },
  KEYS_REPAIRED: { severity: 'warning', about: 'Key times were not finite, not rising or negative and were mended.' },

  // Geometry
  GEOMETRY_DROPPED: {
    severity: 'info',
    about: 'Parts of meshes, materials or nodes that anyrig has no place for are not in the geometry that was read.',
  },
  GEOMETRY_REPAIRED: {
    severity: 'warning',
    about:
      'Numbers of meshes that are not finite, that point to nothing, or weights of joints that do not add up to 1 were replaced.',
  },
  INFLUENCE_COUNT_HIGH: {
    severity: 'info',
    about: 'Vertices hang on more than four joints; many players take only the four that pull most.',
  },
  TEXTURE_DROPPED: {
    severity: 'warning',
    about: 'An image is of a type that the written format does not hold, so materials were written without it.',
  },

  // Humanoids
  NOT_HUMANOID: { severity: 'error', about: 'The skeleton is not that of a humanoid; the message says why.' },
  SKELETON_CHOSEN: { severity: 'info', about: 'A file has several skeletons; the only humanoid one was taken.' },
  BONE_MAP_INVALID: { severity: 'error', about: 'A given bone map names a bone or a node that does not exist.' },
  BONE_DUPLICATE: { severity: 'warning', about: 'Several nodes claim the same bone; one was chosen.' },
  BONE_MISSING: { severity: 'warning', about: 'A required bone of the humanoid was not found.' },
  BONES_BY_SHAPE: {
    severity: 'info',
    about: 'Names do not tell the bones of a body, or not all of them; they were found by where the joints are.',
  },
  BONES_AMBIGUOUS: {
    severity: 'warning',
    about: 'The bones of a body were found by its shape, but another reading is about as good.',
  },
  LEFT_RIGHT_AMBIGUOUS: {
    severity: 'warning',
    about: 'Neither names nor shape tell which side of a body is the left.',
  },
  BONE_HIERARCHY: { severity: 'warning', about: 'A bone does not hang below its parent bone.' },
  DECLARED_POSE_NOT_T: {
    severity: 'warning',
    about: 'The pose that the format declares to be a T-pose is more than 20 degrees off.',
  },
  POSE_NOT_AT_REST: {
    severity: 'warning',
    about: 'The pose that the reference pose was estimated from is one of movement; trunk and shoulders may be off.',
  },
  POSE_PARTIAL: { severity: 'warning', about: 'The pose of another file lacks some bones; they stand as they rest.' },
  POSE_LIMB_AMBIGUOUS: { severity: 'warning', about: 'A limb of the reference pose could not be determined well.' },
  FACING_GUESSED: { severity: 'warning', about: 'The facing was found by a weak sign.' },
  UNIT_GUESSED: { severity: 'info', about: 'The unit of length was guessed from the height.' },
  UNIT_IMPLAUSIBLE: {
    severity: 'warning',
    about: 'The unit of length that the file declares makes a giant or a dwarf of the body; another was taken.',
  },
  GROUND_GUESSED: { severity: 'info', about: 'The ground is not y = 0.' },
  JOINT_HIERARCHY_INFERRED: {
    severity: 'warning',
    about: 'No bone hangs on another one; the rest pose was read as if every one hung on the bone above.',
  },
  HIPS_HEIGHT_ZERO: { severity: 'warning', about: 'The hips are not above the ground; the hips scale is 1.' },

  // Defining a humanoid
  DEFINE_POSE_NOT_T: {
    severity: 'warning',
    about: 'A humanoid was defined whose bind pose, which the definition makes its reference pose, is no T-pose.',
  },
  DEFINE_AXES: { severity: 'info', about: 'A humanoid was defined whose bones do not have the canonical axes.' },
  DEFINE_HIERARCHY: {
    severity: 'warning',
    about: 'A humanoid was defined of which a bone does not hang below its parent bone.',
  },
  DEFINE_BONES_REPARENTED: {
    severity: 'info',
    about: 'Bones that did not hang below their parent bone were hung there; new keys keep them where they were.',
  },
  DEFINE_BONE_WRAPPED: {
    severity: 'info',
    about:
      'A bone that is scaled unevenly, or carries something, keeps its node below a new node, which is the bone now.',
  },
  DEFINE_SKIN_ADDED: {
    severity: 'info',
    about: 'Bones that were in no skin were put into one that deforms nothing.',
  },
  DEFINE_ROOT_ADDED: { severity: 'info', about: 'A node was put above a character: its space is that of the model.' },
  DEFINE_SPACE_CHANGED: {
    severity: 'info',
    about: 'A character was turned to face +Z, scaled to meters, or put on the ground.',
  },
  DEFINE_MESHES_BAKED: {
    severity: 'info',
    about:
      'Meshes were made what their skins show in the T-pose; where joints bend, other poses look a little different.',
  },
  DEFINE_CONSTRAINT: {
    severity: 'warning',
    about: 'A VRM node constraint names axes of bones that have other axes now.',
  },
  DEFINE_VRM0: {
    severity: 'warning',
    about: 'A VRM 0.x has bones with rotations now; players that take its nodes for normalized ones show it wrongly.',
  },

  // Retargeting
  BONES_MISSING_IN_TARGET: {
    severity: 'info',
    about: 'The target lacks bones that the motion animates; their motion was folded into their children.',
  },
  BONES_MISSING_IN_SOURCE: {
    severity: 'info',
    about: 'The motion lacks bones that the target has; they hold their reference pose.',
  },
  JOINTS_DETACHED: {
    severity: 'info',
    about: 'Joints of the skin hang below no bone, or below another one; they follow the bone at their place.',
  },
  HIPS_NOT_MOVABLE: { severity: 'warning', about: 'The hips of the character cannot be moved.' },
  CLIP_OVERFLOW: { severity: 'error', about: 'A retargeted clip has numbers too large for a file and was left out.' },
  RESOURCE_NOT_COPIED: { severity: 'warning', about: 'A file that the character names could not be copied along.' },
  CHANNELS_DROPPED: { severity: 'info', about: 'Channels of the motion are not carried over.' },
} as const satisfies Record<string, Code>;

export type IssueCode = keyof typeof CODES;
