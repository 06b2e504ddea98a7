/**
 * The public list of all codes of errors and issues. Codes are frozen: a code is never renamed, removed or reused, and its severity never
 * changes. New codes are also added to test/core/report/codes.test.ts. docs/codes.md is generated from this file.
 */

/** `fatal` codes belong to a FormatError, the others to an Issue. */
export type Severity = 'fatal' | 'error' | 'warning' | 'info';

/**
 * Severity and meaning of a code.
 *
 * @inline
 */
interface Code {
  /** Severity of every issue with this code. */
  readonly severity: Severity;
  /** Meaning of the code, one sentence, for docs/codes.md. */
  readonly about: string;
}

/** The table of {@link CODES}. The line comments are the group headings of docs/codes.md. */
const TABLE = {
  // All file formats
  FORMAT_UNKNOWN: { severity: 'fatal', about: 'The file format was not recognized from the content.' },
  FILE_NOT_FOUND: { severity: 'fatal', about: 'An input file does not exist or cannot be opened.' },
  FILE_LEFT_OUT: {
    severity: 'error',
    about: 'One of several motions could not be read, converted or written; the others were.',
  },
  TEXT_ENCODING_GUESSED: {
    severity: 'info',
    about: 'Names of a text or FBX file are not UTF-8; they were read in the most probable older encoding.',
  },
  RESOURCE_MISSING: {
    severity: 'warning',
    about: 'A file that another file references could not be read; its content was left out.',
  },

  // glTF, VRM and VRMA
  GLB_HEADER_INVALID: {
    severity: 'fatal',
    about: 'The 12-byte GLB header is damaged, truncated or of an unsupported version.',
  },
  GLB_CHUNK_INVALID: { severity: 'fatal', about: 'A GLB chunk is missing, misplaced or longer than the file.' },
  GLB_LENGTH_MISMATCH: {
    severity: 'warning',
    about: 'The length in the GLB header differs from the length of the file.',
  },
  GLB_ALIGNMENT: {
    severity: 'warning',
    about: 'A GLB chunk is not a multiple of 4 bytes, or its padding has the wrong bytes.',
  },
  GLB_CHUNKS_DROPPED: { severity: 'warning', about: 'GLB chunks that a .gltf file cannot contain were left out.' },
  JSON_INVALID: { severity: 'fatal', about: 'The text is not valid JSON, not UTF-8, or nested too deeply.' },
  GLTF_SCHEMA: { severity: 'fatal', about: 'A JSON value that anyrig reads has the wrong type or is out of range.' },
  GLTF_VERSION: {
    severity: 'fatal',
    about: 'The file is not a glTF 2.0 asset, nor one of the known part of the 2.1 draft.',
  },
  GLTF_DRAFT: {
    severity: 'info',
    about: 'The file needs the draft of glTF 2.1, which may still change: GLB version 3, or minVersion 2.1.',
  },
  GLTF_REFERENCE: { severity: 'fatal', about: 'An index refers to an element that does not exist.' },
  GLTF_NODE_TREE: {
    severity: 'fatal',
    about: 'The nodes do not form trees: there is a cycle, or a node with two parents.',
  },
  GLTF_ACCESSOR: {
    severity: 'fatal',
    about: 'An accessor is inconsistent with its buffer view or with its own properties.',
  },
  GLTF_BUFFER: { severity: 'fatal', about: 'A buffer is missing, too short or unreadable.' },
  GLTF_URI_REFUSED: { severity: 'fatal', about: "A URI leaves the asset's folder or has an unsupported scheme." },
  GLTF_LIMIT: { severity: 'fatal', about: 'The file requires more memory or nesting depth than anyrig allows.' },
  GLTF_COMPRESSION: { severity: 'fatal', about: 'Compressed data is damaged, or its decoder is not installed.' },
  GLTF_EXTENSION_REQUIRED: {
    severity: 'warning',
    about: 'The file requires an extension that anyrig does not support.',
  },
  GLTF_SKIN: {
    severity: 'warning',
    about: 'A skin is unusual: it has no inverse bind matrices, duplicate joints, or no common root.',
  },
  GLTF_ANIMATION: { severity: 'warning', about: 'An animation channel was left out or repaired.' },
  NODE_TRANSFORM_REPAIRED: {
    severity: 'warning',
    about:
      'A node transform has shear or a rotation that is not of unit length; the nearest translation, rotation and scale were used.',
  },
  NODE_MATRIX_DECOMPOSED: {
    severity: 'warning',
    about: 'The matrix of an animated node was replaced by translation, rotation and scale.',
  },
  ANIMATION_REFERENCED: {
    severity: 'warning',
    about: 'Animations were removed, but another part of the file seems to refer to animations by index.',
  },
  VRM_HUMANOID: {
    severity: 'warning',
    about: 'The humanoid bones of a VRM or VRMA file are incomplete or contradictory.',
  },
  VRM_FACE: {
    severity: 'warning',
    about: 'An expression or the look-at of a VRM or VRMA file refers to a missing element; it was left out.',
  },
  VRM_CLIP_PLAYBACK: {
    severity: 'warning',
    about: 'Clips were written into a .vrm, which VRM players show in its rest pose; they play VRM Animations (.vrma).',
  },
  VRM_CONVERT_META: {
    severity: 'warning',
    about: 'Metadata has no counterpart in the other version of VRM, or is stricter there.',
  },
  VRM_CONVERT_HUMANOID: {
    severity: 'warning',
    about:
      'The bones of a VRM do not fit the version that was requested; the message says what was changed or is missing.',
  },
  VRM_CONVERT_FACE: {
    severity: 'warning',
    about: 'A part of an expression or of the look-at has no counterpart in the other version of VRM; it was left out.',
  },
  VRM_CONVERT_SPRING: {
    severity: 'warning',
    about: 'Spring bones or colliders have no exact counterpart in the other version of VRM.',
  },
  VRM_CONVERT_MATERIAL: {
    severity: 'warning',
    about: 'Settings of a material have no counterpart in the other version of VRM; they were left out.',
  },
  VRM_CONVERT_NODE: {
    severity: 'warning',
    about: 'A node has data that the other version of VRM does not have, or that could not be rotated with the scene.',
  },
  VRM_META_INVALID: {
    severity: 'error',
    about: 'The metadata of a new VRM is incomplete or invalid; nothing was written.',
  },

  // EXT_skeleton_humanoid and KHR_character drafts
  EXT_SKELETON: {
    severity: 'warning',
    about:
      'A skeleton definition of EXT_skeleton_humanoid does not follow the specification; its unusable parts were left out.',
  },
  EXT_SINGLE_OBJECT: {
    severity: 'warning',
    about: 'EXT_skeleton_humanoid contains a single skeleton instead of an array, as in its published schema.',
  },
  EXT_CHANNEL: {
    severity: 'warning',
    about:
      'A humanoid channel of EXT_skeleton_humanoid does not follow the specification; the message states how it was interpreted.',
  },
  EXT_FACING: {
    severity: 'warning',
    about: 'A character with EXT_skeleton_humanoid does not face +Z with +Y up; its measured facing was used.',
  },
  EXT_BIND_NOT_REST: {
    severity: 'info',
    about: 'The bind pose of the bones differs from their rest pose; the reference pose is the bind pose.',
  },
  CHARACTER_DRAFT: {
    severity: 'warning',
    about: 'A rig mapping of a KHR_character draft has an unsupported layout or refers to missing elements.',
  },

  // Validation of EXT_skeleton_humanoid, and of glTF 2.0 with the codes of the Khronos glTF Validator
  EXT_SCHEMA: {
    severity: 'error',
    about: 'A property of the extension is missing or has the wrong type according to its JSON Schema.',
  },
  EXT_NODE_MISSING: { severity: 'error', about: 'A skeleton definition refers to a node that does not exist.' },
  EXT_BONE_UNKNOWN: { severity: 'error', about: 'A bone name is not one of the 55 humanoid bones.' },
  EXT_BONE_REPEATED: { severity: 'error', about: 'Two bones of a skeleton are mapped to the same node.' },
  EXT_BONE_NOT_JOINT: { severity: 'error', about: 'A bone is not a joint of any skin.' },
  EXT_BONE_HIERARCHY: {
    severity: 'error',
    about: 'The nearest bone above a bone is not its parent in the humanoid hierarchy.',
  },
  EXT_BONE_REQUIRED: {
    severity: 'error',
    about: 'A bone that VRM requires is missing (reported with the strict rules only).',
  },
  EXT_ROOT_NOT_ANCESTOR: {
    severity: 'error',
    about: 'The root node of a skeleton is not an ancestor of all of its bones.',
  },
  EXT_CHANNEL_NODE: {
    severity: 'warning',
    about: 'A humanoid channel also has a target node, which players without the extension would animate.',
  },
  EXT_CHANNEL_PATH: {
    severity: 'error',
    about: 'The path of a humanoid channel is not rotation, translation or scale.',
  },
  EXT_CHANNEL_UNUSUAL: {
    severity: 'warning',
    about:
      'A humanoid channel scales a bone, or translates a bone other than the hips; such values do not fit characters with other proportions.',
  },
  EXT_CHANNEL_REPEATED: { severity: 'error', about: 'Two channels of an animation have the same bone and path.' },
  EXT_SAMPLER_SHARED: {
    severity: 'error',
    about: 'A channel with the extension and a channel without it use the same sampler.',
  },
  EXT_POSE_OFF: {
    severity: 'warning',
    about: 'The reference pose deviates from a rule of the specification by more than 5 degrees.',
  },
  EXT_POSE_WRONG: {
    severity: 'error',
    about: 'The reference pose deviates from a rule of the specification by more than 15 degrees.',
  },
  EXT_AXES_OFF: {
    severity: 'warning',
    about: 'The axes of a bone deviate from the canonical axes by more than 5 degrees.',
  },
  EXT_AXES_WRONG: {
    severity: 'error',
    about: 'The axes of a bone deviate from the canonical axes by more than 15 degrees.',
  },
  EXT_UNREADABLE: { severity: 'error', about: 'The file is too damaged to measure its reference poses.' },
  SKIN_MATRICES: { severity: 'error', about: 'An inverse bind matrix of a skin cannot be inverted.' },
  SKIN_NO_MATRICES: { severity: 'warning', about: 'A skin has no inverse bind matrices, so it defines no bind pose.' },
  SKIN_CONFLICT: { severity: 'warning', about: 'Two skins bind the same joints in different poses.' },
  VALIDATOR_FAILED: {
    severity: 'error',
    about: 'The Khronos glTF Validator ended without a result, so the file was not checked against glTF 2.0.',
  },
  FINDINGS_LEFT_OUT: {
    severity: 'info',
    about: 'The Khronos glTF Validator has so many findings of one code that only the first ones are listed.',
  },

  // BVH
  BVH_SYNTAX: { severity: 'fatal', about: 'The BVH text ends early or contains an unexpected word.' },
  BVH_TEXT: {
    severity: 'warning',
    about: 'The BVH text has comments, commas in numbers, or numbers without white space between them.',
  },
  BVH_MOTION: {
    severity: 'warning',
    about: 'The MOTION section contradicts its header: frame count, frame time or number of values.',
  },
  BVH_POSITIONS_ADDED: {
    severity: 'warning',
    about:
      'Position channels stay near 0 although OFFSETs do not; they were added to the OFFSETs instead of replacing them.',
  },
  BVH_POSITIONS_WORLD: {
    severity: 'warning',
    about:
      'Position channels of joints are in the space of the file instead of that of the parent joint; they were converted.',
  },
  BVH_CHANNELS_MISSING: {
    severity: 'warning',
    about: 'The motion rotates or translates joints in ways that the channels of the target BVH cannot express.',
  },
  BVH_POSITIONS_AMBIGUOUS: {
    severity: 'warning',
    about:
      'Position channels follow the target file (added to the OFFSETs, or replacing them), but readers may interpret their values the other way.',
  },

  // Joint positions
  POINTS_SYNTAX: {
    severity: 'fatal',
    about: 'A TRC, or JSON with keypoints, cannot be parsed or has no positions of joints.',
  },
  POINTS_WITHOUT_DEPTH: { severity: 'fatal', about: 'The keypoints are positions in an image, without depth.' },
  POINTS_NOT_BODY: {
    severity: 'fatal',
    about: 'The points are not the joints of a person, or their names are missing.',
  },
  POINTS_ASSUMED: {
    severity: 'info',
    about: 'The file does not declare joints, unit, axes or frame rate; they were found from the body or assumed.',
  },
  POINTS_BRIDGED: {
    severity: 'info',
    about: 'Positions of joints are missing; they were bridged from their neighbors in time.',
  },
  POINTS_CENTERED: {
    severity: 'info',
    about: 'The hips are the origin of all joint positions; the person was put on the ground, and does not travel.',
  },

  // FBX
  FBX_SYNTAX: { severity: 'fatal', about: 'The FBX file ends early, is damaged, or is not an FBX file.' },
  FBX_VERSION: {
    severity: 'fatal',
    about: 'The FBX version or variant is not supported: before 6.0, encrypted or big-endian.',
  },
  FBX_LIMIT: { severity: 'fatal', about: 'The FBX file requires more memory or nesting depth than anyrig allows.' },
  FBX_SCENE: {
    severity: 'warning',
    about:
      'Objects, connections, properties or poses of an FBX file are invalid or unusual, or joints of a new one were renamed or have uneven scales; the message states what was done.',
  },
  FBX_ANIMATION: {
    severity: 'warning',
    about: 'Curves, layers or channels of an FBX animation were repaired, simplified or left out.',
  },
  FBX_TAKE_RANGE: {
    severity: 'warning',
    about:
      'An FBX animation has movement outside of the time range that it declares; the message states which was used.',
  },
  FBX_GEOMETRY: {
    severity: 'warning',
    about:
      'Meshes, skins or blend shapes of an FBX file are invalid, or have features that glTF lacks, so that some were left out; or skins of a new FBX file bind joints in different poses.',
  },
  FBX_MATERIAL: {
    severity: 'warning',
    about:
      'Materials or textures of an FBX file have features that a glTF material lacks, or of a glTF that FBX lacks; these were left out.',
  },

  // Validation of FBX: what importers refuse or change
  FBX_ID_REPEATED: { severity: 'error', about: 'Objects of an FBX file have the id of another object.' },
  FBX_CONNECTION_BROKEN: {
    severity: 'error',
    about: 'Connections of an FBX file lead to an object that is not in it.',
  },
  FBX_CLUSTER: {
    severity: 'error',
    about: 'Skin clusters of an FBX file lack a joint or a matrix, do not fit the mesh, or contradict each other.',
  },
  FBX_CURVE: {
    severity: 'error',
    about: 'Curves of an FBX file have times out of order, invalid values, or arrays of different lengths.',
  },
  FBX_AXES: {
    severity: 'warning',
    about: 'The axes of an FBX file are missing, invalid, or not those of its data.',
  },
  FBX_UNIT: { severity: 'warning', about: 'The unit of an FBX file is missing, or not one centimeter.' },
  FBX_ROOT_TRANSFORM: { severity: 'warning', about: 'The root of a skeleton of an FBX file is scaled or turned.' },
  FBX_ROOTS: { severity: 'warning', about: 'The joints of an FBX file have several roots.' },
  FBX_NAME: {
    severity: 'warning',
    about: 'Nodes of an FBX file have no name, the name of another node, or one that an importer leaves out.',
  },
  FBX_JOINT_TYPE: { severity: 'warning', about: 'Joints of an FBX file are not of type LimbNode.' },
  FBX_BIND_POSE: {
    severity: 'warning',
    about: 'The BindPose of an FBX file lacks joints, or contradicts the skin clusters.',
  },
  FBX_REST_OFF_BIND: { severity: 'info', about: 'Joints of an FBX file rest in another pose than they were bound in.' },
  FBX_CURVE_SPIN: {
    severity: 'warning',
    about: 'Angles of an FBX animation jump by more than half a turn, so that interpolation makes joints spin.',
  },
  FBX_TAKE_CUT: { severity: 'warning', about: 'An FBX animation has keys outside of the range that it declares.' },
  FBX_TIME_MODE: { severity: 'warning', about: 'An FBX file with animations declares no frame rate.' },
  FBX_HUMANOID: {
    severity: 'warning',
    about: 'The humanoid of an FBX file lacks bones that Unity requires, or rests in no T-pose.',
  },

  // MMD
  MMD_SYNTAX: {
    severity: 'fatal',
    about: 'A VMD, VPD, PMX or PMD file ends early, is damaged, or has nothing that moves a model.',
  },
  MMD_LIMIT: { severity: 'fatal', about: 'A motion or model of MMD takes more memory or time than anyrig allows.' },
  MMD_SKELETON: {
    severity: 'info',
    about:
      'A VMD or VPD without a model plays on the standard skeleton of MMD; the message names the model that it was made for.',
  },
  MMD_BONES_MISSING: {
    severity: 'info',
    about: 'A VMD or VPD moves bones that the model lacks; the message lists them.',
  },
  MMD_MOTION: {
    severity: 'warning',
    about:
      'A VMD is cut off, has keys that are too late or have invalid numbers, or moves no bone of the model; the message states what was done.',
  },
  MMD_MODEL: {
    severity: 'warning',
    about: 'Bones, weights, triangles or morphs of a PMX or PMD are inconsistent; the message states what was done.',
  },

  // USD
  USD_SYNTAX: { severity: 'fatal', about: 'The USD text ends early or contains an unexpected token.' },
  USD_LIMIT: { severity: 'fatal', about: 'The USD file requires more memory or nesting depth than anyrig allows.' },
  USD_DEPRECATED_SYNTAX: {
    severity: 'warning',
    about: 'The USD text contains mappers or connection markers, which USD no longer supports; they were left out.',
  },
  USD_PACKAGE: {
    severity: 'fatal',
    about:
      'The .usdz package ends early, contradicts its file table, or has files that are compressed, encrypted or outside of the package.',
  },
  USD_PACKAGE_UNUSUAL: {
    severity: 'warning',
    about: 'Files of a .usdz package are misaligned or have a wrong checksum; they were read anyway.',
  },
  USD_CRATE: { severity: 'fatal', about: 'The binary USD file ends early, is damaged, or is not a USD file.' },
  USD_CRATE_UNUSUAL: {
    severity: 'warning',
    about:
      'Specs, samples or the version of a binary USD file are unusual; the message states how they were interpreted.',
  },
  USD_COMPOSITION: {
    severity: 'warning',
    about:
      'Layers, references, targets or value clips of a USD scene form a cycle, refer to missing elements or are not supported.',
  },
  USD_VALUE_SKIPPED: {
    severity: 'warning',
    about: 'A USD file has values of types that anyrig does not read; they were left out.',
  },
  USD_SKELETON_INVALID: {
    severity: 'warning',
    about: 'A UsdSkel Skeleton has joints before their parents, or a pose without exactly one matrix per joint.',
  },
  USD_ANIMATION_INVALID: {
    severity: 'warning',
    about:
      'A UsdSkel SkelAnimation fits no skeleton, or does not have exactly one translation, rotation and scale per joint; the rest pose is shown.',
  },
  USD_BINDING_INVALID: {
    severity: 'warning',
    about:
      'A UsdSkel binding has no API schema or SkelRoot, targets a missing prim or one of the wrong type, or is where players ignore it.',
  },
  USD_INFLUENCES_INVALID: {
    severity: 'warning',
    about:
      'Joint influences of a USD prim are inconsistent with each other, its points or its joints; the prim is not skinned.',
  },
  USD_BLEND_SHAPE_INVALID: {
    severity: 'warning',
    about: 'A UsdSkel BlendShape or in-between does not fit its mesh, or has the same weight as another shape.',
  },
  USD_GEOMETRY: {
    severity: 'warning',
    about: 'Faces, primvars, subsets or bindings of a USD mesh are inconsistent; some of them were left out.',
  },
  USD_MATERIAL: {
    severity: 'warning',
    about:
      'USD shaders and glTF metallic-roughness materials do not have the same features; the message states what was left out.',
  },

  // NPZ
  NPZ_INVALID: {
    severity: 'fatal',
    about: 'A file of NumPy is damaged, needs more memory than anyrig allows, or is in truth one of PyTorch.',
  },
  NPZ_LAYOUT: {
    severity: 'fatal',
    about: 'The arrays of a file are no motion that anyrig knows, or contradict each other; the message lists them.',
  },
  NPZ_FRAME_RATE: {
    severity: 'info',
    about: 'The file does not say its frame rate; the usual one of its producer was used.',
  },
  NPZ_AXES: {
    severity: 'info',
    about: 'The file does not say which axis is up, where the ground is, or where the body is; it was measured.',
  },
  NPZ_BODY: {
    severity: 'info',
    about: 'The file has no lengths of bones; the body of an average adult was used.',
  },
  NPZ_SKIPPED: {
    severity: 'warning',
    about: 'Arrays of a motion that anyrig does not read were left out; the message names them.',
  },

  // Skeletons and clips
  BIND_SHAPE_UNSOLVED: {
    severity: 'warning',
    about: 'No common transform makes the bind matrices fit the node hierarchy.',
  },
  NON_UNIFORM_SCALE: {
    severity: 'warning',
    about: 'A node has a scale that differs between its axes, so that what rotates below it is sheared.',
  },
  CLIP_EMPTY: { severity: 'warning', about: 'A clip animates no humanoid bone.' },
  CLIP_OUTSIDE_TRIM: {
    severity: 'warning',
    about: 'A clip ends before the range that the clips are trimmed to begins; it was left out.',
  },
  FIRST_POSE_APART: {
    severity: 'info',
    about: 'A clip begins with a pose that is no part of its motion, such as a T-pose in the first frame.',
  },
  KEYS_REPAIRED: {
    severity: 'warning',
    about:
      'Invalid keys were repaired: times must be finite, 0 or more and strictly increasing, values finite, rotations unit quaternions.',
  },

  NUMBERS_OUT_OF_RANGE: {
    severity: 'warning',
    about:
      'Transforms, bind poses or keys exceed the range that motion is computed with; they were replaced or left out.',
  },

  // Geometry
  GEOMETRY_DROPPED: {
    severity: 'info',
    about: 'Parts of meshes, materials or nodes that anyrig does not support were left out of the geometry.',
  },
  GEOMETRY_REPAIRED: {
    severity: 'warning',
    about:
      'Invalid numbers of meshes were replaced: not finite, out of range, or joint weights with a sum other than 1.',
  },
  INFLUENCE_COUNT_HIGH: {
    severity: 'info',
    about: 'Vertices are skinned to more than four joints; many players use only the four with the largest weights.',
  },
  TEXTURE_DROPPED: {
    severity: 'warning',
    about: 'An image has a type that the output format does not support, so its materials were written without it.',
  },

  // Humanoid detection and reference pose
  NOT_HUMANOID: { severity: 'error', about: 'The skeleton is not humanoid; the message states the reason.' },
  SKELETON_CHOSEN: {
    severity: 'info',
    about: 'The file has several skeletons; the only humanoid one was used, or the one whose bones the others share.',
  },
  SKINS_APART: {
    severity: 'warning',
    about: 'Skins of the file have joints that are not at the bones of the character; they do not move with it.',
  },
  BONE_MAP_INVALID: {
    severity: 'error',
    about: 'A user-supplied bone map refers to a bone or a node that does not exist.',
  },
  BONE_DUPLICATE: { severity: 'warning', about: 'Several nodes match the same bone; one of them was chosen.' },
  BONE_MISSING: { severity: 'warning', about: 'A required humanoid bone was not found.' },
  BONES_BY_SHAPE: {
    severity: 'info',
    about: 'Node names do not identify all humanoid bones; the others were found from joint positions.',
  },
  BONES_AMBIGUOUS: {
    severity: 'warning',
    about: 'Humanoid bones were found from joint positions, but another assignment fits almost as well.',
  },
  LEFT_RIGHT_AMBIGUOUS: {
    severity: 'warning',
    about: 'Node names and joint positions do not show which side of the character is left, or contradict each other.',
  },
  BONE_HIERARCHY: { severity: 'warning', about: 'A bone is not a descendant of its parent in the humanoid hierarchy.' },
  DECLARED_POSE_NOT_T: {
    severity: 'warning',
    about: 'Parts of the pose that the format declares to be a T-pose deviate from one by more than 25 degrees.',
  },
  DECLARED_AXES_IMPLAUSIBLE: {
    severity: 'warning',
    about:
      'The character lies on its back or side in the axes that the format declares; up and front were found from the joints.',
  },
  POSE_NOT_AT_REST: {
    severity: 'warning',
    about:
      'The file has no pose at rest: the reference pose is that of its joints without rotation, or trunk, head, wrists and feet are those of the motion.',
  },
  POSE_PARTIAL: {
    severity: 'warning',
    about: 'The pose from another file lacks some bones; these keep their rest pose.',
  },
  POSE_LIMB_AMBIGUOUS: {
    severity: 'warning',
    about: 'The reference pose of a limb is ambiguous; the most likely one was used.',
  },
  FACING_GUESSED: { severity: 'warning', about: 'The facing direction was guessed from weak evidence.' },
  UNIT_GUESSED: { severity: 'info', about: 'The unit of length was guessed from the height of the character.' },
  UNIT_IMPLAUSIBLE: {
    severity: 'warning',
    about: 'The declared unit of length implies an implausible character height; another unit was used.',
  },
  GROUND_GUESSED: {
    severity: 'info',
    about: 'The feet are not at y = 0; the ground was estimated from the feet or from the motion.',
  },
  JOINT_HIERARCHY_INFERRED: {
    severity: 'warning',
    about: 'No bone joint is parented to another one; the rest pose was read with the hierarchy of the humanoid bones.',
  },
  HIPS_HEIGHT_ZERO: {
    severity: 'warning',
    about: 'The hips are not above the ground; hips translation was not scaled.',
  },

  // Defining a humanoid (`define`)
  DEFINE_POSE_NOT_T: {
    severity: 'warning',
    about: 'The bind pose of the defined humanoid, which becomes its reference pose, is not a T-pose.',
  },
  DEFINE_AXES: { severity: 'info', about: 'The bones of the defined humanoid do not have the canonical axes.' },
  DEFINE_HIERARCHY: {
    severity: 'warning',
    about: 'A bone of the defined humanoid is not a descendant of its parent in the humanoid hierarchy.',
  },
  DEFINE_BONES_REPARENTED: {
    severity: 'info',
    about:
      'Bones were parented to their parent in the humanoid hierarchy; their keys were rewritten to preserve their motion.',
  },
  DEFINE_BONE_WRAPPED: {
    severity: 'info',
    about:
      'A bone with non-uniform scale or with attached objects keeps its node as the child of a new node, which is the bone now.',
  },
  DEFINE_SKIN_ADDED: {
    severity: 'info',
    about: 'Bones that were not in a skin were added to a new skin that deforms nothing.',
  },
  DEFINE_ROOT_ADDED: {
    severity: 'info',
    about: 'A root node was added above the character; its space is the model space.',
  },
  DEFINE_SPACE_CHANGED: {
    severity: 'info',
    about: 'The character was rotated to face +Z, scaled to meters and placed on the ground.',
  },
  DEFINE_MESHES_BAKED: {
    severity: 'info',
    about:
      'Meshes were baked into the T-pose; poses look slightly different at vertices that are skinned to several joints.',
  },
  DEFINE_CONSTRAINT: {
    severity: 'warning',
    about: 'A VRM node constraint refers to axes of bones whose axes were changed.',
  },
  DEFINE_VRM0: {
    severity: 'warning',
    about:
      'The bones of a VRM 0.x file have rotations now; players that expect normalized bones show them incorrectly.',
  },

  // Retargeting
  BONES_MISSING_IN_TARGET: {
    severity: 'info',
    about: 'The target lacks bones that the motion animates; their motion was transferred to their child bones.',
  },
  BONES_MISSING_IN_SOURCE: {
    severity: 'info',
    about:
      'The motion lacks bones that the target has; fingers follow the nearest finger, all others keep their reference pose.',
  },
  JOINTS_DETACHED: {
    severity: 'info',
    about: 'Skin joints outside the bone hierarchy, or below another bone, were constrained to the coincident bone.',
  },
  ROOT_BONE_MISSING: {
    severity: 'warning',
    about:
      'Root motion was asked for on a root bone, but the character has no node above the hips that is on the ground.',
  },
  ROOT_BONE_NO_JOINT: {
    severity: 'info',
    about:
      'Root motion is on a node above the hips that is not a joint of the skin, because the character has no root bone.',
  },
  HIPS_NOT_MOVABLE: {
    severity: 'warning',
    about: 'The hips of the character cannot be translated, because a node above them has scale 0.',
  },
  CLIP_OVERFLOW: {
    severity: 'error',
    about: 'A retargeted clip has numbers that the file format cannot store and was left out.',
  },
  HANDS_WITHOUT_SKIN: {
    severity: 'warning',
    about: 'The contacts of hands were to be kept, but the character has no skin that shows what they touch.',
  },
  HANDS_APART: {
    severity: 'warning',
    about: 'Hands of different people that touch in a take do not meet on the character, whose arms are too short.',
  },
  RESOURCE_NOT_COPIED: {
    severity: 'warning',
    about: 'A file that the character references could not be copied to the output folder.',
  },
  CROWD_PARTS_DROPPED: {
    severity: 'warning',
    about:
      'A crowd of three.js does not show some objects of a model: lights, lines, points, sprites, instanced meshes, morph targets.',
  },
  JOINTS_RENAMED: {
    severity: 'info',
    about: 'Joints got the names of another convention; the message has their number and examples.',
  },
  JOINTS_REBUILT: {
    severity: 'warning',
    about:
      'Joints can only be renamed in place in glTF; the output is a new file with the visible content of the character.',
  },
  CHANNELS_DROPPED: { severity: 'info', about: 'Channels of the motion were left out; the message lists them.' },
} as const satisfies Record<string, Code>;

/**
 * The code of an error or issue.
 *
 * @useDeclaredType
 */
export type IssueCode = keyof typeof TABLE;

/** All codes, with severity and meaning. */
export const CODES: Readonly<Record<IssueCode, Code>> = TABLE;
