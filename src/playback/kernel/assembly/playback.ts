/**
 * Playback in AssemblyScript (WebAssembly SIMD): frames of compiled clips to model rotations to matrices, as playMatrices of the core. All pointers are
 * byte addresses; the module allocates nothing. The layouts of the records below are mirrored in ../records.ts.
 */
/** Multiplies the quaternion at `p` and `q`, xyzw. */
function multiplyQuaternion(p: usize, q: v128): v128 {
  const signX = i32x4(0, <i32>0x80000000, 0, <i32>0x80000000);
  const signY = i32x4(0, 0, <i32>0x80000000, <i32>0x80000000);
  const signZ = i32x4(<i32>0x80000000, 0, 0, <i32>0x80000000);
  const x = v128.xor(v128.shuffle<f32>(q, q, 3, 2, 1, 0), signX);
  const y = v128.xor(v128.shuffle<f32>(q, q, 2, 3, 0, 1), signY);
  const z = v128.xor(v128.shuffle<f32>(q, q, 1, 0, 3, 2), signZ);
  return f32x4.add(
    f32x4.add(f32x4.mul(v128.load_splat<f32>(p, 12), q), f32x4.mul(v128.load_splat<f32>(p), x)),
    f32x4.add(f32x4.mul(v128.load_splat<f32>(p, 4), y), f32x4.mul(v128.load_splat<f32>(p, 8), z)),
  );
}

/** Computes `x · a + y · b + z · c` for x, y and z at `at`. */
function combine(at: usize, a: v128, b: v128, c: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(v128.load_splat<f32>(at), a), f32x4.mul(v128.load_splat<f32>(at, 4), b)),
    f32x4.mul(v128.load_splat<f32>(at, 8), c),
  );
}

/** Interpolates linearly between the vectors at `a` and `b`; `t` is in all lanes. */
function mix(a: usize, b: usize, t: v128): v128 {
  const start = v128.load(a);
  return f32x4.add(start, f32x4.mul(t, f32x4.sub(v128.load(b), start)));
}

/** A plan, its constants, and scratch memory for one character. */
@unmanaged
class Plan {
  stepCount: i32;
  /** Groups of four matrices. */
  groupCount: i32;
  matrixCount: i32;
  /** Bytes of a result: matrices below are results, the others scratch. */
  resultBytes: u32;
  /** u32 per step: byte offset of the parent in `rotations`. */
  stepFrom: usize;
  /** The identity, the rotation in front of the roots, then the model rotation of each step: 16 bytes each. */
  rotations: usize;
  /** u32 per matrix, padded to groups: byte offset of the driver in `rotations`. */
  drivers: usize;
  /** u32 per matrix, padded: byte offset of the matrix in the result; behind the result for scratch. */
  slots: usize;
  /** Per group: x, y, z, w of the rotations after the driver, then scales; 4 f32 each. */
  after: usize;
  /** i32 per matrix: byte offset of the parent's matrix; −1 for a root. */
  parents: usize;
  /** xyz0 per matrix: bind offset; 0 without. */
  binds: usize;
  /** Address of the scratch matrices, minus `resultBytes`. */
  extra: usize;
  /** Whether any rotation after the driver differs from the identity. */
  hasAfter: i32;
}

/** A clip prepared for a plan. */
@unmanaged
class Clip {
  duration: f64;
  frameRate: f64;
  frameCount: i32;
  /** Bytes per frame. */
  frameBytes: u32;
  frames: usize;
  /** i32 per step: byte offset of its key in a frame; −1 for a constant. */
  stepKeys: usize;
  /** xyzw per step. */
  stepRotations: usize;
  /** xyz0 per matrix; xyz1 for roots. The moving ones are rewritten for every character. */
  offsets: usize;
  movingCount: i32;
  /** u32 per moving offset: its byte offset in `offsets`. */
  moving: usize;
  /** u32 per moving offset: byte offset of its key in a frame of `translationKeys`. */
  movingKeys: usize;
  translationKeys: usize;
  translationBytes: u32;
  /** Per moving offset: three columns and the constant part, 4 f32 each. */
  movingLinear: usize;
}

/** Writes the columns of the linear parts of four matrices: rows `x`, `y`, `z` of one column each. */
function storeColumn(m0: usize, m1: usize, m2: usize, m3: usize, x: v128, y: v128, z: v128, at: usize): void {
  const zero = f32x4.splat(0);
  const xy = v128.shuffle<f32>(x, y, 0, 4, 1, 5);
  const z0 = v128.shuffle<f32>(z, zero, 0, 4, 1, 5);
  v128.store(m0 + at, v128.shuffle<f32>(xy, z0, 0, 1, 4, 5));
  v128.store(m1 + at, v128.shuffle<f32>(xy, z0, 2, 3, 6, 7));
  const xy2 = v128.shuffle<f32>(x, y, 2, 6, 3, 7);
  const z2 = v128.shuffle<f32>(z, zero, 2, 6, 3, 7);
  v128.store(m2 + at, v128.shuffle<f32>(xy2, z2, 0, 1, 4, 5));
  v128.store(m3 + at, v128.shuffle<f32>(xy2, z2, 2, 3, 6, 7));
}

