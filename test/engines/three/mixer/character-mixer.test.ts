import {
  AnimationClip,
  AnimationMixer,
  type Bone,
  BoxGeometry,
  LoopOnce,
  LoopPingPong,
  Mesh,
  NumberKeyframeTrack,
  type Object3D,
  Quaternion,
  Vector3,
  VectorKeyframeTrack,
} from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { CharacterMixer, createCharacterRig, createHumanoid } from '../../../../src/engines/three/index.ts';
import { retargetAnimationClip } from '../../../../src/engines/three/retarget-animation-clip.ts';
import { createPlaybackMemory, type PlaybackMemory } from '../../../../src/playback/kernel/playback-memory.ts';
import { bytesPerCall } from '../../../allocation/bytes-per-call.ts';
import { IS_FULL_RUN } from '../../../support/law-runs.ts';
import { demoBytes } from '../../../support/make/demo-files.ts';
import { NO_ALLOCATION, PLAYBACK_VERTICES, PLAYED_VERTICES } from '../../../support/tolerances.ts';
import { type Loaded, loadBytes } from '../scenes.ts';
import { frameTimesOf, instanceOf, prepareFrame, skinnedMeshes, vertexDistance, worldVertices } from './instances.ts';

const demo = (name: string): Promise<Loaded> => loadBytes(name, demoBytes(name));

let kernelMemory: PlaybackMemory;
let model: Object3D;
let walk: AnimationClip;
beforeAll(async () => {
  kernelMemory = (await createPlaybackMemory()) as PlaybackMemory;
  const source = await demo('walk.glb');
  model = (await demo('unreal.glb')).root;
  walk = retargetAnimationClip(source.animations[0], source.root, model).clip;
});

/** What angleTo gives for the same float32 rotations. */
const ACOS = 2e-3;

/** Compares a mixer with AnimationMixer at frames of the walk. */
function compare(mixer: CharacterMixer, ours: Object3D, theirs: Object3D, clip: AnimationClip, step = 12): number {
  const other = new AnimationMixer(theirs);
  mixer.clipAction(clip).play();
  other.clipAction(clip).play();
  let most = 0;
  for (const time of frameTimesOf(clip, step)) {
    mixer.setTime(time);
    other.setTime(time);
    prepareFrame(ours);
    prepareFrame(theirs);
    most = Math.max(most, vertexDistance(worldVertices(ours), worldVertices(theirs)));
  }
  return most;
}

