import {
  Animation,
  AnimationGroup,
  Bone,
  LoadAssetContainerAsync,
  Matrix,
  type Mesh,
  MeshBuilder,
  type NullEngine,
  Quaternion,
  type Scene,
  Skeleton,
  TransformNode,
  Vector3,
  VertexBuffer,
} from '@babylonjs/core';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  BabylonMixer,
  createCharacterRig,
  createHumanoid,
  retargetAnimationGroup,
} from '../../../../src/engines/babylon/index.ts';
import { readScene } from '../../../../src/engines/babylon/read-scene.ts';
import { createPlaybackMemory, type PlaybackMemory } from '../../../../src/playback/kernel/playback-memory.ts';
import { bytesPerCall } from '../../../allocation/bytes-per-call.ts';
import { IS_FULL_RUN, sampledCases } from '../../../support/law-runs.ts';
import { demoBytes } from '../../../support/make/demo-files.ts';
import { NO_ALLOCATION, PLAYBACK_VERTICES, PLAYED_VERTICES } from '../../../support/tolerances.ts';
import { emptyScene, type Loaded, loadGlb, show } from '../scenes.ts';

let kernelMemory: PlaybackMemory;
beforeAll(async () => {
  kernelMemory = (await createPlaybackMemory()) as PlaybackMemory;
});

/** Skinned meshes of a model. */
function skinned(root: TransformNode): Mesh[] {
  return root.getChildMeshes(false).filter(({ skeleton }) => skeleton !== null) as Mesh[];
}

/** World positions of every `step`-th vertex, as Babylon.js computes them from the transform matrices. */
function worldVertices(root: TransformNode, step = 37): Vector3[] {
  const out: Vector3[] = [];
  for (const node of root.getChildTransformNodes(false)) node.computeWorldMatrix(true);
  for (const mesh of skinned(root)) {
    mesh.skeleton?.prepare(true);
    const positions = mesh.getPositionData(true, false) as Float32Array;
    const world = mesh.computeWorldMatrix(true);
    for (let at = 0; at < positions.length; at += 3 * step) {
      out.push(Vector3.TransformCoordinates(Vector3.FromArray(positions, at), world));
    }
  }
  return out;
}

function distance(a: readonly Vector3[], b: readonly Vector3[]): number {
  if (a.length !== b.length || a.length === 0) throw new Error(`${a.length} vertices are compared with ${b.length}`);
  return Math.max(...a.map((one, k) => Vector3.Distance(one, b[k])));
}

/** Two copies of a model in one scene, and the walk for both. */
async function pair(name: string, scene: Scene = emptyScene()) {
  const walk = await loadGlb(demoBytes('walk.glb'), scene);
  const [ours, theirs] = [await loadGlb(demoBytes(name), scene), await loadGlb(demoBytes(name), scene)];
  const groups = [ours, theirs].map(({ root }) => retargetAnimationGroup(walk.groups[0], walk.root, root).group);
  return { scene, ours, theirs, group: groups[0], theirGroup: groups[1] };
}

