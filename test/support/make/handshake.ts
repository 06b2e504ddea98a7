/** Two people who walk up to each other's hands and shake them, as joint positions: no solver is involved. */
import { FIGURE_JOINTS, poseFigure, type Turn } from './point-figure.ts';

type Vector = readonly [number, number, number];

/** Seconds, and frames per second. */
export const HANDSHAKE = { duration: 2, rate: 30, from: 0.6, to: 1.4 } as const;
/** Offset of the palm beyond the wrist, in forearms. */
const PALM = 0.2;

/** A person of the handshake. */
export interface Shaker {
  /** Factor of all lengths; a person of size 1 is about 1.6 m tall. */
  readonly size: number;
  /** Whether the person faces −Z. */
  readonly isTurned: boolean;
  /** Where the pelvis stands. */
  readonly place: Vector;
  /** How far the arm that shakes is below the horizontal, degrees. */
  readonly lowered: number;
}

/** Rises from 0 to 1, stays, and falls. */
function raised(time: number): number {
  const ease = (t: number): number => (t <= 0 ? 0 : t >= 1 ? 1 : t * t * (3 - 2 * t));
  const { from, to, duration } = HANDSHAKE;
  return Math.min(ease(time / from), ease((duration - time) / (duration - to)));
}

/** Positions of the joints at a time, xyz per joint of FIGURE_JOINTS. */
export function shakerAt({ size, isTurned, place, lowered }: Shaker, time: number): number[] {
  const share = raised(time);
  const swing = 2 * share * Math.sin(12 * time);
  const right: Turn[] = [
    ['z', 80 * (1 - share)],
    ['y', 75 * share],
    ['x', lowered * share + swing],
  ];
  const turns = {
    ...(isTurned ? { pelvis: [['y', 180]] as Turn[] } : {}),
    left_shoulder: [['z', -78]] as Turn[],
    right_shoulder: right,
    right_elbow: [['y', 35 * share]] as Turn[],
  };
  const own = poseFigure({ turns });
  return own.map((value, k) => value * size + place[k % 3]);
}

/** Position of a joint, or of the right palm. */
export function pointOf(positions: readonly number[], joint: string): Vector {
  const read = (name: string): Vector => {
    const at = 3 * FIGURE_JOINTS.indexOf(name);
    return [positions[at], positions[at + 1], positions[at + 2]];
  };
  if (joint !== 'palm') return read(joint);
  const [elbow, wrist] = [read('right_elbow'), read('right_wrist')];
  return [0, 1, 2].map((c) => wrist[c] + PALM * (wrist[c] - elbow[c])) as unknown as Vector;
}

/** Two people of two sizes whose right palms are at the same place when the arms are raised. */
export function handshake(first: number, second: number): readonly [Shaker, Shaker] {
  const time = (HANDSHAKE.from + HANDSHAKE.to) / 2;
  const palmOf = (person: Shaker): Vector => pointOf(shakerAt(person, time), 'palm');
  const one: Shaker = { size: first, isTurned: false, place: [0.3, 0, -0.4], lowered: 45 };
  const to = palmOf(one);
  const lower = (lowered: number): Shaker => ({ size: second, isTurned: true, place: [0, 0, 0], lowered });
  let [low, high] = [-60, 80];
  for (let step = 0; step < 40; step++) {
    const angle = (low + high) / 2;
    if (palmOf(lower(angle))[1] > to[1]) low = angle;
    else high = angle;
  }
  const other = lower(low);
  const from = palmOf(other);
  return [one, { ...other, place: [to[0] - from[0], 0, to[2] - from[2]] }];
}

/** Keypoints of one person or several. */
export function shakerKeypoints(people: readonly Shaker[]): string {
  const { duration, rate } = HANDSHAKE;
  const frames = Array.from({ length: duration * rate + 1 }, (_, frame) => {
    const points = people.map((person) => {
      const positions = shakerAt(person, frame / rate);
      return FIGURE_JOINTS.map((_, k) => positions.slice(3 * k, 3 * k + 3));
    });
    return people.length === 1
      ? points[0]
      : {
          people: points.map((own, id) => ({
            id,
            joints: Object.fromEntries(FIGURE_JOINTS.map((name, k) => [name, own[k]])),
          })),
        };
  });
  return JSON.stringify({ fps: rate, joints: FIGURE_JOINTS, frames });
}
