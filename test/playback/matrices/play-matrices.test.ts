import { describe, expect, it } from 'vitest';
import { MATRIX_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { between } from '../../../src/demo/random.ts';
import { compileClip } from '../../../src/playback/compile-clip.ts';
import { planPlayback } from '../../../src/playback/matrices/plan-playback.ts';
import { planPlaybackClip } from '../../../src/playback/matrices/plan-playback-clip.ts';
import { createPlaybackWork, playMatrices } from '../../../src/playback/matrices/play-matrices.ts';
import { bytesPerCall } from '../../allocation/bytes-per-call.ts';
import { largest, law } from '../../laws/law.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { BOXED_NUMBER, PLAYBACK } from '../../support/tolerances.ts';
import { matrixError, ownCase, type PlaybackCase } from './playback-cases.ts';

function errorAt({ plan, clip, size, expected }: PlaybackCase, time: number): number {
  const out = new Float32Array(MATRIX_STRIDE * (plan.resultCount + 1)).fill(7);
  playMatrices(clip, time, out, MATRIX_STRIDE, createPlaybackWork(plan));
  if (out[MATRIX_STRIDE - 1] !== 7) return Number.NaN;
  return matrixError(out.subarray(MATRIX_STRIDE), expected(time), size);
}

describe('playMatrices', () => {
  law('equals sampling, model matrices and skinning matrices at any time', PLAYBACK, (random) => {
    const one = ownCase(random);
    const { duration } = one.clip.compiled;
    return largest(...[0, 1, 2].map(() => errorAt(one, between(random, -0.1, duration + 0.1))));
  });

  it.runIf(IS_FULL_RUN)('allocates nothing', async () => {
    expect(await bytesPerCall(new URL('play-matrices.probe.ts', import.meta.url), BOXED_NUMBER)).toBeLessThan(
      BOXED_NUMBER,
    );
  });
});

describe('planPlayback', () => {
  const { skeleton } = makeCharacter();
  const joints = [5, 6];

  it('gives the reason for scales that are not uniform', () => {
    const rest = skeleton.rest.slice();
    rest[3 * 10 + 8] = 2;
    const planning = planPlayback({ ...skeleton, rest }, null);
    expect(planning).toEqual({ plan: null, reason: 'node 3 has a scale that is not uniform' });
  });

  it('gives the reason for bind matrices with shear, and for a node that is two joints', () => {
    const inverseBind = new Float64Array(32);
    for (const at of [0, 5, 10, 15, 16, 21, 26, 31]) inverseBind[at] = 1;
    expect(planPlayback(skeleton, { joints, inverseBind }).reason).toBeNull();
    inverseBind[20] = 0.3;
    const sheared = planPlayback(skeleton, { joints, inverseBind });
    expect(sheared.reason).toMatch(/^joint 1 has an inverse bind matrix that is not a rotation/);
    const twice = planPlayback(skeleton, { joints: [5, 5], inverseBind: null });
    expect(twice.reason).toBe('node 5 is two joints of the skin');
  });

  it('plans only the joints of the skin and the nodes above them', () => {
    const { plan } = planPlayback(skeleton, { joints, inverseBind: null });
    expect(plan?.resultCount).toBe(2);
    expect(plan?.nodes.length).toBeLessThan(skeleton.parents.length);
  });
});

describe('planPlaybackClip', () => {
  const { skeleton } = makeCharacter();
  const { plan } = planPlayback(skeleton, null);
  if (plan === null) throw new Error('The demo character has uniform scales.');
  const times = Float32Array.of(0, 1);
  const scaling = { target: 4, path: 'scale', interpolation: 'LINEAR', times } as const;

  it('gives the reason for animated scales, and for constant scales that differ from the rest pose', () => {
    const values = Float32Array.of(1, 1, 1, 2, 2, 2);
    const moving = compileClip(skeleton, { name: '', duration: 1, tracks: [{ ...scaling, values }] });
    expect(planPlaybackClip(plan, moving).reason).toBe('the clip animates the scale of node 4');
    const constant = { ...scaling, values: Float32Array.of(2, 2, 2, 2, 2, 2) };
    const still = compileClip(skeleton, { name: '', duration: 1, tracks: [constant] });
    expect(planPlaybackClip(plan, still).reason).toBe('the clip scales node 4 by 2, but its rest scale is 1');
  });

  it('gives the reason for a clip of another skeleton', () => {
    const other = { ...skeleton, parents: skeleton.parents.slice(0, 9), rest: skeleton.rest.slice(0, 90) };
    const compiled = compileClip(other, { name: '', duration: 0, tracks: [] });
    expect(planPlaybackClip(plan, compiled).reason).toMatch(/^the clip has 9 nodes, but the skeleton of the plan has/);
  });
});
