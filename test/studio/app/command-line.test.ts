import { expect, it } from 'vitest';
import { commandLine } from '../../../studio/src/app/command-line.ts';
import { MOTION_DEFAULTS } from '../../../studio/src/app/motion-options.ts';
import { DETECTED } from '../../../studio/src/app/project.ts';

const PARTS = {
  motion: 'walk.fbx',
  clip: null,
  character: 'hero.glb',
  output: 'hero-walk.glb',
  options: MOTION_DEFAULTS,
  source: DETECTED,
  target: DETECTED,
  replace: false,
  mesh: true,
  nameOf: (id: string) => `${id}.glb`,
};

it('commandLine: options with their defaults are left out', () => {
  expect(commandLine(PARTS)).toBe('npx anyrig retarget walk.fbx hero.glb -o hero-walk.glb');
});

it('commandLine: every option that differs has its flag', () => {
  const options = {
    hipsScale: 1.5,
    contacts: 'lock',
    armSpace: 'auto',
    legSpace: 4,
    selfCollision: 'off',
    hands: false,
    together: true,
    root: 'in-place',
    twist: false,
    distribute: true,
    face: false,
    skipFirstPose: true,
    clean: true,
    mirror: true,
    loop: true,
    speed: 2,
    trim: [0.5, 1.25],
    reduce: 0.5,
    keys: 'exact',
    fps: 30,
    ground: 'fit',
    extra: { 'Weapon.R': 'sword' },
    names: 'mixamo',
    proportions: 'source',
    events: true,
    ascii: true,
    rest: 'keep',
    textures: 'beside',
  } as const;
  expect(commandLine({ ...PARTS, options, replace: true, mesh: false })).toBe(
    'npx anyrig retarget walk.fbx hero.glb -o hero-walk.glb --trim 0.5:1.25 --skip-first-pose --clean --speed 2 --mirror --ground fit --root in-place --loop --reduce 0.5 --keys exact --fps 30 --ascii --rest keep --textures beside --no-face --hips-scale 1.5 --contacts lock --arm-space auto --leg-space 4 --self-collision off --hands off --together --distribute --no-twist --extra Weapon.R=sword --names mixamo --proportions source --events --replace --no-mesh',
  );
});

it('commandLine: edited maps and poses are named after the files that the page offers', () => {
  const source = { skeleton: 1, map: { hips: 3 }, pose: { kind: 'frame', frame: 12 } } as const;
  const target = { skeleton: null, map: null, pose: { kind: 'edited', rotations: [] } } as const;
  expect(commandLine({ ...PARTS, source, target })).toMatch(
    / --source-skeleton 1 --source-map walk\.map\.json --source-pose frame:12 --target-pose exact:hero\.pose\.glb$/,
  );
});

it('commandLine: names with spaces and quotes are quoted for a shell', () => {
  expect(commandLine({ ...PARTS, clip: "it's a walk" })).toContain(`--clip 'it'\\''s a walk'`);
});

it('commandLine: hand contacts are off with contacts off', () => {
  const options = { ...MOTION_DEFAULTS, contacts: 'off', hands: false } as const;
  expect(commandLine({ ...PARTS, options })).not.toContain('--hands');
});

it('commandLine: the pose of another file is named', () => {
  const target = { ...DETECTED, pose: { kind: 'file', file: 'tpose' } as const };
  expect(commandLine({ ...PARTS, target })).toContain('--target-pose tpose.glb');
});

it('commandLine: a standard rig is the option --to', () => {
  const line = commandLine({ ...PARTS, character: 'rig://ue5', mesh: false });
  expect(line).toContain('retarget walk.fbx --to ue5 -o ');
  expect(line).not.toContain('--no-mesh');
});
