/** Records the stage while it plays once. */
import type { AnyrigStage } from 'anyrig/stage';

/** Types of video, the most portable first. */
const TYPES = [
  { type: 'video/mp4;codecs=avc1.42E01E', extension: 'mp4' },
  { type: 'video/webm;codecs=vp9', extension: 'webm' },
  { type: 'video/webm', extension: 'webm' },
] as const;

/** A video. */
export interface Recording {
  /** The video. */
  readonly blob: Blob;
  /** Extension of its file. */
  readonly extension: 'mp4' | 'webm';
}

/**
 * Plays the stage from start to end and records it.
 *
 * @param stage The stage.
 * @returns The video.
 * @throws Error when the browser cannot record.
 */
export async function recordStage(stage: AnyrigStage): Promise<Recording> {
  const kind = TYPES.find(({ type }) => MediaRecorder.isTypeSupported(type));
  if (kind === undefined)
    throw new Error('This browser cannot record videos; use a recent Chromium, Firefox or Safari.');
  const recorder = new MediaRecorder(stage.captureStream(30), { mimeType: kind.type });
  const parts: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
  const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }));
  const { loop } = stage;
  stage.pause();
  stage.loop = false;
  stage.currentTime = 0;
  recorder.start();
  const ended = new Promise((resolve) => stage.addEventListener('ended', resolve, { once: true }));
  stage.play();
  await ended;
  recorder.stop();
  await stopped;
  stage.loop = loop;
  return { blob: new Blob(parts, { type: kind.type }), extension: kind.extension };
}
