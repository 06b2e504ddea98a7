/**
 * All tolerances of the tests, each with its reason. Angles between quaternions are measured by the chord: acos loses half of the digits
 * near 0.
 */

/** Values around 1 after a few roundings in float64. */
export const EXACT = 1e-12;
/** float64 values in the hundreds, or results that build on each other (determinants, inverses). */
export const EXACT_CHAIN = 1e-10;
/** The shortest arc, which treats directions within 1e-12 of opposite as opposite; a rotation doubles that. */
export const NEAR_OPPOSITE = 3e-12;
/** Bones of an MMD model in other programs, relative to its height: they compute in float32, and end IK within 10⁻⁴ units. Measured: 5e-5, and 1.5e-3 for a weight five heights away. */
export const MMD_PLAYERS = 0.01;
/** The laws of retargeting in float64: some hundred products along the longest chain. */
export const LAW_F64 = 1e-9;
/** The laws of retargeting, radians, with float32 keys: 2⁻²⁴ per component, times the depth of a chain. */
export const LAW_F32 = 1e-5;
/** The laws for rigs with helper joints, radians and meters: two or three times as many nodes as in other laws. */
export const LAW_HELPED = 1e-8;
/** Agreement with other players, which compute in float32 or approximate slerp. */
export const SECOND_OPINION = 1e-5;
/** Hips of a small gesture of the demo that are scaled by another height of the same two characters, relative to the height. */
export const HIPS_AS_PELVIS = 2e-3;
/** World rotation of a resampled clip, degrees: twice the tolerance of the resampler, for float32 storage. */
export const POSE_DEGREES = 0.01;
/** Palms and foot headings of estimated poses, degrees: the promised 0.05; the joints went through float32 files. */
export const EXTREMITY_DEGREES = 0.05;
/** Meters that a planted foot of the demo moves at the keys: float64 forward kinematics of a planned pose. */
export const PLANTED = 1e-6;
/** Meters that a planted foot of the demo moves between the keys at 30 fps, where every joint is interpolated on its own. */
export const PLANTED_BETWEEN_KEYS = 2e-3;
/** World rotation of any bone of a demo clip per frame at 30 fps, degrees: 1,000° per second, a fast foot. */
export const FASTEST_BONE_DEGREES = 34;
/** Difference from 1 of the sum of four float32 weights (gltf-validator allows 2e-7 per weight). */
export const WEIGHT_SUM = 2e-7;
/** Positions in a BVH text, meters: six decimals of centimeters and of degrees, along the chain of a character. */
export const BVH_TEXT = 1e-6;
/**
 * Hips of a new BVH that is read again, relative to their height: the OFFSET of its root is 0, so that its ground is found from the foot joints of the motion, which
 * are above the sole.
 */
