import { useEffect, useState } from 'preact/hooks';
import { editsOf } from '../app/project.ts';
import { referencePose } from '../app/reference-pose.ts';
import { SOURCE } from '../app/show-on-stage.ts';
import { changeView, posed, view } from '../app/view.ts';
import type { FigureData, HumanoidEdits } from '../engine/protocol.ts';
import { usePage } from './context.ts';

/**
 * Describes the figure of a file with the present decisions about it. `file`: id of the file; null for none. `changes`: decisions instead of the
 * present ones. Returns the description; null until it is known.
 */
export function useFigure(file: string | null, changes: Partial<HumanoidEdits> = {}): FigureData | null {
  const { studio } = usePage();
  const [data, setData] = useState<FigureData | null>(null);
  const edits = file === null ? null : { ...editsOf(studio.history.state.value, file), ...changes };
  const key = JSON.stringify([file, edits]);
  // The key stands for file and edits.
  useEffect(() => {
    if (file === null || edits === null) return setData(null);
    let isCurrent = true;
    const show = (found: FigureData): void => {
      if (isCurrent) setData(found);
    };
    const fail = (error: Error): void => show({ joints: [], humanoid: null, reason: error.message });
    studio.client.engine().figure(file, edits).then(show, fail);
    return () => {
      isCurrent = false;
    };
  }, [key]);
  return data;
}

/**
 * Holds a figure in its reference pose until the panel is left: paused, alone in the picture, with joints to click. What was shown before returns
 * then. `figure`: id of the figure; null for none. `data`: its description; null until it is known.
 */
export function useHeldPose(figure: string | null, data: FigureData | null): void {
  const { player } = usePage();
  const stage = player.stage.value;
  useEffect(() => {
    if (stage === null || figure === null) return;
    const { source, skeleton } = view.peek().show;
    const wasPlaying = !stage.paused;
    stage.pause();
    posed.value = figure;
    stage.focused = figure;
    changeView({ show: { ...view.peek().show, skeleton: true, source: source || figure === SOURCE } });
    return () => {
      posed.value = null;
      stage.focused = null;
      changeView({ show: { ...view.peek().show, skeleton, source } });
      if (stage.figures.includes(figure)) {
        stage.editJoint(figure, null);
        stage.highlightJoint(figure, null);
        stage.setPose(figure, null);
      }
      if (wasPlaying) stage.play();
    };
  }, [stage, figure]);
  useEffect(() => {
    // The figure of a motion may still be on its way: it takes the pose when it is there.
    if (stage === null || figure === null || !stage.figures.includes(figure)) return;
    stage.setPose(figure, data === null || data.humanoid === null ? null : referencePose(data.humanoid));
  }, [stage, figure, data]);
}
