/** Classifies non-bone nodes by name: twist joints, controls, copies of a bone. */
import { type RigNames, rigNames, splitWords } from '../humanoid/mapping/by-name/node-names.ts';
import type { Skeleton } from '../skeleton/skeleton.ts';

/** Words for twist joints in the names of exporters, game engines and MMD; a controller does not roll. */
const TWIST = /twist|twst|torsion|(?<!cont)roll|捩|捻/i;
/** Words for controls, targets and sockets. */
const CONTROL = /^(?:ik|fk|pole|ctrl|ctl|control|controller|target|goal|effector|locator|root|master|mch|prop|socket)$/;
/** Controls whose suffix is joined to the name: `kneeIK`, `LeftFootCtrl`. */
const CONTROL_END = /(?:IK|Ctrl|Target|Pole)(?:$|[^a-z])/;
/** Foot roll controls: the foot rolls over heel and toes. */
const FOOT_ROLL = /(?:heel|toe|foot|ball|ankle).*roll/i;
/** The joints of Unreal's skeletons that animations key where hands and feet are, for IK in the engine. */
const UNREAL_IK = /^ik_(?:foot|hand)_(?:[lr]|gun)$/i;
const NUMBER = /^\d+$/;
/** The legs of MMD that deform the mesh, 左足D beside 左足: they follow the legs that IK moves. */
const MMD_DEFORMING = /(足|ひざ|膝|足首)[DＤ](?=$|[._\s])/;

/** What the names of the nodes of a rig say. */
export interface HelperNames {
  isTwist(node: number): boolean;
  isControl(node: number): boolean;
  /** Tells whether a node has the name of a joint that follows a hand or foot in Unreal's skeletons. */
  isUnrealIk(node: number): boolean;
  /** Tells whether two names differ only in numbers, layer prefixes and the D of MMD: `DEF-hand.L.001`, `ORG-hand.L`; `左足D`, `左足`. */
  areAlike(a: number, b: number): boolean;
  /** Lists the other nodes whose name is alike. */
  namesakes(node: number): readonly number[];
}

type ParsedNames = Pick<RigNames, 'clean' | 'keys'>;

function parseNames(names: readonly string[]): ParsedNames {
  const { clean, words } = rigNames(
    names.map((name) => name.replace(MMD_DEFORMING, '$1')),
    () => true,
  );
  const keys = words.map((list) => list.filter((word) => !NUMBER.test(word)).join(' '));
  return { clean, keys };
}

/** Creates the name tests of a rig. Names are parsed at the first test, which most rigs never need. */
export function helperNames({ names }: Pick<Skeleton, 'names'>): HelperNames {
  let parsed: ParsedNames | null = null;
  const all = (): ParsedNames => {
    parsed ??= parseNames(names);
    return parsed;
  };
  let groups: Map<string, number[]> | null = null;
  const groupsByKey = (): Map<string, number[]> => {
    if (groups !== null) return groups;
    groups = new Map();
    for (const [node, key] of all().keys.entries()) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [node]);
      else group.push(node);
    }
    return groups;
  };
  const isTwist = (node: number): boolean => TWIST.test(all().clean[node]) && !FOOT_ROLL.test(all().clean[node]);
  return {
    isTwist,
    isUnrealIk: (node) => UNREAL_IK.test(names[node].slice(names[node].lastIndexOf(':') + 1)),
    isControl: (node) =>
      CONTROL_END.test(all().clean[node]) ||
      FOOT_ROLL.test(all().clean[node]) ||
      splitWords(names[node]).some((word) => CONTROL.test(word)),
    areAlike: (a, b) => all().keys[a] !== '' && all().keys[a] === all().keys[b],
    namesakes: (node) =>
      all().keys[node] === '' ? [] : (groupsByKey().get(all().keys[node]) ?? []).filter((other) => other !== node),
  };
}