export const BVH_GROUND = 0.1;
/** World rotation of resampled tracks, radians: the 0.005° of retargetClip, and the rounding of a chain. */
export const RESAMPLED_RADIANS = (0.005 * Math.PI) / 180 + 1e-9;
/** Errors of fitted polylines over the tolerance: distances of arcs of up to 0.5 rad between keys of either. */
export const POLYLINE_RATIO = 1.02;
/** World rotation of CUBICSPLINE tracks as LINEAR keys in a VRMA, radians: the 0.01° of linearKeys. */
export const LINEAR_WORLD_RADIANS = (0.01 * Math.PI) / 180;
/** Hips offset of resampled tracks, relative to the hips height: the 1e-5 of retargetClip, and rounding. */
export const RESAMPLED_HEIGHT = 1e-5 + 1e-9;
/** Hips height relative to the reference height: float32 keys, through the inverse of the parent matrix. */
export const HIPS_RATIO = 1e-5;
/** The T-pose estimator on its own result, radians and meters: its arcs near 0 have the precision of a cross product. */
export const ESTIMATE_AGAIN = 1e-6;
/** Quaternions stored as normalized bytes: with a step of 1/127 their length is off by up to 2 · 1/254, which players show. */
export const BYTE_QUATERNIONS = 8e-3;
/** World rotations of limbs against the true reference pose, radians: 1°, for knees with too little bend to measure their axis. */
export const TRUE_LIMB = Math.PI / 180;
/** World rotations of palms against the true reference pose, radians: 2°. */
export const TRUE_PALM = (2 * Math.PI) / 180;
/** Directions of hands, palms and feet between two estimated poses, degrees, by joint positions. */
export const POSE_DIRECTION_DEGREES = 0.05;
/** World directions of arms, hands and palms on characters whose declared T-pose was straightened, degrees: 0.05 is required of arms. */
export const LIMB_DEGREES = 0.05;
/** Rotations and directions of one Mixamo motion on two Mixamo characters, degrees: the precision of both of their files. */
export const MIXAMO_DEGREES = 0.001;
/** Numbers written in decimal with nine digits. */
export const WRITTEN_DIGITS = 1e-9;
/** Position of a detached bone or joint, meters: the 1e-4 of its distance (2 m in the test) of retargetClip. */
export const DETACHED_METERS = 2e-4;
/** Rotations and angles after a path through gimbal lock: sines below 1e-8 count as 0. */
export const LOCKED_ANGLES = 1e-7;
/** Difference of two angles that count as equal, radians: chords near 180° are flat. */
export const NEAREST_ROTATION = 1e-7;
/** Node positions of an FBX against other programs, relative to the height: float32 and six decimal digits on their side. */
export const FBX_POSE_HEIGHT = 1e-4;
/** World rotations of written FBX files in other programs, degrees: Blender computes in float32. */
export const FBX_OUT_DEGREES = 0.005;
/** Joint positions there at keys, relative to the height: float32 along a chain; assimp has 7.5e-6, Blender and three.js less. */
export const FBX_OUT_HEIGHT = 1e-5;
/** World rotations of FBX nodes against other programs, degrees: as above, and the 0.005° of resampled curves. */
export const FBX_POSE_DEGREES = 0.01;
/** Seam of a loop, radians and relative to the hips height: 1e-4 is required; a float64 chain with keys at float32 times reaches this. */
export const LOOP_SEAM = 1e-7;
/** Bones after root motion was moved, radians and relative to the height: two resampled tracks of 1e-5, twice, and rotations of 0.005° each. */
export const ROOT_MOTION = 6e-4;
/** Drift of a clip in place, relative to the height: resampled tracks of 1e-5, twice, and float32 key times. */
export const IN_PLACE = 1e-4;
/** World rotations (radians) and positions (relative to the height) of a BVH with six decimals: 5e-7 degrees per channel, along 30 joints. */
export const BVH_CHAIN = 1e-6;
/** Time (of 1) and value (of 10) of a Bézier segment, by Newton's method against bisection. */
export const STEEP_BEZIER = 1e-12;
/** Rest and bind matrices of an FBX in centimeters: Euler angles and float32 matrices along a chain of ten. */
export const FBX_BIND = 1e-3;
/** Joint positions of one rig, meters, saved three times through float32 and text. */
export const FBX_RIGS = 1e-5;
/** Tangent handles of FBX curves against Babylon.js, which uses 0.333333 for 1/3 and 1/10000 for the 1/9999 of the SDK. */
export const BABYLON_WEIGHTS = 2e-4;
/** Joint positions of a BVH, relative to the height: joints that move less than 5e-5 of the box diagonal get no position channels. */
export const BVH_STAYS = 1e-4;
/** Values of FBX curves against Babylon.js: its Newton's method stops after eleven steps, its repetitions round to ticks. */
export const BABYLON_CURVES = 1e-7;
/** Rotations at float32 key times, radians: up to 2⁻²⁵ s off, on a bone that rotates by 1,700° per second. */
export const KEY_TIME_ROUNDING = 1e-6;
/** Translations read from an FBX, relative to the size of the skeleton: the 1e-5 of readClips, and rounding. */
export const RESAMPLED_SIZE = 1.01e-5;
/** Scales read from an FBX: the 1e-5 of readClips, and rounding. */
export const RESAMPLED_SCALE = 1.01e-5;
/** Unit directions after a float64 blend whose length can be as small as 1e-6: rounding grows as it shrinks. */
export const SHORT_BLEND = 1e-6;
/** Normals transformed by skinning matrices that count as uniformly scaled: 1e-4 of the squared scale, as normalMatrices promises. */
export const SHARED_NORMAL = 1e-4;
/** Points and normals against OpenUSD, which skins in float32; scenes of a few units. */
export const OPENUSD_SKIN = 2e-6;
/** Positions (relative to their size) and directions of float32 vertices, stored two or three times, with joint scales up to 8 that cancel. */
export const STORED_VERTICES = 1e-5;
/** Difference of two FBX normals: Blender stores custom normals as two 16-bit angles. */
export const FBX_NORMALS = 2e-3;
/** Difference of two FBX UVs: float32 and seven decimal digits. */
export const FBX_UVS = 1e-6;
/** Blend shape weights of an FBX: float32 percentages, and the 1e-4 of readClips. */
export const FBX_WEIGHTS = 1.01e-4;
/** Vertices (relative to the size of the character) and normals of an FBX written as a new glTF: float32 rotations along a chain, float32 vertices. */
export const CHARACTER_VERTICES = 1e-6;
/** Color channel of 0…1 stored as a byte and read as float32. */
export const PAINTED_BYTE = 0.5 / 255 + 1e-6;
/** Reports of a quantized character against the unquantized one, meters and quaternions: one more float32 rounding of the inverse bind matrices. */
export const QUANTIZED_TWIN = 1e-5;
/** Degrees in the reports of a quantized character, which have three decimals. */
export const QUANTIZED_TWIN_DEGREES = 1.01e-3;
/** Resampled morph target weights: the 1e-4 of bakeFace, and the float32 of a player. */
export const FACE_WEIGHT = 1e-4 + 1e-5;
/** Vertices with 16-bit positions, relative to the largest coordinate: half a step of 1/32767 of half the box, and float32. */
export const QUANTIZED_VERTICES = 2e-5;
/** Vertices, relative to their box, for keys with three-digit quaternions: their length is off by up to 5e-4, which players show. */
export const THREE_DIGIT_QUATERNIONS = 2e-4;
/** Vertices, relative to their box, for keys with 16-bit quaternions: with a step of 1/32767 their length is off by up to 2 · 1/65534. */
export const SHORT_QUATERNIONS = 3.1e-5;
/** Bytes per call of a function that does not allocate: the measurement itself, over 10,000 calls. */
export const NO_ALLOCATION = 1;
/** Bytes per pose of points and its filter: about 41 numbers that are passed between functions and boxed by the engine, 16 bytes each; an array for each bone would take 2,000. */
export const BOXED_NUMBERS = 800;
/** Bytes of a number that the engine boxes to pass it to a function it does not inline; the smallest object takes 24. */
export const BOXED_NUMBER = 16;
/** A clip retargeted through a humanoid clip against direct retargeting, radians: float32 keys and key times, twice. */
export const EXTRACTED_RADIANS = 1e-5;
/** The same for resampled tracks, degrees: the 0.005° of both results. */
export const EXTRACTED_DEGREES = 0.01;
/** The same for the hips offset, relative to the hips height. */
export const EXTRACTED_HIPS = 3e-5;

