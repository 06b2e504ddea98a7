/**
 * Does what a newcomer does in the first hour: packs the package, installs it into empty projects, follows README and docs word by word, plays
 * the results in Chromium, and compares their poses with those of the library.
 *
 *     npm run newcomer              # builds the package first
 *     npx tsx test/newcomer/main.ts FOLDER    # keeps the projects, pictures of the pages and counts.json in FOLDER
 *
 * Every line of code that it runs is read from README and docs, so it fails when they are wrong. It adds only what a page needs to report its
 * poses. Files are those of `anyrig demo`, with the names that the docs use. Ends with exit code 1 when a step failed.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findRootMotionNode } from '../../src/core/humanoid/root-motion-node.ts';
import * as quat from '../../src/core/math/quat.ts';
import { chooseHumanoid } from '../../src/files/humanoid/find-humanoid.ts';
import { openBytes } from '../../src/files/open.ts';
import { Player } from '../../src/playback/player/player.ts';
import { planPlayerClip } from '../../src/playback/player/player-clip.ts';
import { applyRootMotion } from '../../src/playback/root-motion/root-motion.ts';
import { CHROMIUM, showInChromium } from '../external/browser/chromium.ts';
import { blocks, commandLines, DOCUMENT_FILES, documentText, inProject } from '../support/documents.ts';
import { walkFbx } from '../support/make/demo-fbx.ts';
import { unnamedRig } from '../support/make/unnamed-rig.ts';
import { POSE_DEGREES, SECOND_OPINION } from '../support/tolerances.ts';
import { checkTarball } from './package-files.ts';
import { comparePoses, posesOfFile, type Tolerance } from './poses.ts';
import {
  buildPage,
  builtFiles,
  checkPages,
  codeOf,
  createProject,
  installAsIn,
  runLine,
  runModules,
} from './project.ts';
import { createSteps } from './steps.ts';
import { tryStudio } from './studio.ts';
import type { Shown } from './template/probe.ts';

/** Engines that play the same keys. */
const SAME_KEYS: Tolerance = { angle: SECOND_OPINION, position: SECOND_OPINION };
/** A VRM Animation has the rotations of the bones, each stored in float32 in other axes. */
const SAME_BONES: Tolerance = { angle: (POSE_DEGREES * Math.PI) / 180, position: 1e-4, onlyBones: true };

/** Code that is added to a page so that it sends its poses. */
const SEND = {
  three: `
import { sendPoses } from './probe.ts';
import { poseBelow } from './three-probe.ts';
const draw = () => {
  renderer.render(scene, camera);
  return renderer.domElement;
};
await sendPoses((time) => mixer.setTime(time), () => poseBelow(hero.scene), draw);
`,
  babylon: `
import { goToTime, poseBelow } from './babylon-probe.ts';
import { sendPoses } from './probe.ts';
const draw = () => {
  scene.render();
  return canvas;
};
await scene.whenReadyAsync();
await sendPoses((time) => goToTime(group, time), () => poseBelow(hero.rootNodes[0] as TransformNode), draw);
`,
  vrm: `
import { sendPoses } from './probe.ts';
import { drawModel, poseBelow } from './three-probe.ts';
let now = 0;
const show = (time: number) => {
  update(time - now);
  now = time;
};
await sendPoses(show, () => poseBelow(vrm.scene), () => drawModel(vrm.scene));
`,
  position: `
import { send } from './probe.ts';
await send(hero.scene.position.toArray());
`,
  crowd: `
import { sendPoses } from './probe.ts';
import { drawModel } from './three-probe.ts';
const counts = () => crowd.object.children.map((child) => [child.name, [(child as Mesh<InstancedBufferGeometry>).geometry.instanceCount]]);
await sendPoses(() => crowd.update(0.1), () => Object.fromEntries(counts()), () => drawModel(crowd.object));
`,
  file: `
import { send } from './probe.ts';
await send([...new Uint8Array(await (await fetch(link.href)).arrayBuffer())]);
`,
} as const;

