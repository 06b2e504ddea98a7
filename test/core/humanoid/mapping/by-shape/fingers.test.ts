import { describe, expect, it } from 'vitest';
import { fitHands } from '../../../../../src/core/humanoid/mapping/by-shape/fingers.ts';
import { createPosedRigs } from '../../../../../src/core/humanoid/mapping/by-shape/posed-rig.ts';
import { positionedRig, rowsOfSide } from '../../../../support/make/positioned-rig.ts';

const ARM = 'chest 0 1.4 0\n *upperarm 0.18 1.4 0 > forearm 0.45 1.4 0 > hand 0.7 1.4 0';
const THUMB = '\n  thumb1 0.73 1.39 0.03 > thumb2 0.75 1.38 0.05 > thumb3 0.77 1.37 0.07';
const finger = (name: string, x: number, z: number, joints = 3): string =>
  `\n  ${Array.from({ length: joints }, (_, k) => `${name}${k + 1} ${(x + 0.035 * k).toFixed(3)} 1.4 ${z}`).join(' > ')}`;

/** The fingers of the left hand by the names of their joints: thumb, then the others. */
function handOf(text: string): { thumb: string | undefined; others: string[]; isOrdered: boolean } | null {
  const rig = positionedRig(text);
  const [posed] = createPosedRigs(rig, null);
  const arms = ['L', 'R'].map(
    (side) =>
      ['upperarm', 'forearm', 'hand'].map((part) => rig.names.indexOf(`${part}.${side}`)) as [number, number, number],
  );
  const hand = fitHands(posed, arms, 0.25, null)[0];
  if (hand === null) return null;
  const join = (nodes: readonly number[]): string => nodes.map((node) => rig.names[node]).join(' ');
  return { thumb: hand.thumb ? join(hand.thumb) : undefined, others: hand.others.map(join), isOrdered: hand.isOrdered };
}

describe('fitHands', () => {
  it('identifies fingers by their order from the thumb', () => {
    const text = `${ARM}${finger('ring', 0.79, -0.01)}${finger('little', 0.78, -0.03)}${finger('index', 0.79, 0.03)}${THUMB}${finger('middle', 0.795, 0.01)}`;
    expect(handOf(text)).toEqual({
      thumb: 'thumb1 thumb2 thumb3',
      others: ['index1 index2 index3', 'middle1 middle2 middle3', 'ring1 ring2 ring3', 'little1 little2 little3'],
      isOrdered: true,
    });
  });

  it('drops metacarpals where index finger and thumb share theirs', () => {
    const palm = (name: string, z: number): string =>
      `\n  ${name}Palm 0.73 1.4 ${z} > ${name}1 0.8 1.4 ${z} > ${name}2 0.83 1.4 ${z} > ${name}3 0.86 1.4 ${z}`;
    const shared = `${ARM}\n  palm 0.73 1.4 0.02${finger('index', 0.79, 0.03).replaceAll('\n  ', '\n   ')}${THUMB.replaceAll('\n  ', '\n   ')}`;
    expect(handOf(`${shared}${palm('middle', 0.01)}${palm('ring', -0.01)}${palm('little', -0.03)}`)).toMatchObject({
      thumb: 'thumb1 thumb2 thumb3',
      others: ['index1 index2 index3', 'middle1 middle2 middle3', 'ring1 ring2 ring3', 'little1 little2 little3'],
    });
  });

  it('drops end joints and metacarpals', () => {
    const ends = `${ARM}${THUMB} > thumb4 0.79 1.36 0.09${finger('index', 0.79, 0.02, 4)}${finger('little', 0.78, -0.02, 4)}`;
    expect(handOf(ends)).toMatchObject({
      thumb: 'thumb1 thumb2 thumb3',
      others: ['index1 index2 index3', 'little1 little2 little3'],
    });
    const palm = (name: string, z: number): string =>
      `\n  palm${name} 0.73 1.4 ${z / 2} > ${finger(name, 0.79, z).trim()}`;
    expect(handOf(`${ARM}${THUMB}${palm('index', 0.02)}${palm('little', -0.02)}`)).toMatchObject({
      thumb: 'thumb1 thumb2 thumb3',
      others: ['index1 index2 index3', 'little1 little2 little3'],
    });
  });

  it('finds a finger that has its end joint on one side only', () => {
    const [upper, fingers] = [ARM.split('*')[1], `${finger('index', 0.79, 0.02)}${finger('little', 0.78, -0.02)}`];
    const end = ' > thumb4 0.79 1.36 0.09';
    const left = rowsOfSide(`${upper}${THUMB}${fingers}`, 'L');
    const right = rowsOfSide(`${upper}${THUMB}${end}${fingers}`, 'R');
    const hand = {
      thumb: 'thumb1.L thumb2.L thumb3.L',
      others: ['index1.L index2.L index3.L', 'little1.L little2.L little3.L'],
    };
    expect(handOf(`chest 0 1.4 0\n ${left}\n ${right}`)).toMatchObject(hand);
    const ends = `${finger('index', 0.79, 0.02, 4)}${finger('little', 0.78, -0.02, 4)}`;
    const [cut, whole] = [rowsOfSide(`${upper}${THUMB}${ends}`, 'L'), rowsOfSide(`${upper}${THUMB}${end}${ends}`, 'R')];
    expect(handOf(`chest 0 1.4 0\n ${cut}\n ${whole}`)).toMatchObject(hand);
  });

  it('finds fingers below a common base', () => {
    const base = `${ARM} > base 0.72 1.4 0${THUMB}${finger('index', 0.79, 0.02)}${finger('little', 0.78, -0.02)}`;
    expect(handOf(base)).toMatchObject({
      thumb: 'thumb1 thumb2 thumb3',
      others: ['index1 index2 index3', 'little1 little2 little3'],
    });
  });

  it('finds no order without a thumb and a front', () => {
    const four = `${ARM}${finger('a', 0.79, 0.03)}${finger('b', 0.795, 0.01)}${finger('c', 0.79, -0.01)}${finger('d', 0.78, -0.03)}`;
    expect(handOf(four)).toMatchObject({ thumb: undefined, isOrdered: false });
  });

  it('finds no fingers in a single joint after the hand', () => {
    expect(handOf(`${ARM} > slot 0.8 1.4 0`)).toBeNull();
    expect(handOf(ARM)).toBeNull();
  });
});