/** Skinning matrices of joints that move together: file matrices are float32, in meters and without unit. */
export const SKINNED_LINEAR = 1e-4;
/** Vertices, relative to the height, of a character with canonical axes: scales uniform to 2e-5, keys of detached feet to 2e-6, float32 keys. */
export const DEFINED_VERTICES = 1e-5;
/** Bone axes of a character with canonical axes, radians: the rest in float64 JSON, the bind in float32 matrices along a chain. */
export const CANONICAL_AXES = 1e-5;
/** Limb directions of a defined T-pose, degrees: JSON positions in float64, and a shortest arc. */
export const T_POSE_DEGREES = 1e-3;
/** Numbers of OpenUSD, relative where above 1: its points and weights are float32. */
export const USD_REFERENCE = 1e-5;
/** Points, normals and matrices that OpenUSD baked to text in float32, converted through several spaces. */
export const USD_BAKED = 1e-4;
/** Points of a scene of ten units against the program that wrote it: offsets and weights as float32 text; OpenUSD is off by 2.3e-4. */
export const USD_GROUND_TRUTH = 3e-4;

/** Milliseconds for a damaged USD file: the promised second; a machine that runs other tests at the same time takes up to five of them. */
export const HOSTILE_USD_MS = 6000;
/** Values and times of USD scenes, up to a thousand, through a few layer offsets in float64. */
export const USD_STAGE_F64 = 1e-9;
/** Left side of a jump of value clips: 4.4e-9 before the jump. */
export const USD_CLIP_SEAM = 1e-8;
/** Quaternions of USD texts with eight digits, stored in float32. */
export const USD_QUATF = 1e-6;
/** Joint matrices of a USD clip against UsdSkel: keys are float32, joint scales are halves, which USD also rounds between keys. */
export const USD_CLIP_MATRICES = 1e-5;
/** The same for four-digit quaternions: UsdSkel scales by their length, clips have unit quaternions. */
export const USD_ROUGH_QUATERNIONS = 1e-4;
/** Positions (relative to the size of the scene) and unit normals of a USD asset against UsdSkel: float32 positions, poses as rotation and scale. */
export const USD_SEEN = 1e-6;
/** Colors, factors and texture transforms up to ten, written as float32, angles in degrees. */
export const USD_MATERIAL_F32 = 2e-6;
/** Operations of a prim against the resampled keys, radians and relative: the 0.005° (8.7e-5) of the resampler. */
export const USD_RESAMPLED = 1e-4;