/** Samples local rotations and multiplies them down the tree. */
function playRotations(plan: Plan, clip: Clip, frame: usize, next: usize, t: v128): void {
  const rotations = plan.rotations;
  let from = plan.stepFrom;
  let keys = clip.stepKeys;
  let constants = clip.stepRotations;
  let out = rotations + 32;
  for (const end = out + ((<usize>plan.stepCount) << 4); out < end; out += 16) {
    const key = load<i32>(keys);
    const parent = rotations + load<u32>(from);
    const local = key < 0 ? v128.load(constants) : mix(frame + key, next + key, t);
    v128.store(out, multiplyQuaternion(parent, local));
    keys += 4;
    from += 4;
    constants += 16;
  }
}

/** Rewrites the offsets that move. */
function playOffsets(clip: Clip, frame: usize, next: usize, t: v128): void {
  let linear = clip.movingLinear;
  for (let m = 0; m < clip.movingCount; m++) {
    const at = (<usize>m) << 2;
    const key = load<u32>(clip.movingKeys + at);
    const value = mix(frame + key, next + key, t);
    const x = v128.shuffle<f32>(value, value, 0, 0, 0, 0);
    const y = v128.shuffle<f32>(value, value, 1, 1, 1, 1);
    const z = v128.shuffle<f32>(value, value, 2, 2, 2, 2);
    const moved = f32x4.add(
      f32x4.add(f32x4.mul(x, v128.load(linear)), f32x4.mul(y, v128.load(linear, 16))),
      f32x4.add(f32x4.mul(z, v128.load(linear, 32)), v128.load(linear, 48)),
    );
    v128.store(clip.offsets + load<u32>(clip.moving + at), moved);
    linear += 64;
  }
}

/** Writes the linear parts of all matrices, four at a time. */
function writeLinear(plan: Plan, out: usize): void {
  const rotations = plan.rotations;
  const limit = plan.resultBytes;
  const extra = plan.extra;
  const hasAfter = plan.hasAfter;
  let drivers = plan.drivers;
  let slots = plan.slots;
  let after = plan.after;
  for (let group = plan.groupCount; group > 0; group--) {
    const d0 = v128.load(rotations + load<u32>(drivers));
    const d1 = v128.load(rotations + load<u32>(drivers, 4));
    const d2 = v128.load(rotations + load<u32>(drivers, 8));
    const d3 = v128.load(rotations + load<u32>(drivers, 12));
    const xy01 = v128.shuffle<f32>(d0, d1, 0, 4, 1, 5);
    const xy23 = v128.shuffle<f32>(d2, d3, 0, 4, 1, 5);
    const zw01 = v128.shuffle<f32>(d0, d1, 2, 6, 3, 7);
    const zw23 = v128.shuffle<f32>(d2, d3, 2, 6, 3, 7);
    let x = v128.shuffle<f32>(xy01, xy23, 0, 1, 4, 5);
    let y = v128.shuffle<f32>(xy01, xy23, 2, 3, 6, 7);
    let z = v128.shuffle<f32>(zw01, zw23, 0, 1, 4, 5);
    let w = v128.shuffle<f32>(zw01, zw23, 2, 3, 6, 7);
    if (hasAfter) {
      const bx = v128.load(after);
      const by = v128.load(after, 16);
      const bz = v128.load(after, 32);
      const bw = v128.load(after, 48);
      const ax = x;
      const ay = y;
      const az = z;
      const aw = w;
      x = f32x4.add(f32x4.add(f32x4.mul(aw, bx), f32x4.mul(ax, bw)), f32x4.sub(f32x4.mul(ay, bz), f32x4.mul(az, by)));
      y = f32x4.add(f32x4.sub(f32x4.mul(aw, by), f32x4.mul(ax, bz)), f32x4.add(f32x4.mul(ay, bw), f32x4.mul(az, bx)));
      z = f32x4.add(f32x4.add(f32x4.mul(aw, bz), f32x4.mul(ax, by)), f32x4.sub(f32x4.mul(az, bw), f32x4.mul(ay, bx)));
      w = f32x4.sub(f32x4.sub(f32x4.mul(aw, bw), f32x4.mul(ax, bx)), f32x4.add(f32x4.mul(ay, by), f32x4.mul(az, bz)));
    }
    const scale = v128.load(after, 64);
    const square = f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.add(f32x4.mul(z, z), f32x4.mul(w, w)));
    const s = f32x4.div(f32x4.add(scale, scale), square);
    const xs = f32x4.mul(x, s);
    const ys = f32x4.mul(y, s);
    const zs = f32x4.mul(z, s);
    const ws = f32x4.mul(w, s);
    let slot: usize = load<u32>(slots);
    const m0 = slot + (<u32>slot < limit ? out : extra);
    slot = load<u32>(slots, 4);
    const m1 = slot + (<u32>slot < limit ? out : extra);
    slot = load<u32>(slots, 8);
    const m2 = slot + (<u32>slot < limit ? out : extra);
    slot = load<u32>(slots, 12);
    const m3 = slot + (<u32>slot < limit ? out : extra);
    const xx = f32x4.mul(x, xs);
    const yy = f32x4.mul(y, ys);
    const zz = f32x4.mul(z, zs);
    const xy = f32x4.mul(x, ys);
    const zw = f32x4.mul(z, ws);
    const xz = f32x4.mul(x, zs);
    const yw = f32x4.mul(y, ws);
    storeColumn(m0, m1, m2, m3, f32x4.sub(scale, f32x4.add(yy, zz)), f32x4.add(xy, zw), f32x4.sub(xz, yw), 0);
    const yz = f32x4.mul(y, zs);
    const xw = f32x4.mul(x, ws);
    storeColumn(m0, m1, m2, m3, f32x4.sub(xy, zw), f32x4.sub(scale, f32x4.add(xx, zz)), f32x4.add(yz, xw), 16);
    storeColumn(m0, m1, m2, m3, f32x4.add(xz, yw), f32x4.sub(yz, xw), f32x4.sub(scale, f32x4.add(xx, yy)), 32);
    drivers += 16;
    slots += 16;
    after += 80;
  }
}

