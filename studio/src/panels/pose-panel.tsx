/** The reference pose: where it came from, how far it is from a T-pose, and how to change it. */
import type { BoneName } from 'anyrig';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Limb } from '../../../src/core/humanoid/humanoid.ts';
import { FRAME } from '../app/player.ts';
import { editsOf } from '../app/project.ts';
import { referencePose } from '../app/reference-pose.ts';
import { type StringKey, t } from '../app/strings.ts';
import { posed, showSkeleton } from '../app/view.ts';
import type { FigureData, NodeRotation, PoseEdit } from '../engine/protocol.ts';
import type { BoneTurn } from '../engine/rotate-pose.ts';
import { usePage } from './context.ts';
import { Select } from './controls.tsx';
import { SidePicker, useSide } from './side-picker.tsx';

/**
 * Describes the figure of a file with the present decisions about it.
 *
 * @param file Id of the file; null for none.
 * @returns The description; null until it is known.
 */
function useFigure(file: string | null): FigureData | null {
  const { studio } = usePage();
  const [data, setData] = useState<FigureData | null>(null);
  const edits = file === null ? null : editsOf(studio.history.state.value, file);
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

/** Degrees off a T-pose from which on a limb is colored. */
const NOTABLE = 10;

const LIMB_TEXT = {
  leftArm: 'limbLeftArm',
  rightArm: 'limbRightArm',
  leftHand: 'limbLeftHand',
  rightHand: 'limbRightHand',
  leftFingers: 'limbLeftFingers',
  rightFingers: 'limbRightFingers',
  leftLeg: 'limbLeftLeg',
  rightLeg: 'limbRightLeg',
} as const satisfies Record<Limb, StringKey>;

function Deviations({ data }: { data: FigureData }): JSX.Element | null {
  if (data.humanoid === null) return <p class="bad">{data.reason}</p>;
  const { deviationDegrees, from, kind } = data.humanoid.pose;
  return (
    <>
      <p class="dim">{t(kind === 'estimated' ? 'poseEstimatedFrom' : 'poseTakenFrom', { from })}</p>
      <h3>{t('poseDeviation')}</h3>
      <table class="map-table">
        <tbody>
          {Object.entries(deviationDegrees).map(([limb, degrees]) => (
            <tr key={limb}>
              <th scope="row">{t(LIMB_TEXT[limb as Limb])}</th>
              <td class={degrees > NOTABLE ? 'warn' : 'good'}>{degrees.toFixed(1)}°</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Replaces the rotation of one node. */
function withRotation(rotations: readonly NodeRotation[], one: NodeRotation): NodeRotation[] {
  return [...rotations.filter(({ node }) => node !== one.node), one];
}

/** Rotates joints of the reference pose on stage while it is active. */
function usePoseEditor(editor: {
  file: string | null;
  figure: string | null;
  data: FigureData | null;
  isActive: boolean;
}): void {
  const { file, figure, data, isActive } = editor;
  const { studio, player } = usePage();
  const stage = player.stage.value;
  useEffect(() => {
    if (stage === null || file === null || figure === null || data?.humanoid == null || !isActive) return;
    const { skeleton, rotations } = data.humanoid;
    showSkeleton();
    stage.setPose(figure, referencePose(data.humanoid));
    const onPick = (event: Event): void => {
      const { detail } = event as CustomEvent<{ figure: string; node: number }>;
      if (detail.figure === figure) stage.editJoint(figure, detail.node);
    };
    const onRotate = (event: Event): void => {
      type Detail = { figure: string; node: number; rotation: NodeRotation['rotation']; done: boolean };
      const { figure: rotated, node, rotation, done } = (event as CustomEvent<Detail>).detail;
      if (rotated !== figure || !done) return;
      const pose: PoseEdit = { kind: 'edited', skeleton, rotations: withRotation(rotations, { node, rotation }) };
      studio.setEdits(file, { pose });
    };
    stage.addEventListener('jointpick', onPick);
    stage.addEventListener('jointrotate', onRotate);
    return () => {
      stage.removeEventListener('jointpick', onPick);
      stage.removeEventListener('jointrotate', onRotate);
    };
  }, [stage, file, figure, data, isActive]);
  useEffect(() => {
    if (stage === null || figure === null || !isActive) return;
    posed.value = figure;
    return () => {
      posed.value = null;
      // The figure may be gone by now.
      if (!stage.figures.includes(figure)) return;
      stage.editJoint(figure, null);
      stage.setPose(figure, null);
    };
  }, [stage, figure, isActive]);
}

/** Degrees of one step. */
const STEP = 5;

/** Rotates a bone by steps: the same as the gizmo, by keyboard. */
function BoneSteps(props: { bones: readonly BoneName[]; onTurn: (turn: BoneTurn) => void }): JSX.Element {
  const [chosen, setChosen] = useState<BoneName>('leftUpperArm');
  const bone = props.bones.includes(chosen) ? chosen : props.bones[0];
  return (
    <fieldset class="bare pose-steps" aria-label={t('poseRotate')}>
      <Select
        label={t('poseBone')}
        value={bone}
        choices={props.bones.map((value) => ({ value, label: value }))}
        onChange={setChosen}
      />
      <div class="axes">
        {(['x', 'y', 'z'] as const).map((axis) => (
          <span key={axis} class="group">
            {[-STEP, STEP].map((degrees) => (
              <button
                key={degrees}
                type="button"
                aria-label={t('poseStep', { bone, degrees, axis })}
                onClick={() => props.onTurn({ bone, axis, degrees })}
              >
                {axis} {degrees < 0 ? '−' : '+'}
              </button>
            ))}
          </span>
        ))}
      </div>
      <small class="dim">{t('poseAxes', { degrees: STEP })}</small>
    </fieldset>
  );
}

/** The panel. */
export function PosePanel(): JSX.Element {
  const { studio, player } = usePage();
  const { side, file, figure, setSide } = useSide();
  const data = useFigure(file);
  const [isEditing, setIsEditing] = useState(false);
  const turning = useRef(Promise.resolve());
  usePoseEditor({ file, figure, data, isActive: isEditing });
  if (file === null) return <div class="section dim">{t(side === 'source' ? 'noMotion' : 'noCharacter')}</div>;
  if (data === null) return <div class="section dim">{t('opening')}</div>;
  const { pose } = editsOf(studio.history.state.value, file);
  // Poses of other files are matched by the names of nodes.
  const others = studio.files.value.filter(({ input, summary }) => input.id !== file && summary?.humanoid != null);
  const choose = (value: string): void => {
    const other = others.find(({ input }) => value === `file ${input.id}`);
    const kind = value as PoseEdit['kind'];
    if (other !== undefined) studio.setEdits(file, { pose: { kind: 'file', file: other.input.id } });
    else if (kind === 'frame') {
      studio.setEdits(file, { pose: { kind, frame: Math.round(player.time.peek() / FRAME) } });
    } else if (kind === 'edited') setIsEditing(true);
    else if (kind !== 'file') studio.setEdits(file, { pose: { kind } });
  };
  const mirror = async (): Promise<void> => {
    const mirrored = await studio.client.engine().mirroredPose(file, editsOf(studio.history.state.value, file));
    if (mirrored !== null) studio.setEdits(file, { pose: mirrored });
  };
  // Steps wait for each other: every one rotates the pose that the one before made.
  const turn = (one: BoneTurn): void => {
    turning.current = turning.current.then(async () => {
      const edits = editsOf(studio.history.state.peek(), file);
      const turned = await studio.client.engine().rotatedPose(file, edits, one);
      if (turned !== null) studio.setEdits(file, { pose: turned }, `turn ${one.bone} ${one.axis}`);
    });
  };
  const bones = data.joints.flatMap(({ bone }) => bone ?? []);
  return (
    <div class="section">
      <SidePicker side={side} onChange={setSide} />
      <Select
        label={t('poseFrom')}
        value={pose.kind === 'file' ? `file ${pose.file}` : pose.kind}
        choices={[
          { value: 'auto', label: t('poseAuto') },
          { value: 'declared', label: t('poseDeclared') },
          { value: 'bind', label: t('poseBind') },
          { value: 'node', label: t('poseNode') },
          { value: 'frame', label: t('poseFrame') },
          { value: 'edited', label: t('poseEdited') },
          ...others.map(({ input }) => ({ value: `file ${input.id}`, label: t('poseOfFile', { name: input.name }) })),
        ]}
        onChange={choose}
      />
      <div class="transport">
        <button type="button" aria-pressed={isEditing} onClick={() => setIsEditing(!isEditing)}>
          {t(isEditing ? 'poseDone' : 'poseEdit')}
        </button>
        <button type="button" onClick={() => void mirror()}>
          {t('poseMirror')}
        </button>
      </div>
      {bones.length > 0 && <BoneSteps bones={bones} onTurn={turn} />}
      {isEditing && <p role="status">{t('poseEditing')}</p>}
      <Deviations data={data} />
    </div>
  );
}
