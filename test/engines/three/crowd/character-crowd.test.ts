import { type DataTexture, type Material, Matrix4, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { CharacterCrowd, createHumanoid } from '../../../../src/engines/three/index.ts';
import { retargetAnimationClip } from '../../../../src/engines/three/retarget-animation-clip.ts';
import { type CrowdMesh, instanceVertex } from '../../../external/oracle/plugin-vertices.ts';
import { demoBytes } from '../../../support/make/demo-files.ts';
import { PLAYBACK_VERTICES } from '../../../support/tolerances.ts';
import { skinnedMeshes } from '../mixer/instances.ts';
import { type Loaded, loadBytes, player } from '../scenes.ts';

const demo = (name: string): Promise<Loaded> => loadBytes(name, demoBytes(name));

/** Returns the texture that tells a material where the characters are. */
function placementsOf(material: Material): DataTexture & { readonly image: { readonly data: Float32Array } } {
  const shader = { uniforms: {} as Record<string, { value: never }>, vertexShader: '', fragmentShader: '' };
  material.onBeforeCompile(shader as never, null as never);
  return shader.uniforms['crowdPlacements'].value;
}

it('CharacterCrowd: the shader inputs give the vertices of a retargeted clip', async () => {
  const source = await demo('walk.glb');
  const { root } = await demo('mixamo.glb');
  const hero = createHumanoid(root);
  const crowd = new CharacterCrowd(createHumanoid(source.root), [hero], { capacity: 2 });
  const time = 0.5;
  crowd.add(0, crowd.addPlayhead(source.animations[0], { time }), new Matrix4());
  crowd.update(0);
  const { clip } = retargetAnimationClip(source.animations[0], source.root, hero);
  player(root, clip).show(time);
  root.updateMatrixWorld(true);
  const [mesh] = skinnedMeshes(root);
  const instanced = crowd.object.children[0] as CrowdMesh;
  const vertexOf = instanceVertex(crowd, instanced, crowd.crowd.plan.targets[0]);
  const shown = new Vector3();
  let most = 0;
  for (let vertex = 0; vertex < mesh.geometry.attributes['position'].count; vertex += 37) {
    const expected = mesh.getVertexPosition(vertex, new Vector3()).applyMatrix4(mesh.matrixWorld);
    most = Math.max(most, vertexOf(vertex, shown).distanceTo(expected));
  }
  expect(most / hero.humanoid.height).toBeLessThan(PLAYBACK_VERTICES);
});

it('CharacterCrowd: characters come, go, move and change their playhead', async () => {
  const source = await demo('walk.glb');
  const models = await Promise.all(['mixamo.glb', 'child.vrm'].map(demo));
  const crowd = new CharacterCrowd(
    createHumanoid(source.root),
    models.map(({ root }) => createHumanoid(root)),
    { capacity: 4 },
  );
  const [first, second] = [0, 0.5].map((time) => crowd.addPlayhead(source.animations[0], { time }));
  const [a, b, c] = [0, 0, 1].map((model, k) => crowd.add(model, first, new Matrix4().makeTranslation(k, 0, 0)));
  const meshes = crowd.object.children as CrowdMesh[];
  expect(meshes.map(({ geometry }) => geometry.instanceCount)).toEqual([2, 1]);
  crowd.setPlayhead(b, second);
  crowd.remove(a);
  expect([crowd.crowd.size, ...meshes.map(({ geometry }) => geometry.instanceCount)]).toEqual([2, 1, 1]);
  const at = meshes[0].geometry.attributes['crowdInstance'];
  expect([at.getX(0), at.getY(0)]).toEqual([b, second.index]);
  crowd.setMatrix(b, new Matrix4().makeTranslation(7, 0, 0));
  const { data } = placementsOf(meshes[0].material as Material).image;
  expect([b, c].map((character) => data[16 * character + 12])).toEqual([7, 2]);
  expect(() => crowd.remove(a)).toThrow(/no character/);
  crowd.update(0.1);
  crowd.remove(c);
  crowd.dispose();
});