describe('BabylonMixer of Babylon.js', () => {
  it.each(sampledCases(['unreal.glb', 'mixamo.glb', 'child.vrm', 'odd-axes.glb'], 3))(
    '%s: shows the vertices of the AnimationGroup, with the kernel and without, and gives the skeletons back',
    async (name) => {
      const { ours, theirs, group, theirGroup } = await pair(name);
      const { humanoid } = createHumanoid(ours.root);
      const height = humanoid.height / humanoid.metersPerUnit;
      const parents = skinned(ours.root).map(({ parent }) => parent);
      for (const memory of [null, kernelMemory]) {
        const mixer = new BabylonMixer(ours.root, createCharacterRig(ours.root, memory === null ? {} : { memory }));
        const animation = mixer.animation(group).start(true);
        for (const time of [0, 0.2, 0.5]) {
          animation.goToFrame(group.from + time * 60);
          mixer.update(0);
          show(theirGroup, time);
          expect(distance(worldVertices(ours.root), worldVertices(theirs.root)) / height).toBeLessThan(
            PLAYBACK_VERTICES,
          );
        }
        mixer.applyToBones();
        mixer.dispose();
        expect(distance(worldVertices(ours.root), worldVertices(theirs.root)) / height).toBeLessThan(PLAYBACK_VERTICES);
        expect(skinned(ours.root).map(({ parent }) => parent)).toEqual(parents);
      }
    },
  );

  it('notifies the observables of AnimationGroup', async () => {
    const { ours, group } = await pair('mixamo.glb');
    const mixer = new BabylonMixer(ours.root);
    const animation = mixer.animation(group);
    const events: string[] = [];
    animation.onAnimationGroupPlayObservable.add(() => events.push('play'));
    animation.onAnimationGroupPauseObservable.add(() => events.push('pause'));
    animation.onAnimationGroupLoopObservable.add(() => events.push('loop'));
    animation.onAnimationGroupEndObservable.add(({ name }) => events.push(`end ${name === group.name}`));
    expect(mixer.animation(group)).toBe(animation);
    animation.start(true, 1.5);
    expect([animation.isStarted, animation.isPlaying, animation.speedRatio]).toEqual([true, true, 1.5]);
    mixer.update(animation.getLength());
    animation.pause();
    expect([animation.isStarted, animation.isPlaying]).toEqual([true, false]);
    const frame = animation.getCurrentFrame();
    mixer.update(1);
    expect(animation.getCurrentFrame()).toBeCloseTo(frame, 3);
    animation.play().stop();
    animation.start(false);
    mixer.update(2 * animation.getLength());
    expect(animation.isStarted).toBe(false);
    expect(events).toEqual(['play', 'loop', 'pause', 'play', 'end true', 'play', 'end true']);
  });

  it('keeps the last pose after the end and after a stop', async () => {
    const { ours, theirs, group, theirGroup } = await pair('mixamo.glb');
    const mixer = new BabylonMixer(ours.root);
    const animation = mixer.animation(group).start(false);
    mixer.update(2 * animation.getLength());
    show(theirGroup, animation.getLength());
    const last = worldVertices(theirs.root);
    expect(distance(worldVertices(ours.root), last)).toBeLessThan(PLAYED_VERTICES);
    animation.stop();
    mixer.update(0.1);
    expect(distance(worldVertices(ours.root), last)).toBeLessThan(PLAYED_VERTICES);
  });

  it('moves objects that are parented to nodes of bones', async () => {
    const { ours, theirs, group, theirGroup } = await pair('unreal.glb');
    const swords = [ours, theirs].map(({ root, scene }) => {
      const sword = MeshBuilder.CreateBox('sword', { size: 0.1 }, scene);
      sword.parent = root.getChildTransformNodes(false).find(({ name }) => name === 'hand_r') ?? null;
      sword.position.set(0.1, 0.2, 0.3);
      return sword;
    });
    const mixer = new BabylonMixer(ours.root);
    mixer.animation(group).start(true).goToFrame(20);
    mixer.update(0);
    show(theirGroup, 20 / 60);
    worldVertices(ours.root);
    worldVertices(theirs.root);
    const [a, b] = swords.map((sword) => sword.computeWorldMatrix(true).getTranslation());
    expect(Vector3.Distance(a, b)).toBeLessThan(PLAYBACK_VERTICES);
    expect(a.length()).toBeGreaterThan(0.5);
  });

  it('cross-fades from one animation to another', async () => {
    const { ours, theirs, group, theirGroup } = await pair('mixamo.glb');
    const mixer = new BabylonMixer(ours.root);
    const [still, walk] = [group, group.clone('walk')].map((one) => mixer.animation(one));
    still.start(true).pause();
    walk.start(true);
    still.crossFadeTo(walk, 0.5);
    const distances = [0.1, 0.2, 0.3].map((seconds) => {
      mixer.update(seconds);
      show(theirGroup, walk.getCurrentFrame() / 60);
      return distance(worldVertices(ours.root), worldVertices(theirs.root));
    });
    expect([still.input.weight, walk.input.weight]).toEqual([0, 1]);
    expect(distances[0]).toBeGreaterThan(0.05);
    expect(distances[2]).toBeLessThan(PLAYED_VERTICES);
  });

  it.each([false, true])(
    'moves the root by root motion: root and pose together are the group (right-handed scene: %s)',
    async (isRightHanded) => {
      const scene = emptyScene();
      scene.useRightHandedSystem = isRightHanded;
      const { ours, theirs, group, theirGroup } = await pair('unreal.glb', scene);
      const hero = createHumanoid(ours.root);
      const mixer = new BabylonMixer(ours.root);
      const animation = mixer.animation(group, { rootMotion: hero }).start(true);
      expect(mixer.animation(group, { rootMotion: hero })).toBe(animation);
      const before = ours.root.position.clone();
      for (let frame = 0; frame < 20; frame++) mixer.update(1 / 30);
      show(theirGroup, 20 / 30);
      expect(Vector3.Distance(ours.root.position, before)).toBeGreaterThan(0.3);
      expect(distance(worldVertices(ours.root), worldVertices(theirs.root))).toBeLessThan(PLAYED_VERTICES);
    },
  );

  it.each(sampledCases([1, 0, 10]))(
    'moves by the walk below a masked animation of weight %s, beside it or in a layer above',
    async (weight) => {
      const play = async (layer: number | null, isMoved: boolean): Promise<Vector3> => {
        const { ours, group } = await pair('unreal.glb');
        const hero = createHumanoid(ours.root);
        const mixer = new BabylonMixer(ours.root);
        mixer.animation(group, { rootMotion: hero }).start(true);
        if (layer !== null) {
          const wave = mixer.animation(group.clone('wave'), isMoved ? { rootMotion: hero } : {}).start(true, 0.3);
          wave.setEffectiveWeight(weight).layer = layer;
          wave.mask = mixer.createBoneMask(hero, { spine: 1 });
        }
        for (let frame = 0; frame < 60; frame++) mixer.update(1 / 60);
        return ours.root.position;
      };
      const alone = await play(null, false);
      expect(alone.length()).toBeGreaterThan(0.5);
      expect(Vector3.Distance(await play(0, false), alone)).toBeLessThan(1e-9);
      expect(Vector3.Distance(await play(1, true), alone)).toBeLessThan(1e-9);
    },
  );

  it('throws for the humanoid of another model', async () => {
    const { ours, theirs, group } = await pair('unreal.glb');
    const mixer = new BabylonMixer(ours.root);
    const other = createHumanoid(theirs.root);
    expect(() => mixer.createBoneMask(other, { spine: 1 })).toThrow(/are not in this character/);
    expect(() => mixer.animation(group, { rootMotion: other })).toThrow(/are not in this character/);
  });

  it('writes nothing for a character that Babylon.js does not draw, and once per frame for one that it draws', async () => {
    const { ours, group } = await pair('mixamo.glb');
    const mixer = new BabylonMixer(ours.root);
    mixer.animation(group).start(true);
    const [mesh] = skinned(ours.root);
    const matrices = mesh.skeleton!.getTransformMatrices(mesh) as Float32Array;
    const before = matrices.slice();
    mixer.update(0.3);
    expect(matrices).toEqual(before);
    (ours.scene.getEngine() as NullEngine).beginFrame();
    ours.scene.incrementRenderId();
    mesh.skeleton!.prepare();
    expect(matrices).not.toEqual(before);
  });

  it('animates instances of a model with its rig and its groups', async () => {
    const { scene, theirs, theirGroup } = await pair('mixamo.glb');
    const container = await LoadAssetContainerAsync(new Uint8Array(demoBytes('mixamo.glb')), scene, {
      pluginExtension: '.glb',
    });
    const model = container.rootNodes[0] as TransformNode;
    const walk = await loadGlb(demoBytes('walk.glb'), scene);
    const { group } = retargetAnimationGroup(walk.groups[0], walk.root, model);
    const rig = createCharacterRig(model, { memory: kernelMemory });
    const [near, far] = [0, 5].map((x) => {
      const root = container.instantiateModelsToScene(undefined, false, { doNotInstantiate: true })
        .rootNodes[0] as TransformNode;
      root.position.x = x;
      const mixer = new BabylonMixer(root, rig);
      mixer
        .animation(group)
        .start(true)
        .goToFrame(group.from + 24);
      mixer.update(0);
      return worldVertices(root);
    });
    show(theirGroup, 24 / 60);
    const expected = worldVertices(theirs.root);
    expect(distance(near, expected)).toBeLessThan(PLAYBACK_VERTICES);
    const moved = far.map((point) => point.subtract(new Vector3(5, 0, 0)));
    expect(distance(moved, expected)).toBeLessThan(PLAYBACK_VERTICES);
  });

  it('animates left-handed nodes', () => {
    const scene = emptyScene();
    const make = (): { root: TransformNode; group: AnimationGroup } => {
      const root = new TransformNode('native', scene);
      const [shoulder, elbow] = ['shoulder', 'elbow'].map((name) => new TransformNode(name, scene));
      shoulder.parent = root;
      elbow.parent = shoulder;
      elbow.position.set(0, 1, 0.5);
      const skeleton = new Skeleton('arm', 'arm', scene);
      const top = new Bone('shoulder', skeleton, null, Matrix.Identity());
      const below = new Bone('elbow', skeleton, top, Matrix.Translation(0, 1, 0.5));
      top.linkTransformNode(shoulder);
      below.linkTransformNode(elbow);
      const mesh = MeshBuilder.CreateBox('mesh', { size: 3, updatable: true }, scene);
      const count = mesh.getTotalVertices();
      mesh.setVerticesData(
        VertexBuffer.MatricesIndicesKind,
        Array.from({ length: 4 * count }, (_, k) => k % 2),
      );
      const weights = Array.from({ length: 4 * count }, (_, k) => [0.25, 0.75, 0, 0][k % 4]);
      mesh.setVerticesData(VertexBuffer.MatricesWeightsKind, weights);
      mesh.skeleton = skeleton;
      mesh.parent = root;
      const bend = new Animation('bend', 'rotationQuaternion', 60, Animation.ANIMATIONTYPE_QUATERNION);
      bend.setKeys([
        { frame: 0, value: Quaternion.Identity() },
        { frame: 60, value: Quaternion.RotationYawPitchRoll(0.4, 0.9, -0.3) },
      ]);
      const group = new AnimationGroup('bend', scene);
      group.addTargetedAnimation(bend, elbow);
      return { root, group };
    };
    const [ours, theirs] = [make(), make()];
    expect(readScene(ours.root).mirrored).toBe(true);
    const mixer = new BabylonMixer(ours.root);
    mixer.animation(ours.group).start(true).goToFrame(40);
    mixer.update(0);
    show(theirs.group, 40 / 60);
    expect(distance(worldVertices(ours.root, 1), worldVertices(theirs.root, 1))).toBeLessThan(PLAYED_VERTICES);
    mixer.applyToBones();
    mixer.dispose();
    expect(distance(worldVertices(ours.root, 1), worldVertices(theirs.root, 1))).toBeLessThan(PLAYED_VERTICES);
  });

  it.skipIf(!IS_FULL_RUN)(
    'allocates nothing in a frame',
    async () => {
      const probe = new URL('babylon-mixer.probe.ts', import.meta.url);
      expect(await bytesPerCall(probe)).toBeLessThan(NO_ALLOCATION);
    },
    60_000,
  );

  it('throws for an instance of another model', async () => {
    const [one, other]: Loaded[] = [await loadGlb(demoBytes('mixamo.glb')), await loadGlb(demoBytes('unreal.glb'))];
    expect(() => new BabylonMixer(other.root, createCharacterRig(one.root))).toThrow(/Pass an instance of that model/);
  });
});
