/**
 * A hundred instances of one character, each with a take of its own, posed and skinned with points and normals: as a crowd, where all that they have in
 * common is there once, against each for itself. The check says that what is shared is one object, and that both ways come to the same.
 */
import {
  deformSkinnedInstances,
  deformPrim,
  openStage,
  type PrimDeformer,
  parseUsda,
  parseUsdc,
  planSkinnedInstances,
  planPrim,
  serializeUsdc,
  readAnimatedSkeleton,
  readBindings,
  type Stage,
  sampleSkeleton,
  skelRoots,
} from 'anyrig/usd';
import { sourceCharacter } from './characters.ts';
import { compare, type Row } from './measure.ts';
import { characterText, fillCharacter, fillTake, takeText } from './usd-character.ts';

const COUNT = 100;
const SAMPLES = 30;
const DETAIL = 1;

function crowdStage(): Stage {
  const body = sourceCharacter();
  const members = Array.from({ length: COUNT }, (_, k) => k);
  const takes = members.map((k) => takeText(body, `T${k}`)).join('\n');
  const instances = members.map(
    (k) => `def "I${k}" (prepend apiSchemas = ["SkelBindingAPI"]
      instanceable = true
      references = </Character>) {
      rel skel:animationSource = </Takes/T${k}>
    }`,
  );
  const layer = parseUsda(
    `#usda 1.0\n${characterText(body, 'class SkelRoot "Character"', '')}\ndef Scope "Takes" {\n${takes}\n}\n${instances.join('\n')}\n`,
  );
  fillCharacter(layer, '/Character', body, DETAIL);
  for (const k of members) fillTake(layer, `/Takes/T${k}`, body, SAMPLES, k / 37);
  return openStage(parseUsdc(serializeUsdc(layer)));
}

/** Each instance for itself: its definition, its mesh and its plan are its own. */
function planAlone(stage: Stage): { deformer: PrimDeformer; pointsAt: (time: number) => Float64Array }[] {
  return skelRoots(stage).map((root) => {
    const [{ skeleton, animation, prims }] = readBindings(stage, root).bindings;
    const animated = readAnimatedSkeleton(stage, skeleton, animation, []);
    if (animated === null) throw new Error(`${skeleton} is not valid`);
    const deformer = planPrim(stage, prims[0], animated, []);
    const pointsAt = (time: number): Float64Array =>
      deformPrim(stage, deformer, sampleSkeleton(stage, animated, time, []), time, []).points;
    return { deformer, pointsAt };
  });
}

export async function usdCrowd(rounds: number): Promise<Row[]> {
  const stage = crowdStage();
  const crowd = planSkinnedInstances(stage, []);
  const alone = planAlone(stage);
  let time = 0;
  const next = (): number => {
    time = (time + 0.37) % (SAMPLES - 1);
    return time;
  };
  deformSkinnedInstances(stage, crowd, 4.3, []);
  const prims = crowd.instances.flatMap((member) => member.prims);
  if (prims.length !== COUNT || alone.length !== COUNT) throw new Error(`There are ${prims.length} prims`);
  const { geometry } = prims[0].deformer.mesh;
  prims.forEach(({ deformer, buffers }, k) => {
    const shared = deformer.mesh.geometry;
    const isShared = shared?.plan === geometry?.plan && shared?.vertices.positions === geometry?.vertices.positions;
    if (!isShared || shared?.influences !== geometry?.influences) throw new Error('Shared data was copied');
    const expected = alone[k].pointsAt(4.3);
    if (!buffers.result.points.every((value, i) => value === expected[i]))
      throw new Error(`Instance ${k} is another one alone`);
  });
  const points = prims[0].buffers.result.points.length / 3;
  const own = { name: 'deformCrowd', run: () => deformSkinnedInstances(stage, crowd, next(), []) };
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
