/** Crowds and the plugins for three.js and Babylon.js show the vertices of baked clips at the same time, on every character. */
import { basename } from 'node:path';
import type { Mesh as BabylonMesh } from '@babylonjs/core';
import { Matrix4, type Object3D, type SkinnedMesh } from 'three';
import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { frameTimeOf } from '../../../src/core/animation/frame-times.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { BabylonMixer, retargetAnimationGroup } from '../../../src/engines/babylon/index.ts';
import { CharacterCrowd, CharacterMixer, createHumanoid } from '../../../src/engines/three/index.ts';
import { retargetAnimationClip as retargetInThree } from '../../../src/engines/three/retarget-animation-clip.ts';
import { compileClip } from '../../../src/playback/compile-clip.ts';
import { Crowd } from '../../../src/playback/crowd/crowd.ts';
import { planCrowd } from '../../../src/playback/crowd/plan-crowd.ts';
import { playbackSkin } from '../../../src/playback/matrices/playback-skin.ts';
import { emptyScene, loadGlb, show } from '../../engines/babylon/scenes.ts';
import { asset, HAS_ASSETS, humanoidFiles } from '../../support/assets.ts';
import { IS_FULL_RUN, IS_RELEASE_RUN, sampledCases } from '../../support/law-runs.ts';
import { PLAYBACK_VERTICES } from '../../support/tolerances.ts';
import { provideDecoders } from './babylon-vertices.ts';
import type { DeformedPart } from './deformed-vertices.ts';
import {
  babylonVertex,
  bakedVertices,
  type CrowdMesh,
  canonicalFrame,
  crowdVertices,
  instanceVertex,
  openPluginCharacter,
  type PluginCharacter,
  primitiveDistance,
  skinnedMeshesOf,
  type VertexOf,
} from './plugin-vertices.ts';
import { loadThree } from './three-vertices.ts';

const CHARACTERS = humanoidFiles('assets', 'glb', 'vrm', 'fbx', 'usda');
const MOTION = asset('assets', 'fbx', 'mixamo_Walking.fbx');
/** Frames of the walk that are compared: players interpolate between frames on their own. */
const FRAMES = [3, 17];
/** Characters with skinned vertices, and those that can be in a crowd, before a release: all. `.ci/run` takes every second file. */
const COUNTS = { skinned: 24, inCrowd: 24 };
const IDENTITY = new Matrix4();

let source: PluginCharacter;
let clip: Clip;
let motion: GLTF;
let times: number[];
const counts = { skinned: 0, inCrowd: 0 };

/** Largest distance of all primitives, in heights of the character. `theirs` is the primitive with a key, or at an index. */
function largest(
  parts: readonly DeformedPart[],
  transform: Matrix4,
  height: number,
  theirs: (key: string, index: number) => VertexOf,
): number {
  const distances = parts.map(({ node, primitive, positions }, index) =>
    primitiveDistance(positions, transform, theirs(`${node}/${primitive}`, index)),
  );
  return Math.max(...distances) / height;
}

/** Compares 3×4 matrices of a crowd; null where the model cannot be in a crowd. */
function crowdDistance(target: PluginCharacter, plain: readonly DeformedPart[], time: number): number | null {
  const { humanoid, geometry, part } = target;
  const skins = geometry.skins.map((_, skin) => playbackSkin(geometry, skin, part));
  const { plan } = planCrowd(
    source.humanoid,
    skins.map((skin) => ({ humanoid, skin })),
  );
  if (plan === null) return null;
  const crowd = new Crowd(plan, { capacity: skins.length, matrices: true });
  const playhead = crowd.addPlayhead(compileClip(source.humanoid.skeleton, clip), { time });
  for (const skin of skins.keys()) crowd.add(skin, playhead);
  crowd.update(0);
  const theirs = crowdVertices(target, crowd);
  return largest(plain, canonicalFrame(humanoid), humanoid.height, (_, index) => {
    return (vertex, out) => out.fromArray(theirs[index], 3 * vertex);
  });
}

/** Compares a CharacterMixer that plays the clip retargeted in three.js. */
async function mixerDistances(target: PluginCharacter, baked: readonly DeformedPart[][]): Promise<number[]> {
  const model = await loadThree(target.glb);
  const meshes = skinnedMeshesOf(model);
  const mixer = new CharacterMixer(model.scene);
  mixer.clipAction(retargetInThree(motion.animations[0], motion.scene, model.scene).clip).play();
  return times.map((time, k) => {
    mixer.setTime(time);
    model.scene.updateMatrixWorld(true);
    for (const { skeleton } of meshes.values()) skeleton.update();
    return largest(baked[k], IDENTITY, target.height, (key) => {
      const mesh = meshes.get(key) as SkinnedMesh;
      return (vertex, out) => mesh.getVertexPosition(vertex, out).applyMatrix4(mesh.matrixWorld);
    });
  });
}

