/** A figure of the main bones, colored by how certain they are. */
import type { BoneName } from 'anyrig';
import type { JSX } from 'preact';
import type { MapRow } from '../app/map-rows.ts';

/** Places in a box of 100 × 110, seen from the front: the left side of the character is on the right. */
const PLACES: Partial<Record<BoneName, readonly [x: number, y: number]>> = {
  head: [50, 9],
  neck: [50, 18],
  upperChest: [50, 25],
  chest: [50, 32],
  spine: [50, 40],
  hips: [50, 49],
  leftShoulder: [57, 23],
  leftUpperArm: [65, 24],
  leftLowerArm: [79, 27],
  leftHand: [92, 30],
  leftUpperLeg: [57, 54],
  leftLowerLeg: [58, 74],
  leftFoot: [59, 95],
  leftToes: [63, 103],
};

const LINES: readonly (readonly [BoneName, BoneName])[] = [
  ['head', 'neck'],
  ['neck', 'upperChest'],
  ['upperChest', 'chest'],
  ['chest', 'spine'],
  ['spine', 'hips'],
  ['upperChest', 'leftShoulder'],
  ['leftShoulder', 'leftUpperArm'],
  ['leftUpperArm', 'leftLowerArm'],
  ['leftLowerArm', 'leftHand'],
  ['hips', 'leftUpperLeg'],
  ['leftUpperLeg', 'leftLowerLeg'],
  ['leftLowerLeg', 'leftFoot'],
  ['leftFoot', 'leftToes'],
];

function mirrored(bone: BoneName): BoneName {
  return bone.replace(/^left/, 'right') as BoneName;
}

function placeOf(bone: BoneName): readonly [number, number] | undefined {
  const own = PLACES[bone];
  if (own !== undefined) return own;
  const other = PLACES[bone.replace(/^right/, 'left') as BoneName];
  return other === undefined ? undefined : [100 - other[0], other[1]];
}

/** The diagram; a click picks a bone. */
export function BodyDiagram(props: {
  label: string;
  rows: readonly MapRow[];
  picked: BoneName | null;
  onPick: (bone: BoneName) => void;
}): JSX.Element {
  const lines = LINES.flatMap(([a, b]) => {
    const other = [mirrored(a), mirrored(b)] as const;
    return other[0] === a && other[1] === b ? [[a, b] as const] : [[a, b] as const, other];
  });
  return (
    <svg class="body-diagram" viewBox="0 0 100 110" role="img" aria-label={props.label}>
      {lines.map(([a, b]) => {
        const [from, to] = [placeOf(a), placeOf(b)];
        if (from === undefined || to === undefined) return null;
        return <line key={`${a} ${b}`} x1={from[0]} y1={from[1]} x2={to[0]} y2={to[1]} />;
      })}
      {props.rows.map(({ bone, state }) => {
        const place = placeOf(bone);
        if (place === undefined) return null;
        const kind = state === 'given' ? 'auto' : state;
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: the table below does the same by keyboard
          <circle
            key={bone}
            cx={place[0]}
            cy={place[1]}
            r={bone === 'head' ? 5 : 3.2}
            class={bone === props.picked ? `${kind} picked` : kind}
            onClick={() => props.onPick(bone)}
          >
            <title>{bone}</title>
          </circle>
        );
      })}
    </svg>
  );
}