/** Code that gives the heroes of a page helmets, before it makes a crowd of them. */
const HELMETS = `
import { BONE } from 'anyrig';
import { BoxGeometry, type InstancedBufferGeometry, Mesh } from 'three';
for (const { scene } of heroes) {
  const { humanoid, objects } = createHumanoid(scene);
  const helmet = new Mesh(new BoxGeometry(0.3, 0.2, 0.3));
  helmet.name = 'helmet';
  objects[humanoid.map.nodes[BONE.head]].add(helmet);
}
`;

/** Returns where the walk of a file leads within a second with the input of docs/three.md: half a radian to the left. */
async function walkedPosition(path: string): Promise<Float64Array> {
  const file = await openBytes(readFileSync(path), { name: path });
  const { found } = chooseHumanoid(file, 'target', {});
  if (found === null) throw new Error(`${path} is not humanoid`);
  const { skeleton } = found.humanoid;
  const clip = file.asset.clips[file.asset.clips.length - 1].clips[found.index];
  const player = new Player(skeleton);
  player.action(planPlayerClip(skeleton, clip, { rootMotion: findRootMotionNode(found.humanoid) })).play();
  const [position, orientation] = [new Float64Array(3), Float64Array.of(0, 0, 0, 1)];
  const turn = Float64Array.of(0, Math.sin(0.25 / 60), 0, Math.cos(0.25 / 60));
  for (let frame = 0; frame < 60; frame++) {
    quat.multiply(orientation, 0, orientation, 0, turn, 0);
    player.update(1 / 60);
    applyRootMotion(position, orientation, player.rootMotion, player.rootMotionUp);
  }
  return position;
}

const kept = process.argv[2];
const folder = kept === undefined ? mkdtempSync(join(tmpdir(), 'anyrig-newcomer-')) : resolve(kept);
mkdirSync(join(folder, 'pictures'), { recursive: true });
const { step, skip, counts } = createSteps();

/** The project in plain Node, whose results the pages are compared with. */
const node = createProject('node', folder, false);
const files = join(folder, 'files');

/** Copies the files that the docs use into a folder. */
function copyFiles(to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(files)) copyFileSync(join(files, name), join(to, name));
}

/** A page of a document. */
interface Page {
  /** Where its code is from. */
  readonly title: string;
  /** Its module, with the code that sends what it shows. */
  readonly code: string;
  /** Checks what it sends; returns the result as text. */
  readonly check: (sent: unknown) => Promise<string>;
}

/** Type-checks and builds pages, shows them in Chromium, and checks what they send. */
async function pages(about: string, project: string, list: readonly Page[]): Promise<void> {
  await step(`${about}: the code of the docs type-checks`, () =>
    checkPages(Object.fromEntries(list.map(({ code }, k) => [`page-${k}`, code])), project),
  );
  for (const { title, code, check } of list) {
    const isBuilt = await step(`${about}: Vite builds ${title} without warnings`, async () => {
      await buildPage(code, project);
      return true;
    });
    if (isBuilt === null) skip(`${about}: ${title} plays`, 'it was not built');
    else if (CHROMIUM === null) skip(`${about}: ${title} plays`, 'Chromium is not installed');
    else await step(`${about}: ${title} plays`, async () => check(await showInChromium(builtFiles(project))));
  }
}

/** Compares the poses of a page with a file, and keeps its picture. */
function playsLike(file: string, tolerance: Tolerance, picture: string): Page['check'] {
  return async (sent) => {
    const shown = sent as Shown;
    writeFileSync(join(folder, 'pictures', `${picture}.png`), Buffer.from(shown.picture.split(',')[1], 'base64'));
    const result = await comparePoses(shown, join(node, file), tolerance);
    if (shown.drawn < 0.01) throw new Error(`The page draws nothing: ${shown.drawn} of its pixels differ`);
    return result;
  };
}

const tarball = await step(
  'npm pack: README and docs in it have no dead links, and there are no dead source maps',
  () => checkTarball(folder),
);

