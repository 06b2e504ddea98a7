import { rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AssetClip } from '../../../src/core/asset/asset.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { rotate } from '../../../src/core/math/vec3.ts';
import { mergeSkeletonClips } from '../../../src/files/clips/merge-skeleton-clips.ts';
import { geometryOf } from '../../../src/files/geometry.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { convertFile } from '../../../src/files/jobs/convert-file.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { openFile } from '../../../src/files/node.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { blocks, documentText, inProject } from '../../support/documents.ts';
import { IS_FULL_RUN, sampledCases } from '../../support/law-runs.ts';
import { demoBytes, openDemo } from '../../support/make/demo-files.ts';
import { DRAWN_VERTEX } from '../../support/tolerances.ts';
import { deformedFile } from '../oracle/deformed-vertices.ts';
import { bundle, CHROMIUM, runInChromium, showInChromium } from './chromium.ts';
import type { PageFigure, PageResult } from './stage-page.ts';

const PAGE = fileURLToPath(new URL('stage-page.ts', import.meta.url));
/** Seconds, inside of all clips. */
const TIME = 0.37;
/** Only files of the page itself: no inline scripts or styles, no `blob:` and no `data:`. WebAssembly is for meshopt. */
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
/** The folder for the pictures of the page, to look at them. */
const PICTURES = process.env['ANYRIG_PICTURES'];

/** Characters that the demo walk is retargeted to. */
const DEMO = ['mixamo.glb', ...sampledCases(['chibi.vrm', 'fighter.glb'])];
const REAL = HAS_ASSETS
  ? [
      'glb/Xbot.glb',
      'vrm/Godette_vrm_v4.vrm',
      ...(IS_FULL_RUN ? ['glb/RobotExpressive.glb', 'glb/KayKit_Knight.glb'] : []),
    ]
  : [];