/** Vertices after glTF → USD → glTF, relative to the height: scales are halves there, positions and weights float32. */
export const USD_ROUND_TRIP = 1e-4;
/** Points of characters written as USD, relative to the height: float32 keys and matrices along a chain, scales near 1. */
export const USD_WRITTEN = 1e-5;
/** Arms that contacts keep out of a character, radians and relative to the height, against the same on a rig or mesh of other rounding: the search for them ends at 12°, and multiplies rounding. */
export const KEPT_OUT = 5e-4;
/** The same with animated joint scales, which USD stores and interpolates as halves: off by up to 1/2048 of the distance to the joint. */
export const USD_HALF_SCALES = 5e-4;
/** The same in three.js, which stores half scales but interpolates them as floats. */
export const USD_IN_THREE = 1e-3;

/**
 * Hips that follow legs which move against them. The first thousandth of the hips height has no effect, so that noise of bind poses keeps
 * the keys of the hips.
 */
export const HIPS_STILL = 1.001e-3;
/** Poses of live contacts on the same character: matrices and quaternions of whole chains, where nothing has to move. */
export const LIVE_IDENTITY = 1e-7;
/** Live contacts of a source that jumped: the movement of its hips in that frame is unknown. */
export const JUMPED_CONTACTS = 1e-4;
/** Contacts of a motion on its own character: nothing has to move, and rounding is no reason to. */
export const SAME_CHARACTER = 1e-9;
/** Contacts of a mirrored motion, radians and meters: the order of sums in smoothed paths, and float32 files. */
export const MIRRORED_CONTACTS = 1e-6;
/** Contacts of a motion whose first key is later, radians and meters: key times are others in float32. */
export const LATER_CONTACTS = 1e-5;
/** Angles of arms against Newton steps that end where nothing changes any more, radians: a hand is where it should be within a tenth of a millimeter. */
export const SOLVED_ARMS = 2e-4;
/** Depth of any vertex of a foot below the floor beyond that of the source, relative to the height: keys are interpolated, and soles have finitely many points. */
export const DEEPER_SOLE = 2e-3;
/** Height of the lowest of the chosen points of a foot against all its vertices, meters: 0.1 % of the height of an adult. */
export const SOLE_POINTS = 1.7e-3;
/** Local rotations of a compiled clip between frames, radians: the 0.005° of compileClip, and float32. */
export const COMPILED_RADIANS = (0.005 * Math.PI) / 180 + 1e-6;
/** Local rotations of compiled real motions against slerp, radians: 0.05° is promised; all but the fastest reach 0.005°. */
export const NLERP_RADIANS = (0.05 * Math.PI) / 180;
/**
 * The same at the highest frame rate, where keys need a higher one, radians: curves of ozz_pab_run.fbx change their speed fivefold within 2 ms, the time
 * of one frame at 480 fps.
 */
