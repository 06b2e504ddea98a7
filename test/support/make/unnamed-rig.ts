/** A rig that only a person can map. */
import { MIXAMO_RIG } from '../../../src/demo/characters/rigs.ts';
import { gltfWithCharacters } from './two-characters.ts';

interface Node {
  name?: string;
  children?: number[];
}

/** A rig without names whose forearms are missing, so that nothing recognizes it; and the true node of each bone. */
export function unnamedRig(): { text: string; truth: Record<string, number> } {
  const json = JSON.parse(gltfWithCharacters([MIXAMO_RIG])) as { nodes: Node[] };
  const truth: Record<string, number> = {};
  const bones: Record<string, string> = {
    Hips: 'hips',
    Spine: 'spine',
    Head: 'head',
    LeftArm: 'leftUpperArm',
    LeftForeArm: 'leftLowerArm',
    RightArm: 'rightUpperArm',
    RightForeArm: 'rightLowerArm',
    LeftUpLeg: 'leftUpperLeg',
    LeftLeg: 'leftLowerLeg',
    LeftFoot: 'leftFoot',
    RightUpLeg: 'rightUpperLeg',
    RightLeg: 'rightLowerLeg',
    RightFoot: 'rightFoot',
  };
  for (const [index, node] of json.nodes.entries()) {
    const name = (node.name ?? '').replace(/^.*:/, '');
    if (name in bones) truth[bones[name]] = index;
    if (/ForeArm$/.test(name)) delete node.children;
    delete node.name;
  }
  return { text: JSON.stringify(json), truth };
}