/** Compares the inputs of the shader of a CharacterCrowd. */
async function instanceDistances(target: PluginCharacter, plain: readonly DeformedPart[][]): Promise<number[]> {
  const model = await loadThree(target.glb);
  const hero = createHumanoid(model.scene);
  const meshes = skinnedMeshesOf(model);
  // A crowd has a child per visible mesh, also of those that are not skinned.
  const order: Object3D[] = [];
  model.scene.traverseVisible((object) => {
    if ((object as Partial<SkinnedMesh>).isMesh === true) order.push(object);
  });
  const { humanoid } = hero;
  return times.map((time, k) => {
    const crowd = new CharacterCrowd(createHumanoid(motion.scene), [hero], { capacity: 1 });
    crowd.add(0, crowd.addPlayhead(motion.animations[0], { time }), IDENTITY);
    crowd.update(0);
    return largest(plain[k], canonicalFrame(humanoid), humanoid.height, (key) => {
      const instanced = crowd.object.children[order.indexOf(meshes.get(key) as SkinnedMesh)] as CrowdMesh;
      return instanceVertex(crowd, instanced, crowd.crowd.plan.targets[0]);
    });
  });
}

/** Compares the transform matrices of skeletons in Babylon.js: of an AnimationGroup, and of a BabylonMixer that plays it. */
async function babylonDistances(target: PluginCharacter, baked: readonly DeformedPart[][]): Promise<number[]> {
  const scene = emptyScene();
  const walk = await loadGlb(source.glb, scene);
  const { root } = await loadGlb(target.glb, scene);
  const { group } = retargetAnimationGroup(walk.groups[0], walk.root, root);
  const meshes = root.getChildMeshes(false).filter(({ skeleton }) => skeleton !== null) as BabylonMesh[];
  const distanceAt = (k: number): number => {
    for (const node of root.getChildTransformNodes(false)) node.computeWorldMatrix(true);
    for (const { skeleton } of meshes) skeleton?.prepare(true);
    const vertices = meshes.map((mesh) => ({ count: mesh.getTotalVertices(), vertexOf: babylonVertex(mesh, root) }));
    const least = baked[k].map(({ positions }) => {
      // Babylon.js does not keep the order of the file.
      const same = vertices.filter(({ count }) => 3 * count === positions.length);
      return Math.min(...same.map(({ vertexOf }) => primitiveDistance(positions, IDENTITY, vertexOf)));
    });
    return Math.max(...least) / target.height;
  };
  const distances = times.map((time, k) => {
    show(group, time);
    return distanceAt(k);
  });
  group.stop();
  const mixer = new BabylonMixer(root);
  const animation = mixer.animation(group).start();
  times.forEach((time, k) => {
    animation.goToFrame(group.from + time * group.targetedAnimations[0].animation.framePerSecond);
    mixer.update(0);
    distances.push(distanceAt(k));
  });
  scene.getEngine().dispose();
  return distances;
}

describe.skipIf(!HAS_ASSETS)('plugins and baked clips show the same vertices at the same time', () => {
  beforeAll(async () => {
    provideDecoders();
    source = (await openPluginCharacter(MOTION)) as PluginCharacter;
    clip = source.file.asset.clips[0].clips[source.index];
    motion = await loadThree(source.glb);
    times = FRAMES.map((frame) => frame * (frameTimeOf(clip) ?? 1 / 30));
  });

  it.each(sampledCases(CHARACTERS, 18, 2).map((path) => [basename(path), path]))('%s', async (_, path) => {
    const target = await openPluginCharacter(path);
    // Without a humanoid or without skinned vertices: playback-vertices.test.ts compares joints.
    if (target === null || !target.geometry.instances.some(({ skin }) => skin >= 0)) return;
    counts.skinned++;
    const baked = retargetClip(planRetarget(source.humanoid, target.humanoid), clip);
    const rigid = retargetClip(planRetarget(source.humanoid, target.humanoid, { twist: false }), clip);
    // three.js reads four joints per vertex.
    const partsOf = (one: Clip, limit: 4 | null) => times.map((time) => bakedVertices(target, one, time, limit));
    const crowd = times.map((time, k) => crowdDistance(target, partsOf(rigid, null)[k], time));
    const inCrowd = crowd.filter((distance) => distance !== null);
    if (inCrowd.length > 0) {
      counts.inCrowd++;
      expect(Math.max(...inCrowd)).toBeLessThan(PLAYBACK_VERTICES);
      expect(Math.max(...(await instanceDistances(target, partsOf(rigid, 4))))).toBeLessThan(PLAYBACK_VERTICES);
    }
    expect(Math.max(...(await mixerDistances(target, partsOf(baked, 4))))).toBeLessThan(PLAYBACK_VERTICES);
    // Its matrices are float32 along the whole chain.
    expect(Math.max(...(await babylonDistances(target, partsOf(baked, null))))).toBeLessThan(2 * PLAYBACK_VERTICES);
  });

  afterAll(() => {
    if (IS_RELEASE_RUN) expect(counts).toEqual(COUNTS);
    else if (IS_FULL_RUN) expect(Math.min(counts.skinned, counts.inCrowd)).toBeGreaterThan(COUNTS.skinned / 3);
  });
});
