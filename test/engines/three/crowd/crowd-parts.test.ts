/** Characters with rigid meshes and IK feet in crowds, against the scene of three.js with a retargeted clip. */
import {
  AmbientLight,
  BoxGeometry,
  type InstancedBufferGeometry,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  PointLight,
  type SkinnedMesh,
  Vector3,
} from 'three';
import { describe, expect, it } from 'vitest';
import { CharacterCrowd, createHumanoid, type ThreeHumanoid } from '../../../../src/engines/three/index.ts';
import { retargetAnimationClip } from '../../../../src/engines/three/retarget-animation-clip.ts';
import { type CrowdMesh, canonicalFrame, instanceVertex } from '../../../external/oracle/plugin-vertices.ts';
import { HAS_ASSETS } from '../../../support/assets.ts';
import { demoBytes } from '../../../support/make/demo-files.ts';
import { PLAYBACK_VERTICES } from '../../../support/tolerances.ts';
import { type Loaded, loadAsset, loadBytes, player } from '../scenes.ts';

const demo = (name: string): Promise<Loaded> => loadBytes(name, demoBytes(name));
/** Frames of the walk, which crowds show exactly. */
const TIMES = [0, 9 / 30, 23 / 30];

function meshesOf(root: Object3D): Mesh[] {
  const meshes: Mesh[] = [];
  root.traverseVisible((object) => {
    if ('isMesh' in object) meshes.push(object as Mesh);
  });
  return meshes;
}

/** Returns, per mesh, the greatest distance of a crowd from the scene at several times, relative to the height. */
function distances(source: Loaded, root: Object3D, hero: ThreeHumanoid): Map<string, number> {
  const crowd = new CharacterCrowd(createHumanoid(source.root), [hero], { capacity: 1 });
  const [animation] = source.animations;
  const head = crowd.addPlayhead(animation);
  crowd.add(0, head, new Matrix4());
  // A crowd has no twist joints.
  const { clip } = retargetAnimationClip(animation, source.root, hero, { twist: false });
  const shown = player(root, clip);
  const meshes = meshesOf(root);
  const toCanonical = canonicalFrame(hero.humanoid);
  const [expected, point] = [new Vector3(), new Vector3()];
  const most = new Map<string, number>();
  for (const time of TIMES) {
    head.time = time;
    crowd.update(0);
    shown.show(time);
    root.updateMatrixWorld(true);
    meshes.forEach((mesh, k) => {
      const vertexOf = instanceVertex(crowd, crowd.object.children[k] as CrowdMesh, crowd.crowd.plan.targets[0]);
      const { count } = mesh.geometry.attributes['position'];
      for (let vertex = 0; vertex < count; vertex += Math.ceil(count / 40)) {
        mesh.getVertexPosition(vertex, expected).applyMatrix4(mesh.matrixWorld).applyMatrix4(toCanonical);
        const distance = vertexOf(vertex, point).distanceTo(expected) / hero.humanoid.height;
        most.set(
          mesh.name,
          Math.max(most.get(mesh.name) ?? 0, Number.isNaN(distance) ? Number.POSITIVE_INFINITY : distance),
        );
      }
    });
  }
  expect(crowd.object.children).toHaveLength(meshes.length);
  return most;
}