describe('CharacterMixer', () => {
  it.each(['unreal.glb', 'mixamo.glb', 'child.vrm', 'odd-axes.glb', 'chibi.vrm'])(
    '%s: shows the vertices of AnimationMixer, with the kernel and without',
    async (name) => {
      const source = await demo('walk.glb');
      const { root } = await demo(name);
      const hero = createHumanoid(root);
      const { clip } = retargetAnimationClip(source.animations[0], source.root, hero);
      for (const memory of [null, kernelMemory]) {
        const [ours, theirs] = [instanceOf(root), instanceOf(root)];
        const rig = createCharacterRig(root, memory === null ? {} : { memory });
        const off = compare(new CharacterMixer(ours, rig), ours, theirs, clip);
        expect(off / hero.humanoid.height).toBeLessThan(PLAYBACK_VERTICES);
      }
    },
  );

  it('follows the transform of the root, also when it moves after the update', () => {
    const ours = instanceOf(model);
    const mixer = new CharacterMixer(ours);
    mixer.clipAction(walk).play();
    mixer.update(0.4);
    prepareFrame(ours);
    const before = worldVertices(ours);
    ours.position.set(3, 1, -2);
    prepareFrame(ours);
    const moved = worldVertices(ours).map((value, k) => value - [3, 1, -2][k % 3]);
    expect(vertexDistance(before, moved)).toBeLessThan(PLAYBACK_VERTICES);
  });

  it('fades as AnimationMixer, with its events', () => {
    const [ours, theirs] = [instanceOf(model), instanceOf(model)];
    const [mixer, other] = [new CharacterMixer(ours), new AnimationMixer(theirs)];
    const fast = walk.clone();
    const events: string[] = [];
    const eventsInThree: string[] = [];
    mixer.addEventListener('loop', ({ loopDelta }) => events.push(`loop ${loopDelta}`));
    mixer.addEventListener('finished', ({ direction }) => events.push(`finished ${direction}`));
    other.addEventListener('loop', ({ loopDelta }) => eventsInThree.push(`loop ${loopDelta}`));
    other.addEventListener('finished', ({ direction }) => eventsInThree.push(`finished ${direction}`));
    const pairs = [mixer.clipAction(walk), mixer.clipAction(fast)] as const;
    const others = [other.clipAction(walk), other.clipAction(fast)] as const;
    pairs[0].play();
    others[0].play();
    pairs[1].setLoop(LoopOnce, 1).setEffectiveTimeScale(1.5).play();
    others[1].setLoop(LoopOnce, 1).setEffectiveTimeScale(1.5).play();
    pairs[1].crossFadeFrom(pairs[0], 0.8, false);
    others[1].crossFadeFrom(others[0], 0.8, false);
    for (let frame = 0; frame < 40; frame++) {
      mixer.update(0.1);
      other.update(0.1);
      prepareFrame(ours);
      prepareFrame(theirs);
      expect(vertexDistance(worldVertices(ours), worldVertices(theirs))).toBeLessThan(PLAYED_VERTICES);
    }
    expect(events).toEqual(eventsInThree);
    expect(events.length).toBeGreaterThan(0);
  });

  it('actions have the methods of AnimationAction', () => {
    const ours = instanceOf(model);
    const mixer = new CharacterMixer(ours);
    expect(mixer.existingAction(walk)).toBeNull();
    const action = mixer.clipAction(walk).setLoop(LoopPingPong, 2);
    expect([action.loop, action.loopMode, action.getClip(), action.getMixer(), action.getRoot()]).toEqual([
      LoopPingPong,
      'pingPong',
      walk,
      mixer,
      ours,
    ]);
    expect(mixer.clipAction(walk)).toBe(action);
    expect([action.isScheduled(), action.isRunning()]).toEqual([false, false]);
    action.loop = LoopOnce;
    action.play();
    expect([action.loopMode, action.isScheduled(), action.isRunning()]).toEqual(['once', true, true]);
    mixer.update(0.1);
    expect([action.getEffectiveWeight(), action.getEffectiveTimeScale(), mixer.time]).toEqual([1, 1, 0.1]);
    mixer.stopAllAction();
    expect(action.isScheduled()).toBe(false);
    expect(mixer.existingAction(walk)).toBe(action);
  });

  it('moves objects below bones with them', () => {
    const make = (): { root: Object3D; sword: Object3D } => {
      const root = instanceOf(model);
      const sword = new Mesh(new BoxGeometry());
      (root.getObjectByName('hand_r') as Bone).add(sword);
      sword.position.set(0.1, 0.2, 0.3);
      return { root, sword };
    };
    const [ours, theirs] = [make(), make()];
    expect(compare(new CharacterMixer(ours.root), ours.root, theirs.root, walk)).toBeLessThan(PLAYBACK_VERTICES);
    const [a, b] = [ours.sword, theirs.sword].map((sword) => sword.localToWorld(new Vector3(0, 0, 1)));
    expect(a.distanceTo(b)).toBeLessThan(PLAYBACK_VERTICES);
    expect(a.distanceTo(new Vector3())).toBeGreaterThan(0.1);
  });

  it('plays morph targets and transforms of objects that are not bones', () => {
    const make = (): { root: Object3D; mesh: Mesh; lamp: Object3D } => {
      const root = instanceOf(model);
      const [mesh] = skinnedMeshes(root);
      mesh.name = 'face';
      mesh.morphTargetInfluences = [0];
      mesh.morphTargetDictionary = { smile: 0 };
      const lamp = new Mesh(new BoxGeometry());
      lamp.name = 'lamp';
      return { root: root.add(lamp), mesh, lamp };
    };
    const clip = new AnimationClip('smile', 1, [
      ...walk.tracks,
      new NumberKeyframeTrack('face.morphTargetInfluences[0]', [0, 1], [0, 1]),
      new VectorKeyframeTrack('lamp.position', [0, 1], [0, 0, 0, 1, 2, 3]),
    ]);
    const { root, mesh, lamp } = make();
    const mixer = new CharacterMixer(root);
    mixer.clipAction(clip).play();
    mixer.update(0.5);
    expect(mesh.morphTargetInfluences?.[0]).toBeCloseTo(0.5, 6);
    expect(lamp.position.distanceTo(new Vector3(0.5, 1, 1.5))).toBeLessThan(1e-5);
    const other = make();
    expect(compare(new CharacterMixer(other.root), other.root, make().root, clip)).toBeLessThan(PLAYBACK_VERTICES);
  });

  it('computes bounds and hits from the shown pose', () => {
    const [ours, theirs] = [instanceOf(model), instanceOf(model)];
    const mixer = new CharacterMixer(ours);
    ours.position.set(5, 0, 0);
    theirs.position.set(5, 0, 0);
    compare(mixer, ours, theirs, walk);
    const [a, b] = [ours, theirs].map((root) => {
      const [mesh] = skinnedMeshes(root);
      mesh.computeBoundingSphere();
      return mesh.boundingSphere!;
    });
    expect(a.center.distanceTo(b.center)).toBeLessThan(PLAYBACK_VERTICES);
    expect(Math.abs(a.radius - b.radius)).toBeLessThan(PLAYBACK_VERTICES);
  });

  it('gives the bones back, in the pose that applyToBones writes', () => {
    const [ours, theirs] = [instanceOf(model), instanceOf(model)];
    const mixer = new CharacterMixer(ours);
    compare(mixer, ours, theirs, walk);
    mixer.applyToBones();
    mixer.dispose();
    ours.updateMatrixWorld(true);
    prepareFrame(ours);
    expect(vertexDistance(worldVertices(ours), worldVertices(theirs))).toBeLessThan(PLAYBACK_VERTICES);
    const [mesh] = skinnedMeshes(ours);
    expect([Object.hasOwn(mesh.skeleton, 'update'), Object.hasOwn(mesh, 'applyBoneTransform')]).toEqual([false, false]);
  });

  it('moves the root by root motion: root and pose together are the clip', () => {
    const [ours, theirs] = [instanceOf(model), instanceOf(model)];
    const rig = createCharacterRig(model);
    const mixer = new CharacterMixer(ours, rig);
    mixer.clipAction(walk, { rootMotion: createHumanoid(model) }).play();
    const other = new AnimationMixer(theirs);
    other.clipAction(walk).play();
    for (let frame = 0; frame < 20; frame++) {
      mixer.update(1 / 30);
      other.update(1 / 30);
    }
    prepareFrame(ours);
    prepareFrame(theirs);
    expect(ours.position.length()).toBeGreaterThan(0.3);
    expect(ours.quaternion.angleTo(new Quaternion())).toBeLessThan(0.5);
    expect(vertexDistance(worldVertices(ours), worldVertices(theirs))).toBeLessThan(PLAYED_VERTICES);
  });

  it.each([0, 1, 10])(
    'moves by the walk below a masked clip of weight %s, beside it or in a layer above',
    async (weight) => {
      const hero = createHumanoid(model);
      const wave = retargetAnimationClip(
        (await demo('turn.bvh')).animations[0],
        (await demo('turn.bvh')).root,
        hero,
      ).clip;
      const play = (layer: number | null, rootMotion: boolean): Object3D => {
        const root = instanceOf(model);
        const mixer = new CharacterMixer(root);
        const humanoid = createHumanoid(root);
        mixer.clipAction(walk, { rootMotion: humanoid }).play();
        if (layer !== null) {
          const action = mixer.clipAction(wave, rootMotion ? { rootMotion: humanoid } : {}).play();
          action.setEffectiveWeight(weight).layer = layer;
          action.mask = mixer.createBoneMask(humanoid, { spine: 1 });
        }
        for (let frame = 0; frame < 60; frame++) mixer.update(1 / 60);
        return root;
      };
      const alone = play(null, false);
      expect(alone.position.length()).toBeGreaterThan(0.5);
      for (const layer of [0, 1]) {
        for (const rootMotion of [false, true]) {
          const { position, quaternion } = play(layer, rootMotion);
          expect(position.distanceTo(alone.position)).toBeLessThan(1e-9);
          expect(quaternion.angleTo(alone.quaternion)).toBeLessThan(1e-7);
        }
      }
    },
  );

  it('a layer replaces the upper body and keeps the legs', async () => {
    const hero = createHumanoid(model);
    const wave = retargetAnimationClip(
      (await demo('turn.bvh')).animations[0],
      (await demo('turn.bvh')).root,
      hero,
    ).clip;
    const rotationsOf = (plays: readonly ('walk' | 'wave')[]): ((name: string) => Quaternion) => {
      const root = instanceOf(model);
      const mixer = new CharacterMixer(root);
      if (plays.includes('walk')) mixer.clipAction(walk).play();
      if (plays.includes('wave')) {
        const action = mixer.clipAction(wave).play();
        action.layer = 1;
        if (plays.includes('walk')) action.mask = mixer.createBoneMask(createHumanoid(root), { spine: 1 });
      }
      mixer.update(0.3);
      mixer.applyToBones();
      return (name) => (root.getObjectByName(name) as Object3D).quaternion;
    };
    const [walking, waving, both] = [rotationsOf(['walk']), rotationsOf(['wave']), rotationsOf(['walk', 'wave'])];
    for (const name of ['pelvis', 'thigh_l', 'calf_r']) expect(both(name).angleTo(walking(name))).toBeLessThan(ACOS);
    for (const name of ['spine_01', 'upperarm_l', 'hand_r', 'head']) {
      expect(both(name).angleTo(waving(name))).toBeLessThan(ACOS);
    }
    expect(waving('upperarm_l').angleTo(walking('upperarm_l'))).toBeGreaterThan(10 * ACOS);
  });

  it('root motion goes with the rotation and the scale of the root, also a negative one', () => {
    const path = (scale: Vector3): Vector3[] => {
      const root = instanceOf(model);
      root.scale.copy(scale);
      root.quaternion.setFromAxisAngle(new Vector3(0, 1, 0), 1);
      const start = root.clone(false);
      start.updateMatrixWorld();
      const mixer = new CharacterMixer(root);
      mixer.clipAction(walk, { rootMotion: createHumanoid(root) }).play();
      mixer.update(0.5);
      root.updateMatrixWorld();
      // The motion in the axes of the root at its start.
      return [
        [0, 0, 0],
        [0, 0, 1],
        [1, 0, 0],
      ].map((point) => start.worldToLocal(root.localToWorld(new Vector3(...point))));
    };
    const plain = path(new Vector3(1, 1, 1));
    for (const scale of [
      [2, 2, 2],
      [1, 1, -1],
      [-3, 3, 3],
      [-1, -1, -1],
    ]) {
      const moved = path(new Vector3(...scale));
      for (const [k, point] of moved.entries()) expect(point.distanceTo(plain[k])).toBeLessThan(1e-6);
    }
  });

  it('throws for a mask of other nodes, and for the humanoid of another model', async () => {
    const mixer = new CharacterMixer(instanceOf(model));
    const other = createHumanoid((await demo('mixamo.glb')).root);
    expect(() => mixer.createBoneMask(other, { spine: 1 })).toThrow(/are not in this character/);
    expect(() => mixer.clipAction(walk, { rootMotion: other })).toThrow(/are not in this character/);
    const action = mixer.clipAction(walk);
    expect(() => {
      action.mask = new Float32Array(3);
    }).toThrow(/^The mask has 3 weights, but the character has \d+ nodes/);
  });

  it('throws for an instance of another model', async () => {
    const rig = createCharacterRig(model);
    const { root } = await demo('mixamo.glb');
    expect(() => new CharacterMixer(root, rig)).toThrow(/Pass a clone of that model/);
  });

  it.runIf(IS_FULL_RUN).each(['kernel', 'script'])(
    'allocates nothing in a frame (%s)',
    async (path) => {
      const probe = new URL(`character-mixer-${path}.probe.ts`, import.meta.url);
      expect(await bytesPerCall(probe)).toBeLessThan(NO_ALLOCATION);
    },
    30_000,
  );
});
