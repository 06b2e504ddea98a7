/** Neck and head of a body by shape: the chain that goes on upwards between the arms. */
import { type BodyTree, place } from './body-tree.ts';
import { across, clamp01, cosine, dot, fits, minus, norm, type Vec } from './points.ts';

/** Where the shoulders are and how large the trunk is: what a head is measured by. */
export interface Shoulders {
  readonly middle: Vec;
  /** Unit direction from the hip joints to the shoulders. */
  readonly up: Vec;
  /** Unit direction along the line of the shoulders. */
  readonly side: Vec;
  /** From the hip joints to the shoulder joints. */
  readonly trunk: number;
}

export interface HeadFit {
  /** Nodes between the spine and the neck. */
  readonly below: readonly number[];
  /** −1 where the head sits on the trunk. */
  readonly neck: number;
  readonly head: number;
  /** 0…1 */
  readonly score: number;
}

/** Height of the head joint above the shoulders, by the length of the trunk: adults 0.2 to 0.4, a robot 0.7. */
const HEAD_HEIGHT = 0.3;
/** Width of the logarithm of that. */
const HEAD_WIDTH = 0.8;
/** A head is no lower than this. */
const LOWEST_HEAD = 0.04;
/** A node of the chain that is lower below the shoulders than this is still spine. */
const LOWEST_NECK = -0.15;
/** How far heads are off the axis of the trunk, by its length; a bent neck reaches twice that. */
const HEAD_OFF = 0.3;
/**
 * What a head is worth that leaves as many joints behind it as the foot does (a rig without toes), or that leaves another number. Rigs
 * have end joints everywhere or nowhere.
 */
const ENDS_OF_FOOT = 0.6;
const OTHER_ENDS = 0.15;
/** End joints behind a head at most. */
const MOST_ENDS = 2;
/** Joints from the trunk to the head at most. */
const LONGEST = 12;
/** A head that is all alone, without a neck, is as good but for this. */
const NO_NECK = 0.95;

function height(body: BodyTree, node: number, { middle, up, trunk }: Shoulders): number {
  return dot(minus(place(body, node), middle), up) / trunk;
}

/** How far a node is off the axis of the trunk, by its length. */
function offAxis(body: BodyTree, node: number, { middle, up, trunk }: Shoulders): number {
  return norm(across(minus(place(body, node), middle), up)) / trunk;
}

/** A neck that branches goes on to what is above this, where heads are. */
const NECK_AT_MOST = 0.15;

/** What is further to a side of its parent than this, by the length of the trunk, is no head: eyes and ears are. */
const ASIDE = 0.1;
/** What is less to a side is in the middle. */
const PAIR_ASIDE = 0.01;

/**
 * A lone joint that leaves upwards by less than this cosine, no further than this share of the trunk, with no more joints than these,
 * is a jaw, not a head on its neck.
 */
const AHEAD = 0.75;
const JAW = 0.2;
const JAW_JOINTS = 2;

/** How far a node is to the side of its parent, by the length of the trunk. */
function asideOf(body: BodyTree, node: number, { side, trunk }: Shoulders): number {
  return dot(minus(place(body, node), place(body, body.tree.parents[node])), side) / trunk;
}

/** Whether a node leaves its parent to the front, as small things of a face do. */
function isJaw(body: BodyTree, node: number, { up, trunk }: Shoulders): boolean {
  if (body.lengths[node] > JAW * trunk || body.sizes[node] > JAW_JOINTS) return false;
  return cosine(minus(place(body, node), place(body, body.tree.parents[node])), up) < AHEAD;
}

/** Whether two nodes are as far to either side: eyes. */
function isMirrored(a: number, b: number): boolean {
  return Math.abs(a) > PAIR_ASIDE && Math.abs(a + b) < Math.abs(a) / 4;
}

/** The next joint of a neck: the only one; of several one that goes up and bears a face, or is where heads are. */
function nextOf(body: BodyTree, node: number, shoulders: Shoulders): number {
  const below = body.joints[node];
  if (below.length === 0) return -1;
  if (below.length === 1) {
    return isJaw(body, below[0], shoulders) ? -1 : below[0];
  }
  const here = height(body, node, shoulders);
  let next = -1;
  for (const child of below) {
    const there = height(body, child, shoulders);
    const aside = asideOf(body, child, shoulders);
    const isOfPair = below.some((other) => isMirrored(aside, asideOf(body, other, shoulders)));
    if (there < here + LOWEST_HEAD || Math.abs(aside) > ASIDE || isOfPair || isJaw(body, child, shoulders)) continue;
    const isHead = body.joints[child].length > 1 || (here < NECK_AT_MOST && there > NECK_AT_MOST);
    if (isHead && (next < 0 || body.sizes[child] > body.sizes[next])) next = child;
  }
  return next;
}

/**
 * The head on the chain that starts with `first`. `ends` is how many end joints the legs have. Null when the chain does not go
 * up to where heads are.
 */
function headOn(body: BodyTree, first: number, shoulders: Shoulders, ends: number): HeadFit | null {
  const chain = [first];
  for (let node = nextOf(body, first, shoulders); node >= 0 && chain.length < LONGEST; ) {
    chain.push(node);
    node = nextOf(body, node, shoulders);
  }
  const last = chain[chain.length - 1];
  // A joint with others or an end marker behind it is no end joint.
  const isLeaf = body.joints[last].length === 0 && body.ends[last].length === 0;
  let best: HeadFit | null = null;
  for (let behind = 0; behind <= Math.min(isLeaf ? MOST_ENDS : 0, chain.length - 1); behind++) {
    const at = chain.length - 1 - behind;
    const head = chain[at];
    const up = height(body, head, shoulders);
    if (up < LOWEST_HEAD) continue;
    const rough = fits(Math.log(up / HEAD_HEIGHT), HEAD_WIDTH) * fits(offAxis(body, head, shoulders), HEAD_OFF);
    const before = chain.slice(0, at);
    const start = before.findIndex((node) => height(body, node, shoulders) > LOWEST_NECK);
    const neck = start < 0 ? -1 : before[start];
    const score = rough * (isLeaf ? endsFit(behind, ends) : 1) * (neck < 0 ? NO_NECK : 1);
    if (best !== null && score <= best.score) continue;
    best = { below: start < 0 ? [] : before.slice(0, start), neck, head, score };
  }
  return best;
}

/** What the number of joints behind a head says, when there are `ends` behind the toes. */
function endsFit(behind: number, ends: number): number {
  if (behind === ends) return 1;
  return behind === ends + 1 ? ENDS_OF_FOOT : OTHER_ENDS;
}

/**
 * The best head among the chains that leave the given nodes of the trunk. `never` has 1 for nodes that are trunk or limbs
 * already.
 */
export function findHead(
  body: BodyTree,
  trunk: readonly number[],
  never: (node: number) => boolean,
  shoulders: Shoulders,
  ends: number,
): HeadFit | null {
  let best: HeadFit | null = null;
  for (const from of trunk) {
    for (const first of body.joints[from]) {
      if (never(first)) continue;
      const found = headOn(body, first, shoulders, ends);
      if (found !== null && (best === null || found.score > best.score)) best = found;
    }
  }
  return best;
}

/** A trunk that ends this high above the shoulders ends in the neck, where nothing else is one. */
const NECK_HEIGHT = 0.1;

/** Whether the node that the arms hang on is the neck: it lies above them, and the head follows it at once (Biped). */
export function isNeckOfArms(body: BodyTree, top: number, { neck }: HeadFit, shoulders: Shoulders): boolean {
  return neck < 0 && clamp01(height(body, top, shoulders)) > NECK_HEIGHT;
}
