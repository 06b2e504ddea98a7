/** Plays one glTF animation track in other libraries, as a second opinion on sampling. */
import { type Animation, LoadAssetContainerAsync, Logger, NullEngine, Quaternion, Scene } from '@babylonjs/core';
import { Document, WebIO } from '@gltf-transform/core';
import type { AnimationClip, Interpolant, KeyframeTrack } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { Track } from '../../src/core/animation/clip.ts';
import '@babylonjs/loaders/glTF/index.js';

/** Returns the value of the track at a time in the other library. */
export type Player = (time: number) => number[];

/** Writes a GLB with one node and one animation channel by glTF-Transform. Values as float32. */
async function trackGlb(track: Track): Promise<Uint8Array> {
  const document = new Document();
  const buffer = document.createBuffer();
  const times = document.createAccessor().setArray(Float32Array.from(track.times)).setType('SCALAR').setBuffer(buffer);
  const values = document
    .createAccessor()
    .setArray(Float32Array.from(track.values))
    .setType(track.path === 'rotation' ? 'VEC4' : 'VEC3')
    .setBuffer(buffer);
  const node = document.createNode('node');
  document.createScene().addChild(node);
  const sampler = document
    .createAnimationSampler()
    .setInput(times)
    .setOutput(values)
    .setInterpolation(track.interpolation);
  const channel = document.createAnimationChannel().setSampler(sampler).setTargetNode(node).setTargetPath(track.path);
  document.createAnimation('clip').addSampler(sampler).addChannel(channel);
  return new WebIO().writeBinary(document);
}

/** three.js: its GLTFLoader's interpolants, cubic spline of quaternions included. */
export async function threePlayer(track: Track): Promise<Player> {
  const bytes = await trackGlb(track);
  const gltf = await new GLTFLoader().parseAsync(bytes.slice().buffer, '');
  const clip = gltf.animations[0] as AnimationClip;
  const loaded = clip.tracks[0] as KeyframeTrack & { createInterpolant(): Interpolant };
  const interpolant = loaded.createInterpolant();
  return (time) => Array.from(interpolant.evaluate(time) as ArrayLike<number>);
}

/** Babylon.js without a screen: the animation that its glTF loader makes. Its frames are 60ths of a second. */
export async function babylonPlayer(track: Track): Promise<Player> {
  Logger.LogLevels = Logger.NoneLogLevel;
  const scene = new Scene(new NullEngine());
  const container = await LoadAssetContainerAsync(await trackGlb(track), scene, { pluginExtension: '.glb' });
  const animation = container.animationGroups[0].targetedAnimations[0].animation as Animation;
  return (time) => {
    const value = animation.evaluate(time * animation.framePerSecond);
    return value instanceof Quaternion ? [value.x, value.y, value.z, value.w] : value.asArray();
  };
}