/** Writes the translations of all matrices, parents first. */
function writeTranslations(plan: Plan, offsets: usize, out: usize): void {
  const limit = plan.resultBytes;
  const extra = plan.extra;
  let slots = plan.slots;
  let parents = plan.parents;
  let binds = plan.binds;
  for (const end = slots + ((<usize>plan.matrixCount) << 2); slots < end; slots += 4) {
    const slot: usize = load<u32>(slots);
    const matrix = slot + (<u32>slot < limit ? out : extra);
    const parent = load<i32>(parents);
    let x: v128;
    if (parent < 0) x = v128.load(offsets);
    else {
      const above = <usize>parent + (<u32>parent < limit ? out : extra);
      const moved = combine(offsets, v128.load(above), v128.load(above, 16), v128.load(above, 32));
      x = f32x4.add(moved, v128.load(above, 48));
    }
    if (binds) {
      x = f32x4.add(x, combine(binds, v128.load(matrix), v128.load(matrix, 16), v128.load(matrix, 32)));
      binds += 16;
    }
    v128.store(matrix, x, 48);
    parents += 4;
    offsets += 16;
  }
}

/** Computes the matrices of one character. */
function playCharacter(plan: Plan, clip: Clip, time: f64, out: usize): void {
  const position = time * clip.frameRate;
  const last = clip.frameCount - 2;
  let frame = 0;
  let fraction: f64 = 0;
  if (last >= 0 && position > 0) {
    frame = <i32>Math.min(position, <f64>last);
    const length = frame === last ? clip.duration * clip.frameRate - <f64>last : 1;
    fraction = Math.min((position - <f64>frame) / length, 1);
  }
  const t = f32x4.splat(<f32>fraction);
  const step: usize = last >= 0 ? 1 : 0;
  const at = clip.frames + <usize>frame * clip.frameBytes;
  playRotations(plan, clip, at, at + step * clip.frameBytes, t);
  const key = clip.translationKeys + <usize>frame * clip.translationBytes;
  playOffsets(clip, key, key + step * clip.translationBytes, t);
  writeLinear(plan, out);
  writeTranslations(plan, clip.offsets, out);
}

/**
 * Computes the matrices of characters that share a plan.
 *
 * @param times f64 per character: seconds.
 * @param out Receives the matrices of the first character; the next ones follow.
 */
export function play(plan: Plan, clips: usize, times: usize, out: usize, count: i32): void {
  for (let i = 0; i < count; i++) {
    const address: usize = load<u32>(clips);
    clips += 4;
    if (address) playCharacter(plan, changetype<Clip>(address), load<f64>(times), out);
    times += 8;
    out += plan.resultBytes;
  }
}