function bytesOf(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** A character with the demo walk, as a file and as a figure. */
interface Shown {
  readonly file: OpenFile;
  readonly bytes: Uint8Array;
  readonly figure: PageFigure;
  readonly humanoid: Humanoid;
}

/** Describes a file with one clip for the page. */
function shownFile(id: string, file: OpenFile, bytes: Uint8Array, label: string): Shown {
  const humanoid = chooseHumanoid(file, 'only', {}).found?.humanoid as Humanoid;
  const { frame, metersPerUnit, ground } = humanoid;
  const { clip, sourceNodes, morphs } = mergeSkeletonClips(file.asset.clips.at(-1) as AssetClip, file.asset.skeletons);
  const transforms = clip.tracks.map((track) => ({ ...track, node: sourceNodes[track.target] }));
  const weights = (morphs ?? []).map((track) => ({ ...track, path: 'weights' as const, node: track.sourceNode }));
  const tracks = [...transforms, ...weights].map(({ node, path, interpolation, times, values }) => ({
    node,
    path,
    interpolation,
    times: Array.from(times) as never,
    values: Array.from(values) as never,
  }));
  const { name, duration } = clip;
  const figure: PageFigure = {
    id,
    file: id,
    label,
    frame: [...frame],
    metersPerUnit,
    ground,
    clip: { name, duration, tracks },
  };
  return { file, bytes, figure, humanoid };
}

async function retargeted(id: string, character: OpenFile): Promise<Shown> {
  const output = character.format === 'gltf' && /\.vrm$/.test(character.name) ? 'out.vrm' : 'out.glb';
  const { outputs } = await retargetMotions([await openDemo('walk.glb')], character, { output, contacts: 'off' });
  const bytes = bytesOf(outputs[0].parts);
  return shownFile(id, await openBytes(bytes, { name: output }), bytes, basename(character.name));
}

/** A BVH without a mesh as GLB. */
async function skeletonOnly(id: string): Promise<Shown> {
  const { outputs } = await convertFile(await openDemo('turn.bvh'), { output: 'turn.glb' });
  const bytes = bytesOf(outputs[0].parts);
  return shownFile(id, await openBytes(bytes, { name: 'turn.glb' }), bytes, 'turn.bvh');
}

/** Shows figures in a page under the policy. */
async function showPage(shown: readonly Shown[]): Promise<PageResult> {
  const order = { figures: shown.map(({ figure }) => figure), time: TIME };
  const files: Record<string, Uint8Array | string> = {
    'index.html': `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><script type="module" src="start.js"></script>`,
    'start.js': `import { run } from '/page.js';
const send = (message) => fetch('/done', { method: 'POST', body: JSON.stringify(message) });
run().then((result) => send({ result }), (error) => send({ error: String(error?.stack ?? error) }));`,
    'page.js': await bundle(PAGE),
    'order.json': JSON.stringify(order),
    'favicon.ico': '',
  };
  for (const { figure, bytes } of shown) files[figure.file] = bytes;
  return (await showInChromium((path) => files[path] ?? null)) as PageResult;
}

/** Returns the largest distance of a vertex from where anyrig's own skinning has it, as a fraction of the height, and the number of vertices. */
async function largestDistance({ file, figure, humanoid }: Shown, { parts }: PageResult) {
  const { frame, metersPerUnit, ground, height } = humanoid;
  const geometry = await geometryOf(file);
  if (geometry === null) return { distance: 0, vertices: 0 };
  let distance = 0;
  let vertices = 0;
  const expected = new Float64Array(3);
  for (const { node, primitive, positions } of deformedFile(file, geometry.geometry, 4).at(
    file.asset.clips.length - 1,
    TIME,
  )) {
    const part = parts.find((one) => one.figure === figure.id && one.node === node && one.primitive === primitive);
    if (part === undefined) throw new Error(`${figure.label}: node ${node} has no primitive ${primitive} on the stage`);
    for (let k = 0; k < part.positions.length / 3; k++) {
      rotate(expected, 0, frame, 0, positions, 3 * k * part.step);
      const offset = expected.map(
        (value, c) => value * metersPerUnit - (c === 1 ? ground : 0) - part.positions[3 * k + c],
      );
      distance = Math.max(distance, Math.hypot(...offset) / height);
      vertices++;
    }
  }
  return { distance, vertices };
}

describe.skipIf(CHROMIUM === null)('docs/stage.md in Chromium', () => {
  it('its page shows the character', async () => {
    const [source] = blocks(documentText('docs/stage.md'), 'ts browser');
    const path = inProject('test', `.docs-stage-${process.pid}.ts`);
    const figures = 'export const run = async () => ({ figures: stage.figures, height: stage.clientHeight });';
    writeFileSync(path, `${source}\n${figures}\n`);
    try {
      const page = (await runInChromium(path, { 'hero.glb': demoBytes('mixamo.glb') })) as Record<string, unknown>;
      expect(page['figures']).toEqual(['hero']);
      expect(page['height']).toBeGreaterThan(200);
    } finally {
      rmSync(path, { force: true });
    }
  }, 120_000);
});

/** One visit of many seconds in software rendering. */
describe.skipIf(CHROMIUM === null || !IS_FULL_RUN)('<anyrig-stage> in Chromium', () => {
  let shown: Shown[] = [];
  let result: PageResult;

  beforeAll(async () => {
    const demos = await Promise.all(DEMO.map(async (name, k) => retargeted(`demo${k}`, await openDemo(name))));
    const real = await Promise.all(
      REAL.map(async (path, k) => retargeted(`real${k}`, await openFile(asset('assets', path)))),
    );
    shown = [...demos, ...real, await skeletonOnly('skeleton')];
    result = await showPage(shown);
    if (PICTURES === undefined) return;
    for (const [name, url] of Object.entries(result.pictures)) {
      writeFileSync(join(PICTURES, `${name}.png`), Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
    }
  }, 180_000);

  it.each([...DEMO, ...REAL.map((path) => path.slice(path.indexOf('/') + 1))])(
    '%s: vertices are where the skinning of anyrig has them, on the ground, in meters',
    async (name) => {
      const one = shown.find(({ figure }) => figure.label === name) as Shown;
      const { distance, vertices } = await largestDistance(one, result);
      expect(vertices).toBeGreaterThan(30);
      expect(distance).toBeLessThan(DRAWN_VERTEX);
    },
  );

  it('plays the longest clip, and reports what happens', () => {
    const longest = Math.max(...shown.map(({ figure }) => figure.clip?.duration ?? 0));
    expect(result.durationWhenShown).toBeCloseTo(longest, 6);
    expect(result.duration).toBe(0);
    expect(result.events).toContain('durationchange');
    expect(result.events.filter((type) => type === 'play' || type === 'pause')).toEqual(['play', 'pause']);
  });

  it('names the joint under the pointer, and reports the joint that is clicked', () => {
    expect(result.pick.found).toEqual({ figure: 'demo0', node: result.pick.asked });
    expect(result.pick.text).toMatch(/LeftForeArm/);
  });

  it('rotates a joint with the gizmo, until the pointer is released', () => {
    expect(result.gizmo.events).toBeGreaterThan(1);
    expect(result.gizmo.done).toBe(true);
    expect(result.gizmo.angle).toBeGreaterThan(0.05);
  });

  it('takes the keys of the camera, and leaves the others to the page', () => {
    expect(result.keys).toEqual({ ArrowLeft: true, ArrowUp: true, '+': true, Home: true, ' ': false, j: false });
  });

  it('draws frames only during playback and after changes', () => {
    expect(result.idleFrames).toBe(0);
    expect(result.playedFrames).toBeGreaterThan(4);
  });

  it('puts figures into more rows where it becomes higher than wide', () => {
    const count = shown.length;
    expect(result.rows).toEqual([Math.ceil(count / 6), Math.ceil(count / 3)]);
  });

  it('frees the memory of figures that were added and removed', () => {
    const [early, late] = result.memory;
    expect(late).toEqual(early);
  });

  it('keeps its figures when it is moved, and frees them when it is removed', () => {
    expect(result.figuresWhenMoved).toBe(1);
    expect(result.figuresWhenRemoved).toBe(0);
  });

  it('requests nothing, violates no policy and reports no error', () => {
    expect(result.violations).toEqual([]);
    expect(result.requests).toEqual([]);
    expect(result.errors).toEqual([]);
  });

  it('takes pictures that differ', () => {
    const pictures = Object.values(result.pictures);
    expect(new Set(pictures).size).toBe(pictures.length);
    for (const picture of pictures) expect(picture).toMatch(/^data:image\/png;base64,iVBOR/);
  });
});
