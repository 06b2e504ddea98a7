/** Advances actions in time: scheduling, warps, loops and fades, as AnimationAction of three.js. */
import type { PlayerAction } from './action.ts';
import { type Clock, updateRamp } from './ramp.ts';

const NOW = Number.NEGATIVE_INFINITY;

/** Updates the speed; a warp that reached its end is removed. */
function updateTimeScale(action: PlayerAction, clock: Clock): void {
  if (action.paused) {
    action.effectiveTimeScale = 0;
    return;
  }
  const { warping } = action;
  if (!warping.isActive) {
    action.effectiveTimeScale = action.timeScale;
    return;
  }
  updateRamp(warping, clock);
  action.effectiveTimeScale = action.timeScale * warping.value;
  if (!(clock.time > warping.endTime)) return;
  if (action.effectiveTimeScale === 0) action.paused = true;
  else {
    if (!Number.isNaN(action.restoredTimeScale)) action.effectiveTimeScale = action.restoredTimeScale;
    action.timeScale = action.effectiveTimeScale;
  }
  action.stopWarping();
}

/** Updates the weight; a fade that reached its end is removed, and an action that faded out disabled. */
function updateWeight(action: PlayerAction, clock: Clock): void {
  const { fade, input } = action;
  input.weight = action.enabled ? action.weight : 0;
  if (!action.enabled || !fade.isActive) return;
  updateRamp(fade, clock);
  input.weight *= fade.value;
  if (!(clock.time > fade.endTime)) return;
  action.stopFading();
  if (fade.value === 0) action.enabled = false;
}

/** Writes the time in the clip: in a backward round, from its end. Also the first round of an action that moves backwards is one. */
function writeClipTime(action: PlayerAction, at: 0 | 1, isMoving: boolean): void {
  const { loopMode, loopCount } = action;
  const isBackward = loopMode === 'pingPong' && (loopCount & 1) === 1 && (loopCount > 0 || isMoving);
  action.span.times[at] = isBackward ? action.clip.duration - action.time : action.time;
}

/** Ends an action at the end of its clip (direction 1) or at its start (−1). */
function finish(action: PlayerAction, direction: 1 | -1): void {
  if (action.clampWhenFinished) action.paused = true;
  else action.enabled = false;
  action.time = direction > 0 ? action.clip.duration : 0;
  action.owner.notify(action, 'finished', direction);
}

function advanceOnce(action: PlayerAction): void {
  const { clip, delta } = action;
  const time = action.time + delta;
  if (action.loopCount === -1) action.loopCount = 0;
  if (time >= clip.duration || time < 0) finish(action, time < 0 ? -1 : 1);
  else action.time = time;
}

function advanceRepeated(action: PlayerAction): void {
  const { clip, delta } = action;
  const time = action.time + delta;
  // Backwards, passing the start for the first time counts as a round.
  if (action.loopCount === -1 && delta >= 0) action.loopCount = 0;
  if (time >= 0 && time < clip.duration) {
    action.time = time;
    return;
  }
  const loops = Math.floor(time / clip.duration);
  const loopCount = action.loopCount + Math.abs(loops);
  if (action.repetitions - loopCount <= 0) {
    // The last round ends here; in ping-pong it keeps its direction.
    action.span.loops = action.loopMode === 'pingPong' ? 0 : loops - Math.sign(loops);
    finish(action, delta > 0 ? 1 : -1);
    return;
  }
  action.loopCount = loopCount;
  action.time = time - clip.duration * loops;
  action.span.loops = action.loopMode === 'pingPong' ? 0 : loops;
  action.owner.notify(action, 'loop', loops);
}

/** Sets `delta`: seconds that the action moves in its clip. A scheduled action moves from its start time on. */
function updateDelta(action: PlayerAction, clock: Clock): void {
  const { step, time } = clock;
  action.delta = step;
  if (action.startTime !== NOW) {
    const running = (time - action.startTime) * Math.sign(step);
    if (running < 0 || step === 0) action.delta = 0;
    else {
      action.startTime = NOW;
      action.delta = Math.sign(step) * running;
    }
  }
  updateTimeScale(action, clock);
  action.delta *= action.effectiveTimeScale;
}

/** Times of a clip between which events are reported: arguments that are numbers may be allocated. */
const range = new Float64Array(2);

/** Reports the events of the clip in `range`, in the direction of play; its end is left out, but for that of the clip. */
function notifyRange(action: PlayerAction): void {
  const { events, duration } = action.clip;
  const from = range[0];
  const to = range[1];
  if (to >= from) {
    for (let k = 0; k < events.length; k++) {
      const { time, name } = events[k];
      if (time >= from && (time < to || (to === duration && time >= duration)))
        action.owner.notify(action, 'event', 1, name);
    }
    return;
  }
  for (let k = events.length - 1; k >= 0; k--) {
    const { time, name } = events[k];
    if (time <= from && (time > to || (to === 0 && time === 0))) action.owner.notify(action, 'event', -1, name);
  }
}

/**
 * Reports what happened in the clip of an action that moved and passed some ends of its clip: up to the end and on from the start, or back from the end. An update that
 * is longer than the clip reports each event once or twice.
 */
function notifyEvents(action: PlayerAction, rounds: number): void {
  const { clip, delta, loopMode, loopCount, span } = action;
  range[0] = span.times[0];
  if (rounds > 0) {
    const isForward = delta > 0;
    const isBouncing = loopMode === 'pingPong';
    const wasBackward = isBouncing && ((loopCount - rounds) & 1) === 1;
    range[1] = wasBackward === isForward ? 0 : clip.duration;
    notifyRange(action);
    range[0] = isBouncing ? range[1] : clip.duration - range[1];
  }
  range[1] = span.times[1];
  if (range[0] !== range[1] || rounds > 0) notifyRange(action);
}

/** Advances an action: its time, weight and speed. `span` receives the times in the clip before and after. Does not allocate. */
export function advanceAction(action: PlayerAction, clock: Clock): void {
  action.motionWeight = 0;
  action.span.loops = 0;
  writeClipTime(action, 0, false);
  writeClipTime(action, 1, false);
  if (action.enabled) {
    updateDelta(action, clock);
    updateWeight(action, clock);
    // An action that ends in this update still moves up to its end.
    action.motionWeight = action.input.weight;
    if (action.delta !== 0 && action.clip.duration > 0) {
      writeClipTime(action, 0, action.delta < 0);
      const { loopCount } = action;
      if (action.loopMode === 'once') advanceOnce(action);
      else advanceRepeated(action);
      writeClipTime(action, 1, true);
      if (action.clip.events.length > 0 && action.input.weight > 0)
        notifyEvents(action, action.loopCount - (action.delta >= 0 ? Math.max(0, loopCount) : loopCount));
    }
  }
  if (!action.enabled) action.input.weight = 0;
}
