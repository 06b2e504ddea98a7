/** Random smooth motions of all bones. */
import { BONE_COUNT } from '../../../src/core/humanoid/bones.ts';
import * as quat from '../../../src/core/math/quat.ts';
import * as vec3 from '../../../src/core/math/vec3.ts';
import type { Figure } from '../../../src/demo/figure/figure.ts';
import { composeRotations, makeLocalRotations } from '../../../src/demo/figure/pose.ts';
import type { Motion } from '../../../src/demo/motions/motion.ts';
import { between, makeRandom } from '../../../src/demo/random.ts';

/** Number of waves in a sum. */
const WAVES = 2;
/** Greatest amplitude of one wave of a rotation component, radians. */
const TURN = 0.5;
/** Greatest amplitude of one wave of the hips offset, relative to the hips height. */
const WAY = 0.25;

/** Returns `count` functions of time: sums of sines, each within ±WAVES · amplitude. */
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

/** Returns a motion of one second in which every bone rotates and the hips move, the same for the same seed. */
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
