/**
 * A crowd of a hundred instances of one character, each with its own take, posed and skinned with points and normals. The instances
 * that share their mesh and skeleton data are measured against instances that are deformed separately. A check compares the points
 * of both and verifies that the data is shared.
 */
import {
  deformPrim,
  deformSkinnedInstances,
  openStage,
  type PrimDeformer,
  parseUsda,
  parseUsdc,
  planPrim,
  planSkinnedInstances,
  readAnimatedSkeleton,
  readBindings,
  type Stage,
  sampleSkeleton,
  serializeUsdc,
  skelRoots,
} from 'anyrig/usd';
import { sourceCharacter } from './characters.ts';
import { compare, type Row } from './measure.ts';
import { characterText, fillCharacter, fillTake, takeText } from './usd-character.ts';

const COUNT = 100;
const SAMPLES = 30;
const DETAIL = 1;

function crowdStage(): Stage {
  const character = sourceCharacter();
  const members = Array.from({ length: COUNT }, (_, k) => k);
  const takes = members.map((k) => takeText(character, `T${k}`)).join('\n');
  const instances = members.map(
    (k) => `def "I${k}" (prepend apiSchemas = ["SkelBindingAPI"]
      instanceable = true
      references = </Character>) {
      rel skel:animationSource = </Takes/T${k}>
    }`,
  );
  const layer = parseUsda(
    `#usda 1.0\n${characterText(character, 'class SkelRoot "Character"', '')}\ndef Scope "Takes" {\n${takes}\n}\n${instances.join('\n')}\n`,
  );
  fillCharacter(layer, '/Character', character, DETAIL);
  for (const k of members) fillTake(layer, `/Takes/T${k}`, character, SAMPLES, k / 37);
  return openStage(parseUsdc(serializeUsdc(layer)));
}

/** Plans each instance separately, with its own definition, mesh and plan. */
function planAlone(stage: Stage): { deformer: PrimDeformer; pointsAt: (time: number) => Float64Array }[] {
  return skelRoots(stage).map((root) => {
    const [{ skeleton, animation, prims }] = readBindings(stage, root).bindings;
    const { skeleton: animated } = readAnimatedSkeleton(stage, skeleton, animation);
    if (animated === null) throw new Error(`${skeleton} is not valid.`);
    const deformer = planPrim(stage, prims[0], animated);
    const pointsAt = (time: number): Float64Array =>
      deformPrim(stage, deformer, sampleSkeleton(stage, animated, time), time).points;
    return { deformer, pointsAt };
  });
}

/** Measures a crowd against separately deformed instances. */
export async function usdCrowd(rounds: number): Promise<Row[]> {
  const stage = crowdStage();
  const crowd = planSkinnedInstances(stage);
  const alone = planAlone(stage);
  let time = 0;
  const next = (): number => {
    time = (time + 0.37) % (SAMPLES - 1);
    return time;
  };
  deformSkinnedInstances(stage, crowd, 4.3);
  const prims = crowd.instances.flatMap((member) => member.prims);
  if (prims.length !== COUNT || alone.length !== COUNT)
    throw new Error(`The crowd has ${prims.length} prims, but ${COUNT} were expected.`);
  const { geometry } = prims[0].deformer.mesh;
  prims.forEach(({ deformer, buffers }, k) => {
    const shared = deformer.mesh.geometry;
    const isShared = shared?.plan === geometry?.plan && shared?.vertices.positions === geometry?.vertices.positions;
    if (!isShared || shared?.influences !== geometry?.influences)
      throw new Error('Instances must share their mesh data, but it was copied.');
    const expected = alone[k].pointsAt(4.3);
    if (!buffers.result.points.every((value, i) => value === expected[i]))
      throw new Error(`The points of instance ${k} differ from those of the instance deformed separately.`);
  });
  const points = prims[0].buffers.result.points.length / 3;
  const own = { name: 'deformCrowd', run: () => deformSkinnedInstances(stage, crowd, next()) };
  const against = {
    name: 'sampleSkeleton and deformPrim of each',
    run: () => {
      const at = next();
      for (const { pointsAt } of alone) pointsAt(at);
    },
  };
  const name = `usd-crowd (${COUNT} × ${points} points)`;
  return compare([{ name, own, against, kind: 'speedup', limit: 1 }], rounds, { time: 300, calls: 5 });
}