async function inPlainNode(packed: string): Promise<void> {
  await step('plain Node: npm i anyrig, as in README.md', () => installAsIn('README.md', node, packed));
  await step('plain Node: npx anyrig demo, and the command in its last line', async () => {
    const [first] = blocks(documentText('README.md'), 'sh');
    const { stdout } = await runLine(first, node);
    const line = /^Try it: (.*)$/.exec(stdout.trimEnd().split('\n').at(-1) ?? '')?.[1];
    if (line === undefined) throw new Error(`The demo does not end with "Try it: …":\n${stdout}`);
    await runLine(`${line} && test -s out.glb && rm out.glb`, node);
  });
  mkdirSync(files);
  for (const [name, from] of Object.entries(DOCUMENT_FILES)) {
    const kind = ['walk.glb', 'wave.vrma', 'turn.bvh'].includes(from) ? 'motions' : 'characters';
    copyFileSync(join(node, 'anyrig-demo', kind, from), join(files, name));
  }
  writeFileSync(join(files, 'walk.fbx'), walkFbx());
  copyFiles(node);
  const text = documentText('README.md');
  const first = join(node, 'first');
  copyFiles(first);
  const lines = blocks(text, 'sh').flatMap((block) => block.split('\n'));
  for (const line of lines.filter((one) => one.startsWith('npx anyrig retarget '))) {
    await step(`plain Node: ${line}`, () => runLine(line, first));
  }
  for (const { line, exit } of commandLines(text)) {
    await step(`plain Node: ${line.replace(/\s+#.*/, '')}`, () => runLine(line, node, exit));
  }
  await step('plain Node: a rig without names, mapped by the indices that inspect shows', async () => {
    const { text: rig, truth } = unnamedRig();
    writeFileSync(join(node, 'robot.gltf'), rig);
    const { stdout } = await runLine('npx anyrig inspect robot.gltf --nodes', node, 1);
    for (const index of Object.values(truth)) {
      if (!new RegExp(`^ +${index} \\(no name\\) at `, 'm').test(stdout))
        throw new Error(`no node ${index}:\n${stdout}`);
    }
    await runLine('npx anyrig map robot.gltf -o robot.json', node, 1);
    const map = JSON.parse(readFileSync(join(node, 'robot.json'), 'utf8')) as { bones: Record<string, unknown> };
    writeFileSync(join(node, 'robot.json'), JSON.stringify({ ...map, bones: { ...map.bones, ...truth } }));
    await runLine('npx anyrig retarget walk.glb robot.gltf --target-map robot.json --no-mesh -o robot-walks.glb', node);
    const { asset } = await openBytes(readFileSync(join(node, 'robot-walks.glb')));
    const { tracks } = asset.clips[0].clips[0];
    if (tracks.length < Object.keys(truth).length) throw new Error(`${tracks.length} tracks`);
    return `${tracks.length} tracks`;
  });
  await step('plain Node: npx anyrig studio hero.glb walk.fbx --no-open --port 0', () =>
    tryStudio(node, 'hero.glb', 'walk.fbx'),
  );
  // What the library in the page is compared with, and what the plugins are, which retarget without contacts.
  await runLine('npx anyrig retarget walk.glb hero.glb -o walks-with-contacts.glb', node);
  await runLine('npx anyrig retarget walk.glb hero.glb -o walks-by-files.glb --contacts off', node);
  await runLine('npx anyrig retarget walk.glb avatar.vrm -o out.vrm --vrma --force --contacts off', node);
  await step('plain Node: the library code of README.md', async () => {
    rmSync(join(node, 'walk.vrma'));
    await runModules({ readme: codeOf('README.md', 'ts', 'openFile') }, node);
    await runLine('test -s walk.vrma', node);
  });
  await step('plain Node: progress and abort, as in docs/reports.md', async () => {
    const code = codeOf('docs/reports.md', 'ts', 'AbortSignal.timeout');
    const printed = await runModules({ progress: code }, node);
    if (!/retarget walk 0 %\n(.*\n)*true\n/.test(printed)) throw new Error(printed);
    const aborted = code.replace('AbortSignal.timeout(60_000)', "AbortSignal.abort(new Error('enough'))");
    writeFileSync(join(node, 'aborted.ts'), aborted);
    await runLine('npx tsc && node aborted.js 2>&1 | grep enough', node);
  });
  await step('plain Node: glTF-Transform, as in docs/gltf-transform.md', async () => {
    await installAsIn('docs/gltf-transform.md', node, packed);
    const modules = {
      retarget: codeOf('docs/gltf-transform.md', 'ts', 'retarget('),
      define: codeOf('docs/gltf-transform.md', 'ts', 'defineHumanoid('),
    };
    const printed = await runModules(modules, node);
    if (printed.includes('not registered')) throw new Error(printed);
    const { asset } = await openBytes(readFileSync(join(node, 'hero-defined.glb')));
    const declared = asset.skeletons.map((skeleton) => skeleton.declared?.format);
    if (!declared.includes('ext')) throw new Error(`hero-defined.glb declares ${declared.join(', ')}, expected ext`);
    return comparePoses(await posesOfFile(join(node, 'hero-walks.glb')), join(node, 'walks-by-files.glb'), SAME_KEYS);
  });
}

