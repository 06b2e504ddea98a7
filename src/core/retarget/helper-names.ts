/** What names say about nodes that are no bones: whether they carry twist, steer a rig, or are another copy of a bone. */
import { rigNames, splitWords } from '../humanoid/mapping/names.ts';
import type { Skeleton } from '../skeleton/skeleton.ts';

/** Words for the joints that spread the roll of a limb: of exporters, game engines and MMD. */
const TWIST = /twist|twst|torsion|roll|捩|捻/i;
/** Words for nodes that steer a rig or mark a place. */
const CONTROL = /^(?:ik|fk|pole|ctrl|ctl|control|controller|target|goal|effector|locator|root|master|mch|prop|socket)$/;
/** `kneeIK` and `LeftFootCtrl` written in one. */
const CONTROL_END = /(?:IK|Ctrl|Target|Pole)(?:$|[^a-z])/;
/** A foot rolls over heel and toes: these are controls. */
const FOOT_ROLL = /(?:heel|toe|foot|ball|ankle).*roll/i;
const NUMBER = /^\d+$/;

/** What the names of all nodes of a rig say. */
export interface HelperNames {
  /** Named as a joint that carries part of the roll of a limb. */
  isTwist(node: number): boolean;
  /** Named as a control, a target or a place. */
  isControl(node: number): boolean;
  /** Named alike but for numbers and prefixes of layers: `DEF-hand.L.001`, `ORG-hand.L`. */
  areAlike(a: number, b: number): boolean;
}

interface ReadNames {
  readonly clean: readonly string[];
  /** The words without numbers. */
  readonly keys: readonly string[];
}

function read(names: readonly string[]): ReadNames {
  const { clean, words } = rigNames(names, () => true);
  const keys = words.map((list) => list.filter((word) => !NUMBER.test(word)).join(' '));
  return { clean, keys };
}

/** What the names of a rig say; they are read when they are asked for, which most rigs never need. */
export function helperNames({ names }: Skeleton): HelperNames {
  let known: ReadNames | null = null;
  const all = (): ReadNames => {
    known ??= read(names);
    return known;
  };
  const isTwist = (node: number): boolean => TWIST.test(all().clean[node]) && !FOOT_ROLL.test(all().clean[node]);
  return {
    isTwist,
    isControl: (node) =>
      CONTROL_END.test(all().clean[node]) ||
      FOOT_ROLL.test(all().clean[node]) ||
      splitWords(names[node]).some((word) => CONTROL.test(word)),
    areAlike: (a, b) => all().keys[a] !== '' && all().keys[a] === all().keys[b],
  };
}
