/** The reference pose: where it came from, how far it is from a T-pose, and how to change it. */
import type { BoneName } from 'anyrig';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Limb } from '../../../src/core/humanoid/humanoid.ts';
import { FRAME } from '../app/player.ts';
import { DETECTED, editsOf } from '../app/project.ts';
import { type StringKey, t } from '../app/strings.ts';
import type { FigureData, NodeRotation, PoseEdit } from '../engine/protocol.ts';
import type { BoneTurn } from '../engine/rotate-pose.ts';
import { usePage } from './context.ts';
import { Select, Slider } from './controls.tsx';
import { useFigure, useHeldPose } from './held-pose.ts';
import { SidePicker, useSide } from './side-picker.tsx';

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

/** Where a reference pose comes from, in words; else it is a frame of the motion (`frame:0`), or the name of a file. */
const FROM_TEXT: Readonly<Record<string, StringKey>> = {
  bind: 'poseBind',
  node: 'poseNode',
  vrm0: 'poseDeclared',
  vrm1: 'poseDeclared',
  vrma: 'poseDeclared',
};

function Deviations({ data }: { data: FigureData }): JSX.Element | null {
  if (data.humanoid === null) return <p class="bad">{data.reason}</p>;
  const { deviationDegrees, from, kind } = data.humanoid.pose;
  const known = FROM_TEXT[from];
  const [, frame] = /^frame:(\d+)$/.exec(from) ?? [];
  const named = known !== undefined ? t(known) : frame !== undefined ? t('poseOfFrame', { frame }) : from;
  return (
    <>
      <p class="dim">{t(kind === 'estimated' ? 'poseEstimatedFrom' : 'poseTakenFrom', { from: named })}</p>
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

function withRotation(rotations: readonly NodeRotation[], one: NodeRotation): NodeRotation[] {
  return [...rotations.filter(({ node }) => node !== one.node), one];
}

/** Rotates the chosen joint of the reference pose on stage. A click on another joint chooses it. */
function usePoseEditor(editor: {
  file: string | null;
  figure: string | null;
  data: FigureData | null;
  bone: BoneName | undefined;
  onPick: (bone: BoneName) => void;
}): void {
  const { file, figure, data, bone, onPick } = editor;
  const { studio, player } = usePage();
  const stage = player.stage.value;
  useEffect(() => {
    if (stage === null || file === null || figure === null || data?.humanoid == null) return;
    if (!stage.figures.includes(figure)) return;
    const { rotations } = data.humanoid;
    const chosen = data.joints.find((joint) => joint.bone === bone);
    if (chosen !== undefined) stage.editJoint(figure, chosen.node);
    const onClick = (event: Event): void => {
      const { detail } = event as CustomEvent<{ figure: string; node: number }>;
      const picked = data.joints.find(({ node }) => node === detail.node)?.bone ?? null;
      if (detail.figure === figure && picked !== null) onPick(picked);
    };
    const onRotate = (event: Event): void => {
      type Detail = { figure: string; node: number; rotation: NodeRotation['rotation']; done: boolean };
      const { figure: rotated, node, rotation, done } = (event as CustomEvent<Detail>).detail;
      if (rotated !== figure || !done) return;
      const pose: PoseEdit = { kind: 'edited', rotations: withRotation(rotations, { node, rotation }) };
      studio.setEdits(file, { pose });
    };
    stage.addEventListener('jointpick', onClick);
    stage.addEventListener('jointrotate', onRotate);
    return () => {
      stage.removeEventListener('jointpick', onClick);
      stage.removeEventListener('jointrotate', onRotate);
    };
  }, [stage, file, figure, data, bone]);
}

/** Degrees of one step, and how far a slider goes. */
const STEP = 1;
const MOST = 180;
const AXES = ['x', 'y', 'z'] as const;

/** Rotates a bone by sliders: the same as the gizmo, by keyboard. Each shows how far the bone was turned since it was chosen. */
function BoneSliders({ bone, onTurn }: { bone: BoneName; onTurn: (turn: BoneTurn) => void }): JSX.Element {
  const [turned, setTurned] = useState({ x: 0, y: 0, z: 0 });
  return (
    <>
      {AXES.map((axis) => (
        <Slider
          key={axis}
          label={t('poseAbout', { axis })}
          name={t('poseTurn', { bone, axis })}
          value={turned[axis]}
          min={-MOST}
          max={MOST}
          step={STEP}
          unit="°"
          onInput={(value) => {
            onTurn({ bone, axis, degrees: value - turned[axis] });
            setTurned({ ...turned, [axis]: value });
          }}
        />
      ))}
      <small class="dim">{t('poseAxes')}</small>
    </>
  );
}

export function PosePanel(): JSX.Element {
  const { studio, player } = usePage();
  const { side, file, figure, setSide } = useSide();
  const data = useFigure(file);
  const before = useFigure(file, { pose: DETECTED.pose });
  const [isBefore, setIsBefore] = useState(false);
  const [chosen, setChosen] = useState<BoneName>('leftUpperArm');
  const turning = useRef(Promise.resolve());
  const bones = (data?.joints ?? []).flatMap((joint) => joint.bone ?? []);
  const bone = bones.includes(chosen) ? chosen : bones[0];
  useHeldPose(figure, isBefore ? before : data);
  usePoseEditor({ file, figure, data, bone: isBefore ? undefined : bone, onPick: setChosen });
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
    } else if (kind !== 'file' && kind !== 'edited') studio.setEdits(file, { pose: { kind } });
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
          ...(pose.kind === 'edited' ? [{ value: 'edited', label: t('poseEdited') }] : []),
          ...others.map(({ input }) => ({ value: `file ${input.id}`, label: t('poseOfFile', { name: input.name }) })),
        ]}
        onChange={choose}
      />
      <div class="transport">
        <button type="button" onClick={() => void mirror()}>
          {t('poseMirror')}
        </button>
        <button
          type="button"
          aria-pressed={isBefore}
          disabled={pose.kind === 'auto'}
          onClick={() => setIsBefore(!isBefore)}
        >
          {t('poseBefore')}
        </button>
      </div>
      {bone !== undefined && (
        <fieldset class="bare pose-steps" aria-label={t('poseRotate')}>
          <Select
            label={t('poseBone')}
            value={bone}
            choices={bones.map((value) => ({ value, label: value }))}
            onChange={setChosen}
          />
          <BoneSliders key={`${file} ${bone}`} bone={bone} onTurn={turn} />
          <p class="dim">{t('poseEditing')}</p>
        </fieldset>
      )}
      <Deviations data={data} />
    </div>
  );
}