/** Entries that need no other package; the engines' own declarations have errors of their own. */
const PLAIN_ENTRIES = Object.keys(
  (JSON.parse(readFileSync(inProject('package.json'), 'utf8')) as { exports: Record<string, unknown> }).exports,
).filter((entry) => !/\.json$|three|babylon|gltf-transform|stage/.test(entry));

/** Strict projects of every kind that resolve the package in their own way, none of which skips declarations. */
async function inStrictTypeScript(packed: string): Promise<void> {
  const project = createProject('types', folder, false);
  await step('strict TypeScript: npm i anyrig', () => installAsIn('README.md', project, packed));
  writeFileSync(join(project, 'readme.ts'), codeOf('README.md', 'ts', 'openFile'));
  const imports = PLAIN_ENTRIES.map((entry, k) => `export * as e${k} from 'anyrig${entry.slice(1)}';`);
  writeFileSync(join(project, 'entries.ts'), imports.join('\n'));
  const modes = [
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ] as const;
  for (const [compiler, [resolution, module]] of ['typescript', 'typescript-5.4'].flatMap((one) =>
    modes.map((mode) => [one, mode] as const),
  )) {
    await step(`strict TypeScript: moduleResolution ${resolution}, skipLibCheck false, ${compiler}`, async () => {
      const flags = `--noEmit --strict --skipLibCheck false --target es2022 --lib es2022,dom --types node`;
      const line = `node node_modules/${compiler}/bin/tsc ${flags} --module ${module} --moduleResolution ${resolution}`;
      await runLine(`${line} readme.ts entries.ts`, project);
    });
  }
}

