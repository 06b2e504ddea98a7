/**
 * Changes of a crowd while it runs: a character enters, one leaves, a playhead gets another clip, at 1,000 characters. Each change is timed together with
 * the update that follows it, which sorts the characters anew. The row has the slowest one in a hundred, less the median of updates without a change.
 */
import { describeHumanoid } from 'anyrig';
import { Crowd, compileClip, planCrowd } from 'anyrig/playback';
import { fullWalkOf, sourceCharacter, targetCharacter } from './characters.ts';
import { median, type Row } from './measure.ts';

const CHARACTERS = 1000;
const PLAYHEADS = 16;
const FRAME_TIME = 1 / 60;
/** Milliseconds that a change may take. */
const LIMIT = 1;
/** The change that also prepares a clip. */
const PREPARED = 'crowd-stall, a clip is added and swapped';
/** Changes of each kind per round. */
const CHANGES = 400;

/** Returns the value that one in a hundred exceeds. */
function percentile99(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(0.99 * values.length)];
}

/** Measures the changes. */
export async function crowdStall(rounds: number): Promise<Row[]> {
  const character = sourceCharacter();
  const clip = fullWalkOf(character);
  const source = describeHumanoid(character.skeleton, { metersPerUnit: 1 }).humanoid;
  const target = describeHumanoid(targetCharacter().skeleton, { metersPerUnit: 1 }).humanoid;
  const plan = source && target && planCrowd(source, [{ humanoid: target, skin: null }]).plan;
  if (!plan) throw new Error('The crowd could not be planned.');
  const crowd = new Crowd(plan, { capacity: CHARACTERS + 1 });
  const known = [compileClip(character.skeleton, clip), compileClip(character.skeleton, clip)];
  for (const one of known) crowd.addClip(one);
  const heads = Array.from({ length: PLAYHEADS }, (_, k) => crowd.addPlayhead(known[0], { time: 0.05 * k }));
  for (let k = 0; k < CHARACTERS; k++) crowd.add(0, heads[k % PLAYHEADS]);
  // Processor time: a busy machine interrupts for milliseconds.
  const timed = (run: () => void): number => {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  let entered = -1;
  const changes: Readonly<Record<string, (k: number) => void>> = {
    'crowd-stall, a character enters': (k) => {
      entered = crowd.add(0, heads[k % PLAYHEADS]);
    },
    'crowd-stall, a character leaves': () => crowd.remove(entered),
    'crowd-stall, a clip is swapped': (k) => crowd.setClip(heads[k % PLAYHEADS], known[k % 2]),
    [PREPARED]: (k) => {
      // A new object is a new clip.
      const added = { ...known[0] };
      const head = heads[k % PLAYHEADS];
      crowd.setClip(head, added);
      crowd.setClip(head, known[k % 2]);
      crowd.removeClip(added);
    },
  };
  const results = new Map(Object.keys(changes).map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    const times = new Map(Object.keys(changes).map((name) => [name, [] as number[]]));
    const plain: number[] = [];
    for (let k = 0; k < CHANGES; k++) {
      for (const [name, change] of Object.entries(changes)) {
        times.get(name)?.push(
          timed(() => {
            change(k);
            crowd.update(FRAME_TIME);
          }),
        );
        plain.push(timed(() => crowd.update(FRAME_TIME)));
      }
    }
    const usual = median(plain);
    for (const [name, list] of times) results.get(name)?.push(Math.max(0, percentile99(list) - usual));
  }
  return [...results].map(([name, list]) => {
    const value = median(list);
    return {
      name,
      value,
      unit: 'ms',
      against: `allowed stall at ${CHARACTERS} characters`,
      againstValue: LIMIT,
      ratio: value / LIMIT,
      // A crowd prepares clips ahead of time, with addClip.
      goal: name === PREPARED ? null : { kind: 'cost', limit: 1 },
      runs: rounds,
      rounds: list.map((one) => ({ value: one, against: LIMIT, ratio: one / LIMIT })),
    };
  });
}
