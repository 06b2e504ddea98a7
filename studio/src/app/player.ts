/** Time and playback of the stage as signals. */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { AnyrigStage } from 'anyrig/stage';

/** Seconds per step of a frame. */
export const FRAME = 1 / 30;
/** Milliseconds between two updates of the panels during playback: painting them takes time from the stage. */
const UPDATE = 66;

export interface Player {
  /** The stage; null before it is on the page. */
  readonly stage: ReadonlySignal<AnyrigStage | null>;
  /** Seconds. */
  readonly time: ReadonlySignal<number>;
  readonly paused: ReadonlySignal<boolean>;
  /** Length of the longest clip in seconds. */
  readonly duration: ReadonlySignal<number>;
  readonly loop: ReadonlySignal<boolean>;
  readonly rate: ReadonlySignal<number>;
  connect(stage: AnyrigStage): () => void;
  toggle(): void;
  /** Goes to a time, within the clip. */
  seek(time: number): void;
  setLoop(loop: boolean): void;
  setRate(rate: number): void;
  /** Takes the duration from the stage, after its clips changed. */
  refresh(): void;
}

export function createPlayer(): Player {
  const stage = signal<AnyrigStage | null>(null);
  const time = signal(0);
  const paused = signal(true);
  const duration = signal(0);
  const loop = signal(true);
  const rate = signal(1);
  const read = (): void => {
    const element = stage.peek();
    if (element === null) return;
    time.value = element.currentTime;
    paused.value = element.paused;
    duration.value = element.duration;
  };
  return {
    stage,
    time,
    paused,
    duration,
    loop,
    rate,
    connect: (element) => {
      let updated = 0;
      const tick = ({ timeStamp }: Event): void => {
        if (!element.paused && timeStamp - updated < UPDATE) return;
        updated = timeStamp;
        read();
      };
      stage.value = element;
      element.loop = loop.peek();
      element.playbackRate = rate.peek();
      const events = ['play', 'pause', 'ended'];
      element.addEventListener('timeupdate', tick);
      for (const name of events) element.addEventListener(name, read);
      return () => {
        element.removeEventListener('timeupdate', tick);
        for (const name of events) element.removeEventListener(name, read);
        stage.value = null;
      };
    },
    toggle: () => {
      const element = stage.peek();
      if (element === null) return;
      if (element.paused) element.play();
      else element.pause();
    },
    seek: (wanted) => {
      const element = stage.peek();
      if (element === null) return;
      element.currentTime = Math.min(Math.max(wanted, 0), element.duration);
      read();
    },
    setLoop: (value) => {
      loop.value = value;
      const element = stage.peek();
      if (element !== null) element.loop = value;
    },
    setRate: (value) => {
      rate.value = value;
      const element = stage.peek();
      if (element !== null) element.playbackRate = value;
    },
    refresh: read,
  };
}
