import { expect, test } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { findRootBone, groundNodes } from '../../../src/core/root-motion/root-bone.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { openDemo } from '../../support/make/demo-files.ts';

test.each(['walk.glb', 'unreal.glb', 'blender.glb'])(
  'findRootBone: %s: the topmost joint on the ground above the hips, else an armature, else none',
  async (name) => {
    const { humanoid } = chooseHumanoid(await openDemo(name), 'target', {}).found!;
    const { parents, joints } = humanoid.skeleton;
    const nodes = groundNodes(humanoid);
    const hips = humanoid.map.nodes[BONE.hips];
    for (const node of nodes) {
      let above = hips;
      while (above >= 0 && above !== node) above = parents[above];
      expect(above).toBe(node);
    }
    const found = findRootBone(humanoid);
    if (found === null) expect(nodes).toEqual([]);
    else {
      expect(nodes).toContain(found.node);
      expect(found.isJoint).toBe(nodes.some((node) => joints[node] === 1));
    }
  },
);
