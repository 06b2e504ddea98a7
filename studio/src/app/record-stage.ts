/** Records the stage while it plays once. */
import type { AnyrigStage } from 'anyrig/stage';

export type VideoFormat = 'mp4' | 'webm';

/** Types of video by container, the most portable first. */
const TYPES: Readonly<Record<VideoFormat, readonly string[]>> = {
  mp4: ['video/mp4;codecs=avc1.640028', 'video/mp4;codecs=avc1.42E01E', 'video/mp4;codecs=vp09.00.10.08', 'video/mp4'],
  webm: ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'],
};

const FRAME_RATE = 30;
/** Bits per second: sharp edges of a figure in 1080p. */
const BIT_RATE = 8_000_000;

interface Recording {
  readonly blob: Blob;
  readonly extension: VideoFormat;
}

function typeOf(format: VideoFormat): string | undefined {
  return TYPES[format].find((type) => globalThis.MediaRecorder?.isTypeSupported(type));
}

export function videoFormats(): VideoFormat[] {
  return (Object.keys(TYPES) as VideoFormat[]).filter((format) => typeOf(format) !== undefined);
}

/** Copies a stream to one of constant size: the stage changes its resolution with the speed of the machine, and H.264 does not. */
function constantSize(stream: MediaStream, width: number, height: number): MediaStream {
  const video = document.createElement('video');
  video.muted = true;
  video.srcObject = stream;
  const canvas = document.createElement('canvas');
  // H.264 needs even sizes.
  canvas.width = 2 * Math.round(width / 2);
  canvas.height = 2 * Math.round(height / 2);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser cannot draw; reload the page.');
  const draw = (): void => {
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    video.requestVideoFrameCallback(draw);
  };
  video.requestVideoFrameCallback(draw);
  // It starts with the first frame of the stage, which draws when it changes.
  void video.play();
  return canvas.captureStream(FRAME_RATE);
}

/** Plays the stage from start to end and records it. Throws Error when the browser cannot record it. */
export async function recordStage(stage: AnyrigStage, extension: VideoFormat): Promise<Recording> {
  const mimeType = typeOf(extension);
  if (mimeType === undefined)
    throw new Error(`This browser cannot record ${extension}; use a recent Chromium, Firefox or Safari.`);
  const source = stage.captureStream(FRAME_RATE);
  const size = [stage.clientWidth * devicePixelRatio, stage.clientHeight * devicePixelRatio] as const;
  const stream = constantSize(source, ...size);
  const recorder = new MediaRecorder(stream, { mimeType, videoBitsPerSecond: BIT_RATE });
  const parts: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
  const stopped = new Promise<void>((resolve, reject) => {
    recorder.addEventListener('stop', () => resolve(), { once: true });
    recorder.addEventListener('error', () => reject(new Error('The browser stopped recording; try another format.')));
  });
  const { loop } = stage;
  stage.pause();
  stage.loop = false;
  stage.currentTime = 0;
  recorder.start();
  const ended = new Promise((resolve) => stage.addEventListener('ended', resolve, { once: true }));
  stage.play();
  // A recorder that fails ends the wait, too.
  await Promise.race([ended, stopped]);
  if (recorder.state !== 'inactive') recorder.stop();
  await stopped;
  for (const track of [...source.getTracks(), ...stream.getTracks()]) track.stop();
  stage.loop = loop;
  const blob = new Blob(parts, { type: mimeType });
  // WebKit says that it records MP4 also where no encoder is installed.
  if (blob.size === 0) throw new Error(`This browser recorded an empty ${extension}; try another format or browser.`);
  return { blob, extension };
}
