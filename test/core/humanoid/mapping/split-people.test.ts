import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitPeople } from '../../../../src/core/humanoid/mapping/split-people.ts';
import { restModelPose } from '../../../../src/core/humanoid/t-pose/model-pose.ts';
import type { Skeleton } from '../../../../src/core/skeleton/skeleton.ts';
import { makeCharacter } from '../../../../src/demo/characters/make-character.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { randomCharacterOptions } from '../../../support/make/demo-character.ts';

interface Member {
  readonly skeleton: Skeleton;
  readonly rename?: (name: string) => string;
  /** How far it is moved along x, in its own extents. */
  readonly aside?: number;
}

const rig = (seed: number): Skeleton => makeCharacter({ ...randomCharacterOptions(seed), up: '+Y' }).skeleton;
const numbered = (name: string): string => `${name}_1`;
const named = (name: string): string => `second:${name}`;

function extentOf(skeleton: Skeleton): number {
  const { positions } = restModelPose(skeleton);
  return Math.max(...positions) - Math.min(...positions);
}

/** Puts skeletons below one node, without bind poses. Its name has a word for a body part, which hides nobody. */
function grouped(members: readonly Member[]): Skeleton {
  const names = ['Heads'];
  const parents = [-1];
  const rest = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1];
  const joints = [0];
  for (const { skeleton, rename = (name: string) => name, aside = 0 } of members) {
    const first = names.length;
    const own = Array.from(skeleton.rest);
    for (const [node, parent] of skeleton.parents.entries()) {
      if (parent < 0) own[10 * node] += aside * extentOf(skeleton);
      parents.push(parent < 0 ? 0 : first + parent);
    }
    names.push(...skeleton.names.map(rename));
    rest.push(...own);
    joints.push(...skeleton.joints);
  }
  const [local, flags] = [Float64Array.from(rest), Uint8Array.from(joints)];
  return { name: 'file', names, parents: Int32Array.from(parents), rest: local, bind: null, joints: flags };
}

/** Part of a skeleton: the nodes whose name has one of these words, and all above them. */
function partOf(skeleton: Skeleton, words: RegExp): Skeleton {
  const { names, parents, rest, joints } = skeleton;
  const isKept = names.map((name) => words.test(name));
  for (let node = parents.length - 1; node > 0; node--)
    if (isKept[node] && parents[node] >= 0) isKept[parents[node]] = true;
  const kept = [...names.keys()].filter((node) => isKept[node]);
  return {
    ...skeleton,
    names: kept.map((node) => names[node]),
    parents: Int32Array.from(kept, (node) => kept.indexOf(parents[node])),
    rest: Float64Array.from(kept.flatMap((node) => [...rest.slice(10 * node, 10 * node + 10)])),
    joints: Uint8Array.from(kept, (node) => joints[node]),
  };
}

/** The nodes of each person, without the group, as ranges of the members. */
function ownersOf(members: readonly Member[]): number[] {
  const people = splitPeople(grouped(members));
  let first = 1;
  return members.map(({ skeleton: { names } }) => {
    const nodes = names.map((_, node) => first + node);
    first += names.length;
    return people.findIndex((person) => nodes.every((node) => person.nodes.includes(node)));
  });
}

const seeds = fc.integer({ min: 0, max: 1e6 });
const renames = fc.constantFrom(numbered, named);

describe('splitPeople', () => {
  it('finds two copies of any person side by side', () => {
    fc.assert(
      fc.property(seeds, renames, (seed, rename) => {
        const skeleton = rig(seed);
        const file = grouped([{ skeleton }, { skeleton, rename, aside: 1 }]);
        const count = skeleton.names.length;
        const range = (from: number): number[] => [0, ...Array.from({ length: count }, (_, k) => from + k)];
        const people = splitPeople(file).map(({ nodes, top }) => ({ nodes: [...nodes], top }));
        expect(people).toEqual([
          { nodes: range(1), top: 1 },
          { nodes: range(1 + count), top: 1 + count },
        ]);
      }),
      { numRuns: lawRuns() },
    );
  });

  it('leaves any person with clothes that have copies of the bones whole', () => {
    fc.assert(
      fc.property(seeds, renames, (seed, rename) => {
        const skeleton = rig(seed);
        expect(splitPeople(skeleton)).toEqual([]);
        const shirt = partOf(skeleton, /arm|spine/i);
        expect(splitPeople(grouped([{ skeleton }, { skeleton, rename }, { skeleton: shirt, rename }]))).toEqual([]);
      }),
      { numRuns: lawRuns() },
    );
  });

  it('keeps the clothes of any two people with who wears them', () => {
    fc.assert(
      fc.property(seeds, seeds, (one, other) => {
        const [a, b] = [rig(one), rig(other)];
        const aside = (5 * extentOf(a)) / extentOf(b) + 5;
        const cloth = (name: string): string => `${name}_cloth`;
        const owners = ownersOf([
          { skeleton: partOf(b, /arm|head/i), rename: (name) => cloth(named(name)), aside },
          { skeleton: a },
          { skeleton: b, rename: named, aside },
          { skeleton: a, rename: cloth },
        ]);
        expect(owners).toEqual([1, 0, 1, 0]);
      }),
      { numRuns: lawRuns() },
    );
  });
});
