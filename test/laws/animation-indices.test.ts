/** Other parts of a file refer to animations and nodes by index: after every job an index names the same object. */
import { describe, expect, it } from 'vitest';
import { between, makeRandom, pick, type Random } from '../../src/demo/random.ts';
import { convertFile } from '../../src/files/jobs/convert-file.ts';
import { defineHumanoid } from '../../src/files/jobs/define-humanoid.ts';
import { extractMotions } from '../../src/files/jobs/extract-motions.ts';
import { retargetMotions } from '../../src/files/jobs/retarget-motions.ts';
import { openBytes } from '../../src/files/open.ts';
import type { OutputFile } from '../../src/files/outputs/output-file.ts';
import { toGlb, toGltf } from '../../src/formats/gltf/document/convert-container.ts';
import type { JsonObject } from '../../src/formats/gltf/document/json-access.ts';
import {
  appendClips,
  concatParts,
  type GltfDocument,
  type NewAnimation,
  parseGltf,
  readGltf,
  replaceClips,
  serializeGltf,
} from '../../src/formats/gltf/index.ts';
import { removeAnimations } from '../../src/formats/gltf/write/write-clips.ts';
import { lawRuns } from '../support/law-runs.ts';
import { demoBytes, openDemo } from '../support/make/demo-files.ts';

const index = (random: Random, count: number): number => Math.floor(between(random, 0, count));

/** Adds animations with names, and a graph and extensions that refer to animations and nodes. */
function withReferences(random: Random): GltfDocument {
  const doc = parseGltf(demoBytes('walk.glb'));
  const { skeletons, clips } = readGltf(doc);
  const [{ sourceNodes }] = skeletons;
  const [first] = clips;
  const more = Array.from({ length: index(random, 4) }, (_, i): NewAnimation => {
    return { name: `more ${i}`, clip: first.clips[0], sourceNodes };
  });
  appendClips(doc, more);
  const animations = (doc.json['animations'] as JsonObject[]).length;
  const nodes = doc.json['nodes'] as JsonObject[];
  const socket = (value: number): JsonObject => ({ value: [value], type: 0 });
  const graphNodes = Array.from({ length: 1 + index(random, 5) }, (): JsonObject => {
    return {
      declaration: 0,
      values: { animation: socket(index(random, animations)), startTime: { value: [0], type: 1 } },
    };
  });
  const pointers = Array.from({ length: 1 + index(random, 3) }, () => `/nodes/${index(random, nodes.length)}/scale`);
  doc.json['extensions'] = {
    ...(doc.json['extensions'] as JsonObject | undefined),
    KHR_interactivity: {
      graph: 0,
      graphs: [
        {
          types: [{ signature: 'int' }, { signature: 'float' }],
          declarations: [{ op: 'animation/start' }, { op: 'pointer/set' }],
          nodes: [
            ...graphNodes,
            ...pointers.map((value) => ({ declaration: 1, configuration: { pointer: { value: [value] } } })),
          ],
        },
      ],
    },
  };
  const carrier = nodes[index(random, nodes.length)];
  const extensions = carrier['extensions'] as JsonObject | undefined;
  carrier['extensions'] = { ...extensions, OMI_animator: { animations: [index(random, animations)] } };
  doc.json['extensionsUsed'] = [
    ...((doc.json['extensionsUsed'] as string[] | undefined) ?? []),
    'KHR_interactivity',
    'OMI_animator',
  ];
  return parseGltf(concatParts(serializeGltf(doc).parts));
}

/** What the references name: text of each extension, and the animations and nodes that it may refer to. */
function named({ json }: GltfDocument): { graph: string; animations: string[]; nodes: unknown[] } {
  const extensions = json['extensions'] as JsonObject;
  return {
    graph: JSON.stringify(extensions['KHR_interactivity']),
    animations: ((json['animations'] ?? []) as JsonObject[]).map(({ name }) => String(name)),
    nodes: (json['nodes'] as JsonObject[]).map(({ name, extensions: own }) => [
      name,
      (own as JsonObject | undefined)?.['OMI_animator'],
    ]),
  };
}

function expectSame(before: GltfDocument, after: GltfDocument): void {
  const [was, is] = [named(before), named(after)];
  expect(is.graph).toBe(was.graph);
  expect(is.animations.slice(0, was.animations.length)).toEqual(was.animations);
  expect(is.nodes.slice(0, was.nodes.length)).toEqual(was.nodes);
}

const again = (doc: GltfDocument): GltfDocument => parseGltf(concatParts(serializeGltf(doc).parts));