export const HIGHEST_RATE_RADIANS = (0.15 * Math.PI) / 180;
/** Values of a float32 pose up to 10. */
export const FLOAT32_POSE = 2e-6;
/** A compiled clip against its keys, radians and units: the 0.005° of compileClip, doubled by weights above 1 and additive sums. */
export const PLAYED_CLIP = 2e-4;
/** Root motion and a clip in place, put together, radians and relative to the hips height: float64 along the chain to the hips. */
export const MOVED_ROOT = 1e-8;
/** Matrices of playback in float32 against the general path in float64, relative to the largest value: products along a chain, deep scales. */
export const PLAYBACK = 1e-5;
/** Matrices of the playback kernel against its twin, which computes in float64 between float32 arrays. */
export const KERNEL_PLAYBACK = 1e-5;
/** Vertices at run time against those of baked clips at its frames, relative to the height: float32 poses and matrices along a chain. */
export const PLAYBACK_VERTICES = 1e-5;
/** Transforms of crowd characters in float32 against retargetPose, relative to the largest value: sums along a chain of bones. */
export const CROWD_VERTEX = 1e-5;
/** Translations of a crowd against another crowd with times that were added up, relative to the largest one. */
export const CROWD_TIMES = 1e-4;
/** Vertices of a compiled clip between its frames, meters, on an adult: 0.005° per joint along a chain. */
export const PLAYED_VERTICES = 1e-3;
/** Required bones of dressed humanoids without names that have the expected node, as a fraction. */
export const DRESSED_REQUIRED = 0.99;
/**
 * The same for procedural humanoids alone, whose proportions are far from those of adults, and for a few dozen humanoids,
 * where a refused one is 3 %.
 */
export const DRESSED_SAMPLE = 0.96;
/** Required bones with the joint that the rig was made with after a tour of clicks: of 1,500 uneven rigs, one had two others. */
export const TOUR_REQUIRED = 0.999;
/** Finger bones of dressed humanoids without names that have the expected node, as a fraction. */
export const DRESSED_FINGERS = 0.97;
/** Vertices that three.js skins in float32 with four joints each, as a fraction of the height: 2⁻²⁴ of coordinates in centimeters, times a chain. */
export const DRAWN_VERTEX = 1e-4;
/**
 * Memory of the studio after 50 files were opened and closed, relative to before. Heap snapshots show no object more, but compiled code of 1 to 3 MB, 7 % of
 * page and workers. Files that are not released add 1 MB or more each: twice as much as the page has in all.
 */
export const PAGE_MEMORY = 0.15;
/** World axes of a standard rig against a real one, degrees: the angles of its table have two or three decimals, and add up along a chain. */
export const RIG_AXES_DEGREES = 0.1;
/** Directions of limbs of motions from joint positions, degrees: two rotations of float64 and the forward kinematics of a chain. */
export const POINT_DIRECTION_DEGREES = 1e-4;
/** Twist of a limb whose knee passes through straight, degrees: the median that issue 39 asks of clips, here at the worst frame. */
export const POINT_TWIST_DEGREES = 5;
/** Limbs of motions from the positions of known clips, degrees: what issue 39 asks; exact but for limbs that the clip stretches. */
export const KNOWN_DIRECTION_DEGREES = 0.1;
/** Median twist of limbs of motions from the positions of known clips, degrees: what issue 39 asks. */
export const KNOWN_TWIST_DEGREES = 5;
/** Mean angle between limbs of a motion from positions and those of its twin, degrees: what issue 39 asks. */
export const TWIN_DIRECTION_DEGREES = 0.5;
/** Positions of joints of one motion on a character and on the same one elsewhere in its scene, heights: LINEAR keys allow 1e-4 and 2 ms of delay to each. */
export const PLACED_POSITION = 1e-3;
