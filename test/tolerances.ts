/**
 * Every tolerance of the tests, each with its reason.
 * Angles of quaternions are measured by the chord, never by acos, which loses half the digits near 0.
 */

/** A few roundings of float64 on values around 1. */
export const EXACT = 1e-12;
/** float64 where values are in the hundreds or several results build on each other (determinants, inverses). */
export const EXACT_CHAIN = 1e-10;
/** The shortest arc, which takes directions within 1e-12 of opposite for opposite; a turn doubles that. */
export const NEAR_OPPOSITE = 3e-12;
/** The laws of retargeting in float64: some hundred products along the longest chain. */
export const LAW_F64 = 1e-9;
/** The same, radians, once the keys went through float32: 2⁻²⁴ a component, times the depth of a chain. */
export const LAW_F32 = 1e-5;
/** The laws for rigs with helper joints, radians and meters: two or three times as many nodes, turned, moved and scaled, as in other laws. */
export const LAW_HELPED = 1e-8;
/** Agreement with other people's players, which compute in float32 or with approximations of slerp. */
export const SECOND_OPINION = 1e-5;
/** World rotation, degrees, where a motion was resampled: twice the bound of the resampler, for the float32 store. */
export const GESTURE_DEGREES = 0.01;
/** Palms and headings of feet between estimated poses, degrees: a twentieth, as promised; the poses of joints that went through float32 files. */
export const EXTREMITY_DEGREES = 0.05;
/** Meters that a foot of the demo may move while it is planted, at the keys: float64 forward kinematics of a planned pose. */
export const PLANTED = 1e-6;
/** The same between the keys at 30 fps, where every joint goes its own shortest way. */
export const PLANTED_BETWEEN_KEYS = 2e-3;
/** Degrees of world rotation per frame at 30 fps that no bone of a demo motion exceeds: 1,000° a second, a fast foot. */
export const FASTEST_BONE_DEGREES = 34;
/** Share of 1 that four float32 weights of a vertex may miss (gltf-validator allows 2e-7 for each). */
export const WEIGHT_SUM = 2e-7;
/** Meters in a BVH text: six decimals of centimeters and of degrees, down a chain of a body. */
export const BVH_TEXT = 1e-6;
/** World rotation, radians, that resampled tracks may miss: the 0.005° that retargetClip promises, and the rounding of a chain. */
export const RESAMPLED_RADIANS = (0.005 * Math.PI) / 180 + 1e-9;
/** Way of the hips, relative to their height, that resampled tracks may miss: the 1e-5 that retargetClip promises, and a rounding. */
export const RESAMPLED_HEIGHT = 1e-5 + 1e-9;
/** Height of the hips above the ground in units of the reference height: float32 keys, through the inverse of the parent matrix. */
export const HIPS_RATIO = 1e-5;
/** The estimator on what it has made itself, radians and meters: its arcs near 0 have the digits of a cross product. */
export const ESTIMATE_AGAIN = 1e-6;
/** Quaternions stored as normalized bytes: a step is 1/127, so their length is off 1 by up to 2 · 1/254, which players let show. */
export const BYTE_QUATERNIONS = 8e-3;
/** World rotations of limbs of a reference pose against the true ones, radians: a degree, for knees too little bent to show their axis. */
export const TRUE_LIMB = Math.PI / 180;
/** The same of palms. */
export const TRUE_PALM = (2 * Math.PI) / 180;
/** Directions of hands, palms and feet of any two estimated poses, degrees, by the places of joints. */
export const POSE_DIRECTION_DEGREES = 0.05;
/** Numbers written down in decimal with nine digits. */
export const WRITTEN_DIGITS = 1e-9;
/** Place of a bone that hangs elsewhere in the node tree: the 1e-4 of its distance (2 m in the test) that retargetClip promises. */
export const ATTACHED_METERS = 2e-4;
/** Rotations, and angles at the end of a way, through a place where the outer axes of three angles lie along each other: sines below 1e-8 count as 0. */
export const LOCKED_ANGLES = 1e-7;
/** Radians by which one rotation may be nearer to a third than another and still count as equally near: chords near a half turn are flat. */
export const NEAREST_ROTATION = 1e-7;
/** Share of the height that a node of an FBX may stand elsewhere than other programs put it: their float32, and six printed digits. */
export const FBX_POSE_HEIGHT = 1e-4;
/** World rotation of a node of an FBX against other programs, degrees: the same, and the 0.005° of resampled curves. */
export const FBX_POSE_DEGREES = 0.01;
/** Seam of a loop, radians and by the height of the hips: 1e-4 is asked of it; a chain of float64 with keys at float32 times gets here. */
export const LOOP_SEAM = 1e-7;
/** World rotations (radians) and places (parts of the height) of a BVH that is printed with six decimals: 5e-7 degrees a channel, down a chain of 30 joints. */
export const BVH_CHAIN = 1e-6;
/** Time and value, of 1 and 10, of a Bézier segment solved by Newton's method against bisection. */
export const STEEP_BEZIER = 1e-12;
/** Rest and bind matrices of an FBX in centimeters: Euler angles and matrices that went through float32 down a chain of ten. */
export const FBX_BIND = 1e-3;
/** Places of the joints of one rig, meters, saved three times with float32 and text between. */
export const FBX_RIGS = 1e-5;
/** Handles of FBX curves against Babylon.js, which takes 0.333333 for a third and 1/10000 for the 1/9999 of the SDK. */
export const BABYLON_WEIGHTS = 2e-4;
/** Places of joints of a BVH, parts of the height: joints that stay within 5e-5 of the size get no position channels, and a size is the diagonal of a box. */
export const BVH_STAYS = 1e-4;
/** Values of FBX curves against Babylon.js: its Newton's method stops after eleven steps, its repetitions round to ticks. */
export const BABYLON_CURVES = 1e-7;
/** Radians: keys are at float32 times, up to 2⁻²⁵ s off, on a bone that turns by 1,700° a second. */
export const KEY_TIME_ROUNDING = 1e-6;
/** Parts of the size of a skeleton that translations read from an FBX may miss: the 1e-5 that readClips promises, and the same rounding. */
export const RESAMPLED_SIZE = 1.01e-5;
/** Scale read from an FBX: the 1e-5 that readClips promises. */
export const RESAMPLED_SCALE = 1.01e-5;
/** Directions of length 1 after a blend in float64 that may be as short as a millionth: rounding grows as it shrinks. */
export const SHORT_BLEND = 1e-6;
/** Normals that turn with the skinning matrices where these pass for one common scale: 1e-4 of the squared scale, as normalMatrices promises. */
export const SHARED_NORMAL = 1e-4;
/** Points and normals of OpenUSD, which skins in float32; scenes of a few units. */
export const OPENUSD_SKIN = 2e-6;
/** Positions, parts of their size, and directions of vertices that went through float32: twice or thrice, times a scale of joints up to 8 that may cancel. */
export const STORED_VERTICES = 1e-5;
/** Length of the difference of two normals of an FBX: Blender keeps custom normals as two 16-bit angles in a fan. */
export const FBX_NORMALS = 2e-3;
/** The same of uvs: float32 and seven printed digits. */
export const FBX_UVS = 1e-6;
/** Weights of blend shapes of an FBX: float32 percentages, and the 1e-4 that readClips promises. */
export const FBX_WEIGHTS = 1.01e-4;
/** Vertices, parts of the size of a body, and normals of an FBX that was written as a new glTF: float32 rotations down a chain of joints, and float32 vertices. */
export const CHARACTER_VERTICES = 1e-6;
/** A color of 0…1 that was stored as a byte and went through float32. */
export const PAINTED_BYTE = 0.5 / 255 + 1e-6;
/** Reports of a quantised character and of its plain twin, meters, degrees and quaternions: inverse bind matrices that went through float32 once more. */
export const QUANTIZED_TWIN = 1e-5;
/** The same of degrees, which are reported with three decimals. */
export const QUANTIZED_TWIN_DEGREES = 1.01e-3;
/** Weights of morph targets that were resampled: the ten-thousandth that bakeFace promises, and the float32 of a player. */
export const FACE_WEIGHT = 1e-4 + 1e-5;
/** Positions and normals of a kernel, which skins in float32: parts of the size of what is summed up, that skinLinearByKernel promises. */
export const KERNEL_SKIN = 1e-5;
/** Vertices of a character with positions of 16 bits, parts of the largest coordinate: half a step of 1/32767 of half its box, and float32. */
export const QUANTIZED_VERTICES = 2e-5;
/** Vertices, parts of their box, of keys that are quaternions of three digits: their length is off 1 by up to 5e-4, which players let show. */
export const THREE_DIGIT_QUATERNIONS = 2e-4;
/** The same of normalized shorts: a step is 1/32767, so their length is off 1 by up to 2 · 1/65534. */
export const SHORT_QUATERNIONS = 3.1e-5;
/** Bytes a call of what allocates nothing: the numbers of the counting itself, over 5,000 calls. */
export const NO_ALLOCATION = 1;
/** Bytes of a number that the engine puts on the heap to hand it to a function that it does not inline; the smallest object takes 24. */
export const BOXED_NUMBER = 16;
/** Radians between a motion that went through humanoid clips and the same one retargeted directly: float32 keys and key times, twice more. */
export const EXTRACTED_RADIANS = 1e-5;
/** The same, degrees, where tracks were resampled: the 0.005° of each of both ways. */
export const EXTRACTED_DEGREES = 0.01;
/** The same of the way of the hips, parts of their height. */
export const EXTRACTED_HIPS = 1e-5;

