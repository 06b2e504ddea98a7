import { describe, expect, it } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import * as mat4 from '../../../src/core/math/mat4.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetPose } from '../../../src/core/retarget/retarget-pose.ts';
import { MATRIX_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import { between, makeRandom, pick, type Random } from '../../../src/demo/random.ts';
import { type CompiledClip, sampleCompiledClip } from '../../../src/playback/compiled-clip.ts';
import { Crowd } from '../../../src/playback/crowd/crowd.ts';
import { CROWD_ROWS, type CrowdPlan } from '../../../src/playback/crowd/crowd-plan.ts';
import { type CrowdModel, planCrowd } from '../../../src/playback/crowd/plan-crowd.ts';
import { bytesPerCall } from '../../allocation/bytes-per-call.ts';
import { largest, law } from '../../laws/law.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { randomSigns, reflect } from '../../support/make/change-rig.ts';
import { randomRig } from '../../support/make/random-rig.ts';
import { BOXED_NUMBER, CROWD_TIMES, CROWD_VERTEX } from '../../support/tolerances.ts';
import { compiledClip, matricesOf, randomSkin } from '../matrices/playback-cases.ts';

interface Case {
  readonly source: Humanoid;
  readonly models: readonly CrowdModel[];
  readonly plan: CrowdPlan;
  readonly clip: CompiledClip;
}

/** Creates a source with a clip and three models that can be in a crowd; with `reflects`, some of them have negative scales. */
function makeCase(random: Random, reflects = false): Case {
  const reflected = (rig: Humanoid): Humanoid =>
    reflects ? pick(random, [rig, reflect(rig, randomSigns(random, rig)).humanoid]) : rig;
  const source = reflected(randomRig(random).humanoid);
  const models = [1, 2, 3].map((): CrowdModel => {
    const humanoid = reflected(randomRig(random).humanoid);
    return { humanoid, skin: randomSkin(random, humanoid) };
  });
  const { plan, reason } = planCrowd(source, models);
  if (plan === null) throw new Error(reason);
  return { source, models, plan, clip: compiledClip(random, source) };
}

/** Returns the transform of a row of a character as a 4×4, from the deltas and translations or from the matrices of a crowd. */
function rowMatrix(crowd: Crowd, character: number, playhead: number, source: number, row: number): Float64Array {
  const out = new Float64Array(MATRIX_STRIDE);
  const at = CROWD_ROWS * character + row;
  if (crowd.matrices.length > 0) {
    for (let i = 0; i < 12; i++) out[4 * (i % 4) + Math.floor(i / 4)] = crowd.matrices[12 * at + i];
    out[15] = 1;
    return out;
  }
  out.set(
    crowd
      .deltas(source)
      .subarray(MATRIX_STRIDE * (CROWD_ROWS * playhead + row), MATRIX_STRIDE * (CROWD_ROWS * playhead + row) + 12),
  );
  out.set(crowd.translations.subarray(4 * at, 4 * at + 4), 12);
  return out;
}

/** Returns the greatest distance between the skinning matrices of a character and those of retargetPose, relative to its height. */
function characterError(
  one: Case,
  crowd: Crowd,
  character: number,
  model: number,
  playhead: number,
  time: number,
): number {
  const { source, models, plan, clip } = one;
  const { humanoid, skin } = models[model];
  const pose = new Float32Array(clip.base.length);
  sampleCompiledClip(clip, time, pose);
  const local = Float64Array.from(humanoid.skeleton.rest);
  retargetPose(planRetarget(source, humanoid, { twist: false }), pose, local);
  const expected = matricesOf(humanoid, local, skin);
  const { bindMatrices, jointRows, topology } = plan.targets[model];
  const { frame, metersPerUnit, ground } = humanoid;
  const canonical = new Float64Array(MATRIX_STRIDE);
  mat4.compose(canonical, 0, Float64Array.of(0, -ground, 0, ...frame, metersPerUnit, metersPerUnit, metersPerUnit), 0);
  const matrix = new Float64Array(MATRIX_STRIDE);
  let worst = 0;
  for (let joint = 0; joint < jointRows.length; joint++) {
    const rows = rowMatrix(crowd, character, playhead, plan.topologies[topology].source, jointRows[joint]);
    mat4.multiply(rows, 0, rows, 0, bindMatrices, MATRIX_STRIDE * joint);
    mat4.multiply(matrix, 0, canonical, 0, expected, MATRIX_STRIDE * joint);
    // Relative to the larger of height and distance, for characters far from the origin and meshes in other units.
    let size = humanoid.height;
    for (const value of matrix) size = Math.max(size, Math.abs(value));
    for (let i = 0; i < MATRIX_STRIDE; i++) worst = largest(worst, Math.abs(rows[i] - matrix[i]) / size);
  }
  return worst;
}

describe('Crowd', () => {
  law(
    'moves every joint of every model as retargetPose does, in the frames of the clip',
    CROWD_VERTEX,
    (random) => {
      const one = makeCase(random, true);
      const { frameRate, frameCount, duration } = one.clip;
      const crowd = new Crowd(one.plan, { capacity: 7, playheads: 2, matrices: random() < 0.5 });
      const phases = [0, 1].map(() =>
        Math.min(Math.floor(between(random, 0, frameCount - 1)) / frameRate, 0.999 * duration),
      );
      const heads = phases.map((time) => crowd.addPlayhead(one.clip, { time }));
      const characters = Array.from({ length: 7 }, (_, k) => ({ model: k % 3, head: k % 2 }));
      const indices = characters.map(({ model, head }) => crowd.add(model, heads[head]));
      crowd.update(0);
      return largest(
        ...characters.map(({ model, head }, k) =>
          characterError(one, crowd, indices[k], model, heads[head].index, heads[head].time),
        ),
      );
    },
    200,
  );

  it('keeps characters in place while others leave and enter, and updates all of them', () => {
    const one = makeCase(makeRandom(4));
    const crowd = new Crowd(one.plan, { capacity: 40, playheads: 3 });
    const heads = [0, 0.2, 0.4].map((time) => crowd.addPlayhead(one.clip, { time, speed: 0.5 }));
    const random = makeRandom(9);
    const alive = new Map<number, { model: number; head: number }>();
    for (let round = 0; round < 60; round++) {
      if (alive.size > 20 && random() < 0.5) {
        const [character] = alive.keys();
        crowd.remove(character);
        alive.delete(character);
      } else if (alive.size < 40) {
        const [model, head] = [Math.floor(3 * random()), Math.floor(3 * random())];
        alive.set(crowd.add(model, heads[head]), { model, head });
      }
      const [first] = alive.keys();
      const other = Math.floor(3 * random());
      crowd.setPlayhead(first, heads[other]);
      (alive.get(first) as { head: number }).head = other;
      crowd.update(0.01);
      expect(crowd.size).toBe(alive.size);
    }
    const twin = new Crowd(one.plan, { capacity: 40, playheads: 3 });
    const twinHeads = heads.map(({ time }) => twin.addPlayhead(one.clip, { time }));
    for (const [character, { model, head }] of alive) {
      const index = twin.add(model, twinHeads[head]);
      twin.update(0);
      const rows = (crowdOf: Crowd, at: number): Float32Array =>
        crowdOf.translations.subarray(4 * CROWD_ROWS * at, 4 * CROWD_ROWS * (at + 1));
      const [actual, expected] = [rows(crowd, character), rows(twin, index)];
      const size = Math.max(...expected.map(Math.abs));
      for (let i = 0; i < actual.length; i++)
        expect(Math.abs(actual[i] - expected[i])).toBeLessThan(CROWD_TIMES * size);
    }
  });

  it('updates playheads with an interval in every n-th update, and at once where a character enters', () => {
    const one = makeCase(makeRandom(5));
    const crowd = new Crowd(one.plan, { capacity: 4 });
    const near = crowd.addPlayhead(one.clip);
    const far = crowd.addPlayhead(one.clip, { interval: 4 });
    const [a, b] = [crowd.add(0, near), crowd.add(0, far)];
    const shown = (character: number): string =>
      crowd.translations.subarray(4 * CROWD_ROWS * character, 4 * CROWD_ROWS * (character + 1)).join();
    crowd.update(0.01);
    const changes = { near: 0, far: 0 };
    for (let round = 0; round < 8; round++) {
      const [before, farBefore] = [shown(a), shown(b)];
      crowd.update(0.01);
      changes.near += Number(shown(a) !== before);
      changes.far += Number(shown(b) !== farBefore);
    }
    expect(changes).toEqual({ near: 8, far: 2 });
    const c = crowd.add(0, far);
    crowd.update(0.01);
    expect(shown(c)).toBe(shown(b));
  });

  it('plays another clip after setClip, and wraps at its end', () => {
    const one = makeCase(makeRandom(6));
    const other = compiledClip(makeRandom(7), one.source);
    const crowd = new Crowd(one.plan, { capacity: 1 });
    const head = crowd.addPlayhead(one.clip);
    const character = crowd.add(1, head);
    crowd.setClip(head, other, other.duration - 0.1);
    crowd.removeClip(one.clip);
    crowd.update(0.1 + 1 / 30);
    expect(head.time).toBeCloseTo(1 / 30, 6);
    expect(characterError({ ...one, clip: other }, crowd, character, 1, head.index, head.time)).toBeLessThan(
      CROWD_VERTEX,
    );
  });

  it('throws for what it does not have', () => {
    const one = makeCase(makeRandom(6));
    const crowd = new Crowd(one.plan, { capacity: 1, playheads: 1 });
    const head = crowd.addPlayhead(one.clip);
    expect(() => crowd.addPlayhead(one.clip)).toThrow('The crowd has 1 playheads, all in use.');
    expect(() => crowd.add(3, head)).toThrow('The model is 3; expected 0 to 2.');
    const character = crowd.add(0, head);
    expect(() => crowd.add(0, head)).toThrow('The crowd has 1 characters and is full.');
    expect(() => crowd.removePlayhead(head)).toThrow('The playhead has 1 characters.');
    expect(() => crowd.removeClip(one.clip)).toThrow(/^A playhead plays the clip/);
    crowd.remove(character);
    expect(() => crowd.remove(character)).toThrow(`The crowd has no character ${character}.`);
    crowd.removePlayhead(head);
    expect(() => crowd.add(0, head)).toThrow('The crowd has no playhead 0.');
  });

  it.runIf(IS_FULL_RUN)('allocates nothing per update', async () => {
    expect(await bytesPerCall(new URL('crowd.probe.ts', import.meta.url), BOXED_NUMBER)).toBeLessThan(BOXED_NUMBER);
  });
});

describe('planCrowd', () => {
  it('shares topologies and sources, and names what keeps a model out of a crowd', () => {
    const source = randomRig(makeRandom(1), { bones: 'all' }).humanoid;
    const model = (seed: number): CrowdModel => {
      const { humanoid } = randomRig(makeRandom(seed), { bones: 'all', others: false, detached: false });
      return { humanoid, skin: null };
    };
    const { plan } = planCrowd(source, [model(2), model(3), model(4)]);
    expect([plan?.sources.length, plan?.topologies.length, plan?.targets.length]).toEqual([1, 1, 3]);
    const { humanoid } = model(5);
    const { skeleton } = humanoid;
    const chest = humanoid.map.nodes[BONE.chest];
    const rest = skeleton.rest.slice();
    rest[10 * chest + 9] *= 1.5;
    const stretched = { humanoid: { ...humanoid, skeleton: { ...skeleton, rest } }, skin: null };
    expect(planCrowd(source, [model(2), stretched]).reason).toMatch(
      /^model 1: node \d+ ".*" has the scale \(.*\), which is not uniform, above the bone \w+$/,
    );
  });

  it('has one bind matrix for skins that were bound in the reference pose', () => {
    const source = randomRig(makeRandom(1)).humanoid;
    const { humanoid } = randomRig(makeRandom(2), { detached: false, restIsReference: true, others: false });
    const { parents, rest } = humanoid.skeleton;
    const model = matricesOf(humanoid, Float64Array.from(rest), null);
    const inverseBind = new Float64Array(model.length);
    for (let node = 0; node < parents.length; node++) mat4.invertAffine(inverseBind, 16 * node, model, 16 * node);
    const skin = { joints: [...parents.keys()], inverseBind };
    const { plan } = planCrowd(source, [{ humanoid, skin }]);
    expect(plan?.targets[0].bindMatrix).not.toBeNull();
    inverseBind[12] += (0.1 * humanoid.height) / humanoid.metersPerUnit;
    expect(planCrowd(source, [{ humanoid, skin }]).plan?.targets[0].bindMatrix).toBeNull();
  });
});
