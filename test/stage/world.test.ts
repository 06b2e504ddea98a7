import { type BufferGeometry, Group, Mesh, type Object3D } from 'three';
import { describe, expect, it, vi } from 'vitest';
import { BONES, type BoneName } from '../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { chooseHumanoid } from '../../src/files/humanoid/find-humanoid.ts';
import type { StageFigure, StageShow } from '../../src/stage/contract.ts';
import { World } from '../../src/stage/world.ts';
import { demoBytes, openDemo } from '../support/make/demo-files.ts';

const SHOW: StageShow = {
  mesh: true,
  skeleton: true,
  ground: true,
  labels: true,
  trails: true,
  marks: true,
  rest: false,
};

function figure(id: string, name: string, more: Partial<StageFigure> = {}): StageFigure {
  return { id, glb: demoBytes(name), ...more };
}

/** There is no GPU. */
const unprepared = (): Promise<void> => Promise.resolve();

async function worldOf(...figures: StageFigure[]): Promise<World> {
  const world = new World();
  for (const one of figures) await world.add(one, unprepared);
  return world;
}

describe('World', () => {
  it.each(['mixamo.glb', 'giant.glb', 'fighter.glb', 'chibi.vrm'])(
    '%s: is upright, on the ground and faces +Z with frame, unit and ground of its humanoid',
    async (name) => {
      const humanoid = chooseHumanoid(await openDemo(name), 'target', {}).found?.humanoid as Humanoid;
      const { frame, metersPerUnit, ground, height, map } = humanoid;
      const world = await worldOf(figure('a', name, { frame, metersPerUnit, ground }));
      world.update(0, SHOW);
      const [{ extent, nodes, skeleton }] = world.figures;
      expect(Math.abs(extent.min[1])).toBeLessThan(0.05 * height);
      expect(extent.max[1]).toBeGreaterThan(0.9 * height);
      expect(extent.max[1]).toBeLessThan(1.4 * height);
      // The left side of a character that faces +Z is on +X.
      const xOf = (bone: BoneName): number => {
        const joint = humanoid.skeleton.names[map.nodes[BONES.indexOf(bone)]];
        const node = nodes.findIndex(({ userData, name: own }) => (userData['name'] ?? own) === joint);
        return skeleton.positions[3 * Array.prototype.indexOf.call(skeleton.joints.nodes, node)];
      };
      expect(xOf('leftUpperLeg')).toBeGreaterThan(xOf('rightUpperLeg'));
    },
  );

  it('arranges figures in a row, sources first, and on one spot in an overlay', async () => {
    const world = await worldOf(figure('b', 'mixamo.glb'), figure('a', 'walk.glb', { role: 'source' }));
    const [b, a] = world.figures;
    expect(a.group.position.x).toBeLessThan(b.group.position.x);
    world.layout = 'overlay';
    expect([a.group.position.x, b.group.position.x]).toEqual([0, 0]);
  });

  it('arranges four figures in one row, and in two where the stage becomes higher than wide', async () => {
    const world = await worldOf(...['a', 'b', 'c', 'd'].map((id) => figure(id, 'mixamo.glb')));
    const rows = (): number => new Set(world.figures.map(({ group }) => group.position.z)).size;
    expect(rows()).toBe(1);
    world.isPortrait = true;
    expect(rows()).toBe(2);
    world.isPortrait = false;
    expect(rows()).toBe(1);
  });

  it('draws a figure alone with ground and lights, and shows the rest again, also after an error', async () => {
    const world = await worldOf(figure('a', 'mixamo.glb'), figure('b', 'mixamo.glb'));
    const gizmo = new Group();
    world.scene.add(gizmo);
    const [a, b] = world.figures;
    b.group.visible = false;
    const drawn = await world.load(figure('c', 'child.vrm'), unprepared);
    let seen: Object3D[] = [];
    const draw = (): void => {
      seen = world.scene.children.filter(({ visible }) => visible);
      throw new Error('no picture');
    };
    expect(() => world.alone(drawn, draw)).toThrow('no picture');
    expect(new Set(seen)).toEqual(new Set([drawn.group, world.ground.object, ...world.lights.objects]));
    expect([a.group.visible, b.group.visible, gizmo.visible]).toEqual([true, false, true]);
    expect(drawn.group.parent).toBeNull();
  });

  it('replaces a figure with the same id', async () => {
    const world = await worldOf(figure('a', 'mixamo.glb'));
    const [before] = world.figures;
    await world.add(figure('a', 'child.vrm'), unprepared);
    expect(world.figures).toHaveLength(1);
    expect(world.figures[0]).not.toBe(before);
    expect(before.group.parent).toBeNull();
  });

  it('does not add a figure that was removed, or added anew, while it was loaded', async () => {
    const world = new World();
    const first = world.add(figure('a', 'mixamo.glb'), unprepared);
    const second = world.add(figure('a', 'child.vrm'), unprepared);
    const third = world.add(figure('b', 'child.vrm'), unprepared);
    world.remove('b');
    expect(await Promise.all([first, second, third])).toEqual([false, true, false]);
    expect(world.figures.map(({ id }) => id)).toEqual(['a']);
  });

  it('frees all geometries of a figure that is removed, with overlays and reference pose', async () => {
    const world = await worldOf(figure('a', 'mixamo.glb'));
    const [added] = world.figures;
    added.setTrails([{ points: new Float32Array(9), color: 'red' }]);
    added.setMarks([{ points: new Float32Array(9), from: 0, to: 1, color: 'red' }]);
    world.update(0, { ...SHOW, rest: true });
    const geometries = new Set<BufferGeometry>();
    added.group.traverse((object) => {
      if (object instanceof Mesh) geometries.add(object.geometry);
    });
    const freed = [...geometries].map((geometry) => vi.spyOn(geometry, 'dispose'));
    expect(freed.length).toBeGreaterThan(4);
    world.remove('a');
    for (const dispose of freed) expect(dispose).toHaveBeenCalled();
  });

  it('throws for joints and rest poses with nodes that the file has not', async () => {
    const world = await worldOf(figure('hero', 'child.vrm'));
    const hero = world.figure('hero');
    expect(() => hero.setJoints({ nodes: [0, 9999], parents: [-1, 0] })).toThrow(/Node 9999 does not exist/);
    expect(() => hero.setRestPose(new Map([[9999, { rotation: [0, 0, 0, 1] }]]))).toThrow(RangeError);
    world.update(0, { ...SHOW, rest: true });
  });

  it('throws for an unknown figure, and names the others', async () => {
    const world = await worldOf(figure('hero', 'child.vrm'));
    expect(() => world.figure('heroo')).toThrow(/no figure "heroo".*hero/);
  });

  it('has a box around all figures, also after root motion', async () => {
    const world = await worldOf(figure('a', 'child.vrm'));
    world.update(0, SHOW);
    const before = world.extent();
    const [{ player, nodes }] = world.figures;
    const hips = nodes.findIndex(({ name }) => /hips/i.test(name));
    player.setPose(new Map([[hips, { rotation: [0, 0, 0, 1], translation: [0, 1, 5] }]]));
    world.update(0, SHOW);
    const after = world.extent();
    expect(after.max[2] - before.max[2]).toBeGreaterThan(4);
    expect(after.max[0]).toBeCloseTo(before.max[0], 6);
  });

  it('shows and frames a focused figure alone, and all without one that is there', async () => {
    const world = await worldOf(figure('a', 'child.vrm'), figure('b', 'mixamo.glb'));
    const width = (): number => world.extent().max[0] - world.extent().min[0];
    world.update(0, SHOW);
    const all = width();
    world.focused = 'b';
    world.update(0, SHOW);
    expect(world.figures.map(({ group }) => group.visible)).toEqual([false, true]);
    expect(width()).toBeLessThan(0.8 * all);
    world.focused = 'c';
    world.update(0, SHOW);
    expect(world.figures.map(({ group }) => group.visible)).toEqual([true, true]);
    expect(width()).toBeCloseTo(all, 6);
  });

  it('orders a row by ids, and draws figures in the height of the first result', async () => {
    const world = await worldOf(figure('a', 'child.vrm'), figure('b', 'mixamo.glb'));
    const [a, b] = world.figures;
    expect(a.group.position.x).toBeLessThan(b.group.position.x);
    world.order = ['b', 'a'];
    expect(a.group.position.x).toBeGreaterThan(b.group.position.x);
    world.equalHeights = true;
    expect(b.height * b.group.scale.x).toBeCloseTo(a.height, 6);
  });

  it('shows an empty stage of the size of a person', () => {
    expect(new World().extent().max[1]).toBe(1.8);
  });
});
