/**
 * The public list of all codes of errors and issues. Codes are frozen: a code is never renamed, removed or reused, and its severity never
 * changes. New codes are also added to test/core/report/codes.test.ts. docs/codes.md is generated from this file.
 */

/** `fatal` codes belong to a FormatError, the others to an Issue. */
export type Severity = 'fatal' | 'error' | 'warning' | 'info';

/**
 * The table of {@link CODES}. The line comments are the group headings of docs/codes.md. The meaning of a code, one sentence, is its comment: as a string, pages
 * would load it.
 */
const TABLE = {
  // All file formats
  /** The file format was not recognized from the content. */
  FORMAT_UNKNOWN: 'fatal',
  /** An input file does not exist or cannot be opened. */
  FILE_NOT_FOUND: 'fatal',
  /** One of several motions could not be read, converted or written; the others were. */
  FILE_LEFT_OUT: 'error',
  /** Names of a text or FBX file are not UTF-8; they were read in the most probable older encoding. */
  TEXT_ENCODING_GUESSED: 'info',
  /** A file that another file references could not be read; its content was left out. */
  RESOURCE_MISSING: 'warning',

  // glTF, VRM and VRMA
  /** The 12-byte GLB header is damaged, truncated or of an unsupported version. */
  GLB_HEADER_INVALID: 'fatal',
  /** A GLB chunk is missing, misplaced or longer than the file. */
  GLB_CHUNK_INVALID: 'fatal',
  /** The length in the GLB header differs from the length of the file. */
  GLB_LENGTH_MISMATCH: 'warning',
  /** A GLB chunk is not a multiple of 4 bytes, or its padding has the wrong bytes. */
  GLB_ALIGNMENT: 'warning',
  /** GLB chunks that a .gltf file cannot contain were left out. */
  GLB_CHUNKS_DROPPED: 'warning',
  /** The text is not valid JSON, not UTF-8, or nested too deeply. */
  JSON_INVALID: 'fatal',
  /** A JSON value that anyrig reads has the wrong type or is out of range. */
  GLTF_SCHEMA: 'fatal',
  /** The file is not a glTF 2.0 asset, nor one of the known part of the 2.1 draft. */
  GLTF_VERSION: 'fatal',
  /** The file needs the draft of glTF 2.1, which may still change: GLB version 3, or minVersion 2.1. */
  GLTF_DRAFT: 'info',
  /** An index refers to an element that does not exist. */
  GLTF_REFERENCE: 'fatal',
  /** The nodes do not form trees: there is a cycle, or a node with two parents. */
  GLTF_NODE_TREE: 'fatal',
  /** An accessor is inconsistent with its buffer view or with its own properties. */
  GLTF_ACCESSOR: 'fatal',
  /** A buffer is missing, too short or unreadable. */
  GLTF_BUFFER: 'fatal',
  /** A URI leaves the asset's folder or has an unsupported scheme. */
  GLTF_URI_REFUSED: 'fatal',
  /** The file requires more memory or nesting depth than anyrig allows. */
  GLTF_LIMIT: 'fatal',
  /** Compressed data is damaged, or its decoder is not installed. */
  GLTF_COMPRESSION: 'fatal',
  /** The file requires an extension that anyrig does not support. */
  GLTF_EXTENSION_REQUIRED: 'warning',
  /** A skin is unusual: it has no inverse bind matrices, duplicate joints, or no common root. */
  GLTF_SKIN: 'warning',
  /** An animation channel was left out or repaired. */
  GLTF_ANIMATION: 'warning',
  /** A node transform has shear or a rotation that is not of unit length; the nearest translation, rotation and scale were used. */
  NODE_TRANSFORM_REPAIRED: 'warning',
  /** The matrix of an animated node was replaced by translation, rotation and scale. */
  NODE_MATRIX_DECOMPOSED: 'warning',
  /** Animations were removed, but another part of the file seems to refer to animations by index. */
  ANIMATION_REFERENCED: 'warning',
  /** The humanoid bones of a VRM or VRMA file are incomplete or contradictory. */
  VRM_HUMANOID: 'warning',
  /** An expression or the look-at of a VRM or VRMA file refers to a missing element; it was left out. */
  VRM_FACE: 'warning',
  /** Clips were written into a .vrm, which VRM players show in its rest pose; they play VRM Animations (.vrma). */
  VRM_CLIP_PLAYBACK: 'warning',
  /** Metadata has no counterpart in the other version of VRM, or is stricter there. */
  VRM_CONVERT_META: 'warning',
  /** The bones of a VRM do not fit the version that was requested; the message says what was changed or is missing. */
  VRM_CONVERT_HUMANOID: 'warning',
  /** A part of an expression or of the look-at has no counterpart in the other version of VRM; it was left out. */
  VRM_CONVERT_FACE: 'warning',
  /** Spring bones or colliders have no exact counterpart in the other version of VRM. */
  VRM_CONVERT_SPRING: 'warning',
  /** Settings of a material have no counterpart in the other version of VRM; they were left out. */
  VRM_CONVERT_MATERIAL: 'warning',
  /** A node has data that the other version of VRM does not have, or that could not be rotated with the scene. */
  VRM_CONVERT_NODE: 'warning',
  /** The metadata of a new VRM is incomplete or invalid; nothing was written. */
  VRM_META_INVALID: 'error',

  // EXT_skeleton_humanoid and KHR_character drafts
  /** A skeleton definition of EXT_skeleton_humanoid does not follow the specification; its unusable parts were left out. */
  EXT_SKELETON: 'warning',
  /** EXT_skeleton_humanoid contains a single skeleton instead of an array, as in its published schema. */
  EXT_SINGLE_OBJECT: 'warning',
  /** A humanoid channel of EXT_skeleton_humanoid does not follow the specification; the message states how it was interpreted. */
  EXT_CHANNEL: 'warning',
  /** A character with EXT_skeleton_humanoid does not face +Z with +Y up; its measured facing was used. */
  EXT_FACING: 'warning',
  /** The bind pose of the bones differs from their rest pose; the reference pose is the bind pose. */
  EXT_BIND_NOT_REST: 'info',
  /** A rig mapping of a KHR_character draft has an unsupported layout or refers to missing elements. */
  CHARACTER_DRAFT: 'warning',

  // Validation of EXT_skeleton_humanoid, and of glTF 2.0 with the codes of the Khronos glTF Validator
  /** A property of the extension is missing or has the wrong type according to its JSON Schema. */
  EXT_SCHEMA: 'error',
  /** A skeleton definition refers to a node that does not exist. */
  EXT_NODE_MISSING: 'error',
  /** A bone name is not one of the 55 humanoid bones. */
  EXT_BONE_UNKNOWN: 'error',
  /** Two bones of a skeleton are mapped to the same node. */
  EXT_BONE_REPEATED: 'error',
  /** A bone is not a joint of any skin. */
  EXT_BONE_NOT_JOINT: 'error',
  /** The nearest bone above a bone is not its parent in the humanoid hierarchy. */
  EXT_BONE_HIERARCHY: 'error',
  /** A bone that VRM requires is missing (reported with the strict rules only). */
  EXT_BONE_REQUIRED: 'error',
  /** The root node of a skeleton is not an ancestor of all of its bones. */
  EXT_ROOT_NOT_ANCESTOR: 'error',
  /** A humanoid channel also has a target node, which players without the extension would animate. */
  EXT_CHANNEL_NODE: 'warning',
  /** The path of a humanoid channel is not rotation, translation or scale. */
  EXT_CHANNEL_PATH: 'error',
  /** A humanoid channel scales a bone, or translates a bone other than the hips; such values do not fit characters with other proportions. */
  EXT_CHANNEL_UNUSUAL: 'warning',
  /** Two channels of an animation have the same bone and path. */
  EXT_CHANNEL_REPEATED: 'error',
  /** A channel with the extension and a channel without it use the same sampler. */
  EXT_SAMPLER_SHARED: 'error',
  /** The reference pose deviates from a rule of the specification by more than 5 degrees. */
  EXT_POSE_OFF: 'warning',
  /** The reference pose deviates from a rule of the specification by more than 15 degrees. */
  EXT_POSE_WRONG: 'error',
  /** The axes of a bone deviate from the canonical axes by more than 5 degrees. */
  EXT_AXES_OFF: 'warning',
  /** The axes of a bone deviate from the canonical axes by more than 15 degrees. */
  EXT_AXES_WRONG: 'error',
  /** The file is too damaged to measure its reference poses. */
  EXT_UNREADABLE: 'error',
  /** An inverse bind matrix of a skin cannot be inverted. */
  SKIN_MATRICES: 'error',
  /** A skin has no inverse bind matrices, so it defines no bind pose. */
  SKIN_NO_MATRICES: 'warning',
  /** Two skins bind the same joints in different poses. */
  SKIN_CONFLICT: 'warning',
  /** The Khronos glTF Validator ended without a result, so the file was not checked against glTF 2.0. */
  VALIDATOR_FAILED: 'error',
  /** The Khronos glTF Validator has so many findings of one code that only the first ones are listed. */
  FINDINGS_LEFT_OUT: 'info',

  // BVH
  /** The BVH text ends early or contains an unexpected word. */
  BVH_SYNTAX: 'fatal',
  /** The BVH text has comments, commas in numbers, or numbers without white space between them. */
  BVH_TEXT: 'warning',
  /** The MOTION section contradicts its header: frame count, frame time or number of values. */
  BVH_MOTION: 'warning',
  /** Position channels stay near 0 although OFFSETs do not; they were added to the OFFSETs instead of replacing them. */
  BVH_POSITIONS_ADDED: 'warning',
  /** Position channels of joints are in the space of the file instead of that of the parent joint; they were converted. */
  BVH_POSITIONS_WORLD: 'warning',
  /** The motion rotates or translates joints in ways that the channels of the target BVH cannot express. */
  BVH_CHANNELS_MISSING: 'warning',
  /** Position channels follow the target file (added to the OFFSETs, or replacing them), but readers may interpret their values the other way. */
  BVH_POSITIONS_AMBIGUOUS: 'warning',

  // Joint positions
  /** A TRC, or JSON with keypoints, cannot be parsed or has no positions of joints. */
  POINTS_SYNTAX: 'fatal',
  /** The keypoints are positions in an image, without depth. */
  POINTS_WITHOUT_DEPTH: 'fatal',
  /** The points are not the joints of a person, or their names are missing. */
  POINTS_NOT_BODY: 'fatal',
  /** The file does not declare joints, unit, axes or frame rate; they were found from the body or assumed. */
  POINTS_ASSUMED: 'info',
  /** Positions of joints are missing; they were bridged from their neighbors in time. */
  POINTS_BRIDGED: 'info',
  /** The hips are the origin of all joint positions; the person was put on the ground, and does not travel. */
  POINTS_CENTERED: 'info',

  // FBX
  /** The FBX file ends early, is damaged, or is not an FBX file. */
  FBX_SYNTAX: 'fatal',
  /** The FBX version or variant is not supported: before 6.0, encrypted or big-endian. */
  FBX_VERSION: 'fatal',
  /** The FBX file requires more memory or nesting depth than anyrig allows. */
  FBX_LIMIT: 'fatal',
  /** Objects, connections, properties or poses of an FBX file are invalid or unusual, joints of a new one were renamed or have uneven scales, or limits of joints were switched off; the message states what was done. */
  FBX_SCENE: 'warning',
  /** Curves, layers or channels of an FBX animation were repaired, simplified or left out. */
  FBX_ANIMATION: 'warning',
  /** An FBX animation has movement outside of the time range that it declares; the message states which was used. */
  FBX_TAKE_RANGE: 'warning',
  /** Meshes, skins or blend shapes of an FBX file are invalid, or have features that glTF lacks, so that some were left out; or skins of a new FBX file bind joints in different poses. */
  FBX_GEOMETRY: 'warning',
  /** Materials or textures of an FBX file have features that a glTF material lacks, or of a glTF that FBX lacks; these were left out. */
  FBX_MATERIAL: 'warning',

  // Validation of FBX: what importers refuse or change
  /** Programs with Autodesk's FBX SDK open nothing of an FBX file: its file id, creation time and footer are missing or do not belong together, or its definitions lack kinds of its objects. */
  FBX_SDK: 'error',
  /** Objects of an FBX file have the id of another object. */
  FBX_ID_REPEATED: 'error',
  /** Connections of an FBX file lead to an object that is not in it. */
  FBX_CONNECTION_BROKEN: 'error',
  /** Skin clusters of an FBX file lack a joint or a matrix, do not fit the mesh, or contradict each other. */
  FBX_CLUSTER: 'error',
  /** Curves of an FBX file have times out of order, invalid values, or arrays of different lengths. */
  FBX_CURVE: 'error',
  /** The axes of an FBX file are missing, invalid, or not those of its data. */
  FBX_AXES: 'warning',
  /** The unit of an FBX file is missing, or not one centimeter. */
  FBX_UNIT: 'warning',
  /** The root of a skeleton of an FBX file is scaled or turned. */
  FBX_ROOT_TRANSFORM: 'warning',
  /** The joints of an FBX file have several roots. */
  FBX_ROOTS: 'warning',
  /** Nodes of an FBX file have no name, the name of another node, or one that an importer leaves out. */
  FBX_NAME: 'warning',
  /** Joints of an FBX file are not of type LimbNode. */
  FBX_JOINT_TYPE: 'warning',
  /** The BindPose of an FBX file lacks joints, or contradicts the skin clusters. */
  FBX_BIND_POSE: 'warning',
  /** Joints of an FBX file rest in another pose than they were bound in. */
  FBX_REST_OFF_BIND: 'info',
  /** Angles of an FBX animation jump by more than half a turn, so that interpolation makes joints spin. */
  FBX_CURVE_SPIN: 'warning',
  /** An FBX animation has keys outside of the range that it declares. */
  FBX_TAKE_CUT: 'warning',
  /** An FBX file with animations declares no frame rate. */
  FBX_TIME_MODE: 'warning',
  /** The humanoid of an FBX file lacks bones that Unity requires, or rests in no T-pose. */
  FBX_HUMANOID: 'warning',

  // MMD
  /** A VMD, VPD, PMX or PMD file ends early, is damaged, or has nothing that moves a model. */
  MMD_SYNTAX: 'fatal',
  /** A motion or model of MMD takes more memory or time than anyrig allows. */
  MMD_LIMIT: 'fatal',
  /** A VMD or VPD without a model plays on the standard skeleton of MMD; the message names the model that it was made for. */
  MMD_SKELETON: 'info',
  /** A VMD or VPD moves bones that the model lacks; the message lists them. */
  MMD_BONES_MISSING: 'info',
  /** A VMD is cut off, has keys that are too late or have invalid numbers, or moves no bone of the model; the message states what was done. */
  MMD_MOTION: 'warning',
  /** Bones, weights, triangles or morphs of a PMX or PMD are inconsistent; the message states what was done. */
  MMD_MODEL: 'warning',

  // USD
  /** The USD text ends early or contains an unexpected token. */
  USD_SYNTAX: 'fatal',
  /** The USD file requires more memory or nesting depth than anyrig allows. */
  USD_LIMIT: 'fatal',
  /** The USD text contains mappers or connection markers, which USD no longer supports; they were left out. */
  USD_DEPRECATED_SYNTAX: 'warning',
  /** The .usdz package ends early, contradicts its file table, or has files that are compressed, encrypted or outside of the package. */
  USD_PACKAGE: 'fatal',
  /** Files of a .usdz package are misaligned or have a wrong checksum; they were read anyway. */
  USD_PACKAGE_UNUSUAL: 'warning',
  /** The binary USD file ends early, is damaged, or is not a USD file. */
  USD_CRATE: 'fatal',
  /** Specs, samples or the version of a binary USD file are unusual; the message states how they were interpreted. */
  USD_CRATE_UNUSUAL: 'warning',
  /** Layers, references, targets or value clips of a USD scene form a cycle, refer to missing elements or are not supported. */
  USD_COMPOSITION: 'warning',
  /** A USD file has values of types that anyrig does not read; they were left out. */
  USD_VALUE_SKIPPED: 'warning',
  /** A UsdSkel Skeleton has joints before their parents, or a pose without exactly one matrix per joint. */
  USD_SKELETON_INVALID: 'warning',
  /** A UsdSkel SkelAnimation fits no skeleton, or does not have exactly one translation, rotation and scale per joint; the rest pose is shown. */
  USD_ANIMATION_INVALID: 'warning',
  /** A UsdSkel binding has no API schema or SkelRoot, targets a missing prim or one of the wrong type, or is where players ignore it. */
  USD_BINDING_INVALID: 'warning',
  /** Joint influences of a USD prim are inconsistent with each other, its points or its joints; the prim is not skinned. */
  USD_INFLUENCES_INVALID: 'warning',
  /** A UsdSkel BlendShape or in-between does not fit its mesh, or has the same weight as another shape. */
  USD_BLEND_SHAPE_INVALID: 'warning',
  /** Faces, primvars, subsets or bindings of a USD mesh are inconsistent; some of them were left out. */
  USD_GEOMETRY: 'warning',
  /** USD shaders and glTF metallic-roughness materials do not have the same features; the message states what was left out. */
  USD_MATERIAL: 'warning',

  // NPZ
  /** A file of NumPy is damaged, needs more memory than anyrig allows, or is in truth one of PyTorch. */
  NPZ_INVALID: 'fatal',
  /** The arrays of a file are no motion that anyrig knows, or contradict each other; the message lists them. */
  NPZ_LAYOUT: 'fatal',
  /** The file does not say its frame rate; the usual one of its producer was used. */
  NPZ_FRAME_RATE: 'info',
  /** The file does not say which axis is up, where the ground is, or where the body is; it was measured. */
  NPZ_AXES: 'info',
  /** The file has no lengths of bones; the body of an average adult was used. */
  NPZ_BODY: 'info',
  /** Arrays of a motion that anyrig does not read were left out; the message names them. */
  NPZ_SKIPPED: 'warning',

  // Skeletons and clips
  /** No common transform makes the bind matrices fit the node hierarchy. */
  BIND_SHAPE_UNSOLVED: 'warning',
  /** A node has a scale that differs between its axes, so that what rotates below it is sheared. */
  NON_UNIFORM_SCALE: 'warning',
  /** A clip animates no humanoid bone. */
  CLIP_EMPTY: 'warning',
  /** A clip ends before the range that the clips are trimmed to begins; it was left out. */
  CLIP_OUTSIDE_TRIM: 'warning',
  /** A clip begins with a pose that is no part of its motion, such as a T-pose in the first frame. */
  FIRST_POSE_APART: 'info',
  /** Invalid keys were repaired: times must be finite, 0 or more and strictly increasing, values finite, rotations unit quaternions. */
  KEYS_REPAIRED: 'warning',

  /** Transforms, bind poses or keys exceed the range that motion is computed with; they were replaced or left out. */
  NUMBERS_OUT_OF_RANGE: 'warning',

  // Geometry
  /** Parts of meshes, materials or nodes that anyrig does not support were left out of the geometry. */
  GEOMETRY_DROPPED: 'info',
  /** Invalid numbers of meshes were replaced: not finite, out of range, or joint weights with a sum other than 1. */
  GEOMETRY_REPAIRED: 'warning',
  /** Vertices are skinned to more than four joints; many players use only the four with the largest weights. */
  INFLUENCE_COUNT_HIGH: 'info',
  /** An image has a type that the output format does not support, so its materials were written without it. */
  TEXTURE_DROPPED: 'warning',

  // Humanoid detection and reference pose
  /** The skeleton is not humanoid; the message states the reason. */
  NOT_HUMANOID: 'error',
  /** The file has several skeletons; the only humanoid one was used, or the one whose bones the others share. */
  SKELETON_CHOSEN: 'info',
  /** Skins of the file have joints that are not at the bones of the character; they do not move with it. */
  SKINS_APART: 'warning',
  /** A skeleton has several people, of which one was used; the message names the others. */
  PEOPLE_LEFT_OUT: 'warning',
  /** A user-supplied bone map refers to a bone or a node that does not exist. */
  BONE_MAP_INVALID: 'error',
  /** Several nodes match the same bone; one of them was chosen. */
  BONE_DUPLICATE: 'warning',
  /** A required humanoid bone was not found. */
  BONE_MISSING: 'warning',
  /** Node names do not identify all humanoid bones; the others were found from joint positions. */
  BONES_BY_SHAPE: 'info',
  /** Humanoid bones were found from joint positions, but another assignment fits almost as well. */
  BONES_AMBIGUOUS: 'warning',
  /** Node names and joint positions do not show which side of the character is left, or contradict each other. */
  LEFT_RIGHT_AMBIGUOUS: 'warning',
  /** A bone is not a descendant of its parent in the humanoid hierarchy. */
  BONE_HIERARCHY: 'warning',
  /** Parts of the pose that the format declares to be a T-pose deviate from one by more than 25 degrees. */
  DECLARED_POSE_NOT_T: 'warning',
  /** The character lies on its back or side in the axes that the format declares; up and front were found from the joints. */
  DECLARED_AXES_IMPLAUSIBLE: 'warning',
  /** The file has no pose at rest: the reference pose is that of its joints without rotation, or trunk, head, wrists and feet are those of the motion. */
  POSE_NOT_AT_REST: 'warning',
  /** The pose from another file lacks some bones; these keep their rest pose. */
  POSE_PARTIAL: 'warning',
  /** The reference pose of a limb is ambiguous; the most likely one was used. */
  POSE_LIMB_AMBIGUOUS: 'warning',
  /** The facing direction was guessed from weak evidence. */
  FACING_GUESSED: 'warning',
  /** The unit of length was guessed from the height of the character. */
  UNIT_GUESSED: 'info',
  /** The declared unit of length implies an implausible character height; another unit was used. */
  UNIT_IMPLAUSIBLE: 'warning',
  /** The feet are not at y = 0; the ground was estimated from the feet or from the motion. */
  GROUND_GUESSED: 'info',
  /** No bone joint is parented to another one; the rest pose was read with the hierarchy of the humanoid bones. */
  JOINT_HIERARCHY_INFERRED: 'warning',
  /** The hips are not above the ground; hips translation was not scaled. */
  HIPS_HEIGHT_ZERO: 'warning',

  // Defining a humanoid (`define`)
  /** The bind pose of the defined humanoid, which becomes its reference pose, is not a T-pose. */
  DEFINE_POSE_NOT_T: 'warning',
  /** The bones of the defined humanoid do not have the canonical axes. */
  DEFINE_AXES: 'info',
  /** A bone of the defined humanoid is not a descendant of its parent in the humanoid hierarchy. */
  DEFINE_HIERARCHY: 'warning',
  /** Bones were parented to their parent in the humanoid hierarchy; their keys were rewritten to preserve their motion. */
  DEFINE_BONES_REPARENTED: 'info',
  /** A bone with non-uniform scale or with attached objects keeps its node as the child of a new node, which is the bone now. */
  DEFINE_BONE_WRAPPED: 'info',
  /** Bones that were not in a skin were added to a new skin that deforms nothing. */
  DEFINE_SKIN_ADDED: 'info',
  /** A root node was added above the character; its space is the model space. */
  DEFINE_ROOT_ADDED: 'info',
  /** The character was rotated to face +Z, scaled to meters and placed on the ground. */
  DEFINE_SPACE_CHANGED: 'info',
  /** Meshes were baked into the T-pose; poses look slightly different at vertices that are skinned to several joints. */
  DEFINE_MESHES_BAKED: 'info',
  /** A VRM node constraint refers to axes of bones whose axes were changed. */
  DEFINE_CONSTRAINT: 'warning',
  /** The bones of a VRM 0.x file have rotations now; players that expect normalized bones show them incorrectly. */
  DEFINE_VRM0: 'warning',

  // Retargeting
  /** The target lacks bones that the motion animates; their motion was transferred to their child bones. */
  BONES_MISSING_IN_TARGET: 'info',
  /** The motion lacks bones that the target has; fingers follow the nearest finger, all others keep their reference pose. */
  BONES_MISSING_IN_SOURCE: 'info',
  /** Skin joints outside the bone hierarchy, or below another bone, were constrained to the coincident bone. */
  JOINTS_DETACHED: 'info',
  /** Root motion was asked for on a root bone, but the character has no node above the hips that is on the ground. */
  ROOT_BONE_MISSING: 'warning',
  /** Root motion is on a node above the hips that is not a joint of the skin, because the character has no root bone. */
  ROOT_BONE_NO_JOINT: 'info',
  /** The hips of the character cannot be translated, because a node above them has scale 0. */
  HIPS_NOT_MOVABLE: 'warning',
  /** A retargeted clip has numbers that the file format cannot store and was left out. */
  CLIP_OVERFLOW: 'error',
  /** The contacts of hands were to be kept, but the character has no skin that shows what they touch. */
  HANDS_WITHOUT_SKIN: 'warning',
  /** Hands of different people that touch in a take do not meet on the character, whose arms are too short. */
  HANDS_APART: 'warning',
  /** A file that the character references could not be copied to the output folder. */
  RESOURCE_NOT_COPIED: 'warning',
  /** A crowd of three.js does not show some objects of a model: lights, lines, points, sprites, instanced meshes, morph targets. */
  CROWD_PARTS_DROPPED: 'warning',
  /** Joints got the names of another convention; the message has their number and examples. */
  JOINTS_RENAMED: 'info',
  /** Joints can only be renamed in place in glTF; the output is a new file with the visible content of the character. */
  JOINTS_REBUILT: 'warning',
  /** Channels of the motion were left out; the message lists them. */
  CHANNELS_DROPPED: 'info',
} as const satisfies Record<string, Severity>;

/**
 * The code of an error or issue.
 *
 * @useDeclaredType
 */
export type IssueCode = keyof typeof TABLE;

/** The severity of every code. */
export const CODES: Readonly<Record<IssueCode, Severity>> = TABLE;