/** The main file of a job. */
const mainOf = (outputs: readonly OutputFile[]): GltfDocument => parseGltf(concatParts(outputs.at(-1)?.parts ?? []));

/** A clip for the skeleton of a document. */
function newClip(doc: GltfDocument): NewAnimation {
  const { skeletons, clips } = readGltf(doc);
  return { name: 'new', clip: clips[0].clips[0], sourceNodes: skeletons[0].sourceNodes };
}

describe('indices of animations and nodes in graphs and extensions', () => {
  const RUNS = lawRuns(60);

  it('appendClips: name the same objects', () => {
    for (let seed = 0; seed < RUNS; seed++) {
      const doc = withReferences(makeRandom(seed));
      const edited = parseGltf(doc.source!.bytes);
      appendClips(edited, [newClip(edited), newClip(edited)]);
      expectSame(doc, again(edited));
    }
  });

  it('toGltf and toGlb: name the same objects', () => {
    for (let seed = 0; seed < RUNS; seed++) {
      const doc = withReferences(makeRandom(seed));
      const edited = parseGltf(doc.source!.bytes);
      toGltf(edited, 'data.bin');
      const text = again(edited);
      expectSame(doc, text);
      text.resources.set('data.bin', concatParts(serializeGltf(edited).resources[0].parts));
      toGlb(text);
      expectSame(doc, again(text));
    }
  });

  it('defineHumanoid: name the same objects, whatever is normalized', async () => {
    for (let seed = 0; seed < lawRuns(20); seed++) {
      const random = makeRandom(seed);
      const doc = withReferences(random);
      const options = { output: 'out.glb', axes: index(random, 2) > 0, tPose: index(random, 2) > 0 };
      const { outputs } = await defineHumanoid(await openBytes(doc.source!.bytes), options);
      expectSame(doc, mainOf(outputs));
    }
  });

  it('retargetMotions: name the same objects of the character', async () => {
    const motion = await openDemo('turn.bvh');
    for (let seed = 0; seed < lawRuns(10); seed++) {
      const doc = withReferences(makeRandom(seed));
      const character = await openBytes(doc.source!.bytes, { name: 'character.glb' });
      const output = pick(makeRandom(seed), ['out.glb', 'out.gltf']);
      const { outputs, report } = await retargetMotions([motion], character, { output, contacts: 'off' });
      expectSame(doc, mainOf(outputs));
      expect(named(mainOf(outputs)).animations).toHaveLength(named(doc).animations.length + 1);
      expect(report.issues.map(({ code }) => code)).not.toContain('ANIMATION_REFERENCED');
    }
  });

  it('convertFile: name the same objects in another container, and the edited clips where clips are edited', async () => {
    for (let seed = 0; seed < lawRuns(10); seed++) {
      const random = makeRandom(seed);
      const doc = withReferences(random);
      const file = await openBytes(doc.source!.bytes, { name: 'walk.glb' });
      const isEdited = seed % 2 === 0;
      const options = { output: pick(random, ['out.glb', 'out.gltf']), ...(isEdited ? { fps: 10 } : {}) };
      const { outputs, report } = await convertFile(file, options);
      expectSame(doc, mainOf(outputs));
      expect(named(mainOf(outputs)).animations).toHaveLength(named(doc).animations.length);
      expect(report.issues.some(({ code }) => code === 'ANIMATION_REFERENCED')).toBe(isEdited);
    }
  });

  it('extractMotions: a library of clips has nothing that refers to animations of the file it came from', async () => {
    const doc = withReferences(makeRandom(1));
    const file = await openBytes(doc.source!.bytes, { name: 'walk.glb' });
    const { outputs } = await extractMotions([file], { output: 'out.glb' });
    const { json } = mainOf(outputs);
    expect(JSON.stringify(json)).not.toMatch(/KHR_interactivity|OMI_animator/);
    expect((json['animations'] as JsonObject[]).map(({ name }) => name)).toEqual(named(doc).animations);
  });

  it('replaceClips and removeAnimations: leave the references unchanged and report that they refer to animations', () => {
    for (let seed = 0; seed < RUNS; seed++) {
      const doc = withReferences(makeRandom(seed));
      const edited = parseGltf(doc.source!.bytes);
      const isReplaced = seed % 2 === 0;
      const { issues } = isReplaced ? replaceClips(edited, [newClip(edited)]) : removeAnimations(edited);
      expect(issues.map(({ code }) => code)).toContain('ANIMATION_REFERENCED');
      const [was, is] = [named(doc), named(again(edited))];
      expect([is.graph, is.nodes]).toEqual([was.graph, was.nodes]);
      expect(is.animations).toEqual(isReplaced ? ['new'] : []);
    }
  });
});