describe('CharacterCrowd', () => {
  it('moves rigid meshes with the bones that they are parented to, also in groups and scaled', async () => {
    const { root } = await demo('mixamo.glb');
    const hand = root.getObjectByName('mixamorigRightHand') as Object3D;
    const sword = new Mesh(new BoxGeometry(2, 30, 4), new MeshBasicMaterial());
    sword.name = 'sword';
    sword.position.set(3, 8, 1);
    sword.rotation.set(0.4, -0.8, 0.2);
    sword.scale.set(1, 1.7, 0.4);
    const grip = new Mesh(new BoxGeometry(1, 1, 1));
    grip.name = 'grip';
    grip.position.set(0, -4, 0);
    const hidden = new Mesh(new BoxGeometry(5, 5, 5));
    hidden.visible = false;
    hand.add(sword.add(grip), hidden);
    const most = distances(await demo('walk.glb'), root, createHumanoid(root));
    expect([...most.keys()]).toEqual(expect.arrayContaining(['sword', 'grip']));
    for (const distance of most.values()) expect(distance).toBeLessThan(PLAYBACK_VERTICES);
  });

  it('turns the triangles of mirrored meshes, so that their outsides stay outside', async () => {
    const source = await demo('walk.glb');
    const { root } = await demo('mixamo.glb');
    const shield = new Mesh(new BoxGeometry(4, 4, 4));
    shield.scale.set(-1, 1, 1);
    (root.getObjectByName('mixamorigLeftHand') as Object3D).add(shield);
    const crowd = new CharacterCrowd(createHumanoid(source.root), [createHumanoid(root)], { capacity: 1 });
    const { attributes, index } = (crowd.object.children.at(-1) as Mesh<InstancedBufferGeometry>).geometry;
    const [a, b, c, normal] = [0, 1, 2, 0].map(() => new Vector3());
    for (const [k, corner] of [a, b, c].entries()) {
      corner.fromBufferAttribute(attributes['position'] as never, index?.getX(k) as number);
    }
    normal.fromBufferAttribute(attributes['normal'] as never, index?.getX(0) as number);
    expect(b.sub(a).cross(c.sub(a)).dot(normal)).toBeGreaterThan(0);
  });

  it('names what it does not show', async () => {
    const source = await demo('walk.glb');
    const { root } = await demo('mixamo.glb');
    const lamp = new PointLight();
    lamp.name = 'lamp';
    root.add(lamp, new AmbientLight());
    const { issues } = new CharacterCrowd(createHumanoid(source.root), [createHumanoid(root)], { capacity: 1 });
    expect(issues.map(({ code }) => code)).toEqual(['CROWD_PARTS_DROPPED']);
    expect(issues[0].message).toContain('PointLight "lamp", AmbientLight ""');
  });

  it('refuses a skin whose joints are not nodes of the humanoid', async () => {
    const source = createHumanoid((await demo('walk.glb')).root);
    const [one, other] = await Promise.all([demo('mixamo.glb'), demo('mixamo.glb')]);
    const [mesh] = meshesOf(one.root) as SkinnedMesh[];
    mesh.skeleton = (meshesOf(other.root)[0] as SkinnedMesh).skeleton;
    const hero = { ...createHumanoid(other.root), root: one.root, objects: [one.root] };
    expect(() => new CharacterCrowd(source, [hero], { capacity: 1 })).toThrow(/are not nodes of the humanoid/);
  });

  it.skipIf(!HAS_ASSETS)('KayKit Knight: helmet, cape, swords and shields are where three.js shows them', async () => {
    const { root } = await loadAsset('glb/KayKit_Knight.glb');
    const most = distances(await demo('walk.glb'), root, createHumanoid(root));
    const rigid = ['Knight_Helmet', 'Knight_Cape', '1H_Sword', '2H_Sword', 'Round_Shield', 'Spike_Shield'];
    expect([...most.keys()]).toEqual(expect.arrayContaining([...rigid, 'Knight_Body']));
    for (const distance of most.values()) expect(distance).toBeLessThan(PLAYBACK_VERTICES);
  });

  it.skipIf(!HAS_ASSETS)(
    'Witch of Quaternius, whose hips are on the floor: all meshes are where three.js shows them',
    async () => {
      const { root } = await loadAsset('glb/quaternius_women_Witch.glb');
      const most = distances(await demo('walk.glb'), root, createHumanoid(root));
      for (const distance of most.values()) expect(distance).toBeLessThan(PLAYBACK_VERTICES);
    },
  );

  it.skipIf(!HAS_ASSETS)('RobotExpressive: IK feet, legs and hands are where three.js shows them', async () => {
    const { root } = await loadAsset('glb/RobotExpressive.glb');
    const most = distances(await demo('walk.glb'), root, createHumanoid(root));
    expect([...most.keys()]).toEqual(expect.arrayContaining(['FootL_1', 'FootR_1', 'LegL', 'HandR_1']));
    for (const distance of most.values()) expect(distance).toBeLessThan(PLAYBACK_VERTICES);
  });
});