async function inThree(packed: string): Promise<void> {
  const project = createProject('three', folder, true);
  copyFiles(join(project, 'public'));
  await step('Vite + three.js: npm i, as in docs/three.md', () => installAsIn('docs/three.md', project, packed));
  await pages('Vite + three.js', project, [
    {
      title: 'the page of docs/three.md',
      code: codeOf('docs/three.md', 'ts browser', 'WebGLRenderer', 'retargetAnimationClip') + SEND.three,
      check: playsLike('walks-by-files.glb', SAME_KEYS, 'three'),
    },
    {
      title: 'the character controller of docs/three.md: root motion with a mask',
      code: codeOf('docs/three.md', 'ts', 'mixer.createBoneMask') + SEND.position,
      check: async (sent) => {
        const expected = await walkedPosition(join(node, 'walks-by-files.glb'));
        const apart = Math.hypot(...(sent as number[]).map((value, axis) => value - expected[axis]));
        const length = Math.hypot(...expected);
        if (!(length > 0.5 && apart < 1e-4))
          throw new Error(`The page walks to ${sent}, expected ${expected.join(', ')}`);
        return `walks ${length.toFixed(3)} m, ${apart.toExponential(1)} m from the walk alone`;
      },
    },
    {
      title: 'the crowd of docs/three.md, with helmets',
      code:
        codeOf('docs/three.md', 'ts', 'new CharacterCrowd').replace('\nconst crowd', `${HELMETS}\nconst crowd`) +
        SEND.crowd,
      check: async (sent) => {
        const { poses, drawn } = sent as Shown;
        const [helmets] = poses[0].pose['helmet'] ?? [0];
        if (helmets !== 500 || drawn < 0.01) throw new Error(`${helmets} helmets, ${drawn} of the pixels drawn`);
        return `${helmets} helmets a model`;
      },
    },
    {
      title: 'the code for browsers of README.md',
      code: codeOf('README.md', 'ts browser', 'openBytes') + SEND.file,
      check: async (sent) => {
        // Contacts use functions like Math.exp, whose last bits differ between browsers and Node.js.
        const fromPage = join(node, 'from-page.glb');
        writeFileSync(fromPage, Uint8Array.from(sent as number[]));
        return comparePoses(await posesOfFile(fromPage), join(node, 'walks-with-contacts.glb'), SAME_KEYS);
      },
    },
  ]);
}

async function inBabylon(packed: string): Promise<void> {
  const project = createProject('babylon', folder, true);
  copyFiles(join(project, 'public'));
  await step('Vite + Babylon.js: npm i, as in docs/babylon.md', () => installAsIn('docs/babylon.md', project, packed));
  await pages('Vite + Babylon.js', project, [
    {
      title: 'the page of docs/babylon.md',
      code: codeOf('docs/babylon.md', 'ts browser', 'retargetAnimationGroup') + SEND.babylon,
      check: playsLike('walks-by-files.glb', SAME_KEYS, 'babylon'),
    },
  ]);
}

async function inThreeVrm(packed: string): Promise<void> {
  const project = createProject('three-vrm', folder, true);
  copyFileSync(inProject('test/newcomer/projects/three/three-probe.ts'), join(project, 'three-probe.ts'));
  copyFiles(join(project, 'public'));
  for (const name of ['out.vrm', 'out.vrma']) copyFileSync(join(node, name), join(project, 'public', name));
  await step('Vite + three-vrm: npm i, as in docs/three.md', () =>
    installAsIn('docs/three.md', project, packed, '@pixiv/three-vrm'),
  );
  const playing = [
    ['a VRM Animation', 'createVRMAnimationClip', SAME_BONES, 'vrm-animation'],
    ['a clip inside a .vrm', 'autoUpdateHumanBones = false', SAME_KEYS, 'vrm-clip'],
    ['a clip retargeted in the page', 'retargetAnimationClip', SAME_BONES, 'vrm-live'],
  ] as const;
  const list = playing.map(([title, text, tolerance, picture]): Page => {
    const code = codeOf('docs/three.md', 'ts browser', text, 'VRMLoaderPlugin') + SEND.vrm;
    return { title, code, check: playsLike('out.vrm', tolerance, picture) };
  });
  await pages('Vite + three-vrm', project, list);
}

try {
  if (tarball !== null) {
    await inPlainNode(tarball);
    await inStrictTypeScript(tarball);
    await Promise.all([inBabylon(tarball), inThree(tarball).then(() => inThreeVrm(tarball))]);
  }
} catch (error) {
  // Between two steps: nothing after it can run.
  counts.failed++;
  console.log(error);
}
if (kept === undefined) rmSync(folder, { recursive: true, force: true });
else writeFileSync(join(folder, 'counts.json'), JSON.stringify(counts));
console.log(`newcomer: ${counts.passed} steps work, ${counts.failed} do not, ${counts.skipped} were left out`);
process.exitCode = counts.failed > 0 ? 1 : 0;