/** Joints that are bound as one move as one: matrices of files are float32, in meters and without unit. */
export const SKINNED_LINEAR = 1e-4;
/** Vertices, parts of the height, of a character with other axes: a scale that is even to 2e-5 counts as even, feet that are hung elsewhere get keys to 2e-6; float32 keys and matrices. */
export const DEFINED_VERTICES = 1e-5;
/** Axes of bones, radians, of a character with canonical axes: the rest in float64 of JSON, the bind in float32 matrices down a chain. */
export const CANONICAL_AXES = 1e-5;
/** Degrees that limbs of a defined T-pose may be off: places of the JSON, in float64, and a shortest arc. */
export const T_POSE_DEGREES = 1e-3;
/** Numbers of OpenUSD, as part of each where it is above 1: its points and weights are float32. */
export const USD_REFERENCE = 1e-5;
/** Points, normals and matrices that OpenUSD has baked into text files in float32, relative to each other through several spaces. */
export const USD_BAKED = 1e-4;
/** Points of a scene of ten units beside those that the program had that wrote it: offsets and weights went through texts in float32; OpenUSD is off by 2.3e-4. */
export const USD_GROUND_TRUTH = 3e-4;

/** Milliseconds that a damaged or lying USD file may take: the second that is promised, on a machine that runs other tests beside. */
export const HOSTILE_USD_MS = 3000;
/** Values and times of USD scenes, numbers up to a thousand, through a few layer offsets or knots and back in float64. */
export const USD_STAGE_F64 = 1e-9;
/** The left side of a jump of value clips is 4.4e-9 before the jump. */
export const USD_CLIP_SEAM = 1e-8;
/** Quaternions of USD texts with eight digits, kept in float32. */
export const USD_QUATF = 1e-6;
/** Joint matrices of a clip of USD beside those that UsdSkel computes of the stage: keys are float32, scales of joints halves that USD rounds between keys too. */
export const USD_CLIP_MATRICES = 1e-5;
/** The same of a file whose quaternions have four digits: UsdSkel scales by what they lack to unit length, clips have unit ones. */
export const USD_ROUGH_QUATERNIONS = 1e-4;
/** Places, as part of the size of a scene, and unit normals of USD in the hub and by UsdSkel: float32 positions, poses as rotation and scale. */
export const USD_SEEN = 1e-6;
/** Colors, factors and transforms of textures, numbers up to ten, written as float32, angles in degrees. */
export const USD_MATERIAL_F32 = 2e-6;
/** Radians and parts between the operations of a prim and the keys that they were resampled to, within 0.005° (8.7e-5). */
export const USD_RESAMPLED = 1e-4;

/** Vertices after glTF → USD → glTF, as a part of the height: scales are halves there, positions and weights float32. */
export const USD_ROUND_TRIP = 1e-4;
/** Points, parts of the height, of characters that were written as USD: float32 keys and matrices down a chain of joints, scales that are near 1. */
export const USD_WRITTEN = 1e-5;
/** The same where scales of joints are animated: USD keeps and interpolates them as halves, off by up to 1/2048 of the distance to the joint. */
export const USD_HALF_SCALES = 5e-4;
/** The same in three.js, which keeps the half scales too, but interpolates them as floats. */
export const USD_IN_THREE = 1e-3;
