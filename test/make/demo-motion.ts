/** Smooth motions of all bones at random: no person moves like that, and no retargeter may care. */
import { BONE_COUNT } from '../../src/core/humanoid/bones.ts';
import * as quat from '../../src/core/math/quat.ts';
import * as vec3 from '../../src/core/math/vec3.ts';
import type { Figure } from '../../src/demo/figure/figure.ts';
import type { Motion } from '../../src/demo/motions/motion.ts';
import { composeRotations, makeLocalRotations } from '../../src/demo/figure/pose.ts';
import { between, makeRandom } from '../../src/demo/random.ts';

/** Waves that add up to one number. */
const WAVES = 2;
/** Radians of one wave of one component of a bone's turn, at most. */
const TURN = 0.5;
/** Meters of one wave of the hips' way by their height, at most. */
const WAY = 0.25;

/** Numbers over time: sums of sines, `count` of them, each within ±WAVES · amplitude. */
function wander(seed: number, count: number, amplitude: number): (out: Float64Array, time: number) => void {
  const random = makeRandom(seed);
  const waves = Float64Array.from({ length: count * WAVES * 3 }, (_, k) => {
    if (k % 3 === 0) return between(random, -amplitude, amplitude);
    return k % 3 === 1 ? between(random, 1, 7) : between(random, 0, 2 * Math.PI);
  });
  return (out, time) => {
    for (let c = 0; c < count; c++) {
      out[c] = 0;
      for (let w = c * WAVES * 3; w < (c + 1) * WAVES * 3; w += 3) {
        out[c] += waves[w] * Math.sin(waves[w + 1] * time + waves[w + 2]);
      }
    }
  };
}

/** A motion in which every bone turns and the hips go about, the same for the same seed. It lasts a second. */
export function makeRandomMotion(figure: Figure, seed: number): Motion {
  const turnsAt = wander(seed, BONE_COUNT * 3, TURN);
  const hipsAt = wander(seed + 1, 3, WAY * figure.hipsHeight);
  const vectors = new Float64Array(BONE_COUNT * 3);
  const turns = makeLocalRotations();
  const axis = new Float64Array(3);
  return {
    name: `random ${seed}`,
    figure,
    duration: 1,
    pose(out, time): void {
      turnsAt(vectors, time);
      for (let bone = 0; bone < BONE_COUNT; bone++) {
        vec3.copy(axis, 0, vectors, bone * 3);
        const angle = vec3.normalize(axis, 0, axis, 0);
        quat.fromAxisAngle(turns, bone * 4, axis, 0, angle);
      }
      composeRotations(out, turns);
      hipsAt(out.hips, time);
      out.hips[1] += figure.hipsHeight;
    },
  };
}
