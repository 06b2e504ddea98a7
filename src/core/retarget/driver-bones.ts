import { BONE, BONE_PARENTS, BONES, type BoneName, FINGER_SEGMENTS, FINGERS, type Finger } from '../humanoid/bones.ts';

/**
 * The other fingers of the hand, nearest first. Of two at the same distance, the first is not the index finger, which moves on its own, and
 * not the little finger, whose movement the ring finger shares less than that of the middle finger.
 */
const NEIGHBORS: Readonly<Record<Finger, readonly Finger[]>> = {
  Index: ['Middle', 'Ring', 'Little'],
  Middle: ['Ring', 'Index', 'Little'],
  Ring: ['Middle', 'Little', 'Index'],
  Little: ['Ring', 'Middle', 'Index'],
};

interface FingerBone {
  readonly side: 'left' | 'right';
  readonly finger: Finger;
  readonly segment: number;
}

/** The finger of every bone; null for the thumb and for bones outside of the hand. */
const FINGER_BONES: readonly (FingerBone | null)[] = BONES.map((name) => {
  const side = name.startsWith('left') ? 'left' : 'right';
  const finger = FINGERS.find((one) => name.startsWith(side + one));
  if (finger === undefined) return null;
  return { side, finger, segment: FINGER_SEGMENTS.findIndex((segment) => name.endsWith(segment)) };
});

/** Returns the finger that replaces a finger that the source lacks; null if the hand has no other finger. */
function neighborOf({ side, finger }: FingerBone, sourceNodes: ArrayLike<number>): Finger | null {
  return NEIGHBORS[finger].find((other) => sourceNodes[BONE[`${side}${other}Proximal`]] >= 0) ?? null;
}

/** Returns a bone of a finger, or the bone of that finger below which it would be in the source. */
function inFinger(side: string, finger: Finger, segment: number, sourceNodes: ArrayLike<number>): number {
  for (let k = segment; k >= 0; k--) {
    const bone = BONE[`${side}${finger}${FINGER_SEGMENTS[k]}` as BoneName];
    if (sourceNodes[bone] >= 0) return bone;
  }
  return -1;
}

/**
 * Returns the bone of the source that drives a bone of the target: the same bone, else its nearest ancestor bone that the source has. A
 * finger that the source lacks follows the same joint of its nearest neighbor, so that it does not stand out of a fist; the thumb never
 * replaces a finger, nor a finger the thumb.
 */
export function driverOf(bone: number, sourceNodes: ArrayLike<number>): number {
  const ofFinger = FINGER_BONES[bone];
  if (ofFinger !== null) {
    const { side, finger, segment } = ofFinger;
    const own = inFinger(side, finger, segment, sourceNodes);
    if (own >= 0) return own;
    const neighbor = neighborOf(ofFinger, sourceNodes);
    if (neighbor !== null) return inFinger(side, neighbor, segment, sourceNodes);
  }
  let driver = bone;
  while (driver >= 0 && !(sourceNodes[driver] >= 0)) driver = BONE_PARENTS[driver];
  return driver;
}

/** A finger of the target that follows another finger of the source. */
interface FollowingFinger {
  /** Side and name of the finger that the source lacks: `leftLittle`. */
  readonly finger: string;
  /** Side and name of the finger that it follows: `leftRing`. */
  readonly follows: string;
}

/** Lists the fingers of the target that follow another finger, because the source lacks them. */
export function followingFingers(sourceNodes: ArrayLike<number>, targetNodes: ArrayLike<number>): FollowingFinger[] {
  const out: FollowingFinger[] = [];
  for (const [bone, ofFinger] of FINGER_BONES.entries()) {
    if (ofFinger === null || !(targetNodes[bone] >= 0)) continue;
    const driver = FINGER_BONES[driverOf(bone, sourceNodes)] ?? null;
    if (driver === null || driver.finger === ofFinger.finger) continue;
    const finger = ofFinger.side + ofFinger.finger;
    if (out.at(-1)?.finger !== finger) out.push({ finger, follows: driver.side + driver.finger });
  }
  return out;
}
