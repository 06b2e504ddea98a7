import type { AnyrigStage } from 'anyrig/stage';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { showOnStage } from '../app/show-on-stage.ts';
import { t } from '../app/strings.ts';
import { isDark } from '../app/theme.ts';
import { changeView, lookFrom, type View, view } from '../app/view.ts';
import { usePage } from './context.ts';
import { Check, Group, Menu } from './controls.tsx';

function Toggle({ name, label }: { name: keyof View['show']; label: string }): JSX.Element {
  const { show } = view.value;
  return (
    <button
      type="button"
      aria-pressed={show[name]}
      onClick={() => changeView({ show: { ...show, [name]: !show[name] } })}
    >
      {label}
    </button>
  );
}

/** A check box of the menu, for something that is drawn beside the figures. */
function Shown({ name, label }: { name: keyof View['show']; label: string }): JSX.Element {
  const { show } = view.value;
  return (
    <Check label={label} value={show[name]} onChange={(value) => changeView({ show: { ...show, [name]: value } })} />
  );
}

function Tools(): JSX.Element {
  const { player } = usePage();
  const { layout, camera, follow, show, colors } = view.value;
  return (
    <div class="stage-tools">
      <Group
        label={t('cameraOrbit')}
        value={camera}
        choices={[
          { value: 'orbit', label: t('cameraOrbit') },
          { value: 'front', label: t('cameraFront') },
          { value: 'side', label: t('cameraSide') },
          { value: 'top', label: t('cameraTop') },
        ]}
        onChange={(value) => lookFrom(player.stage.peek(), value)}
      />
      <div class="group">
        <Toggle name="source" label={t('showSource')} />
        <Toggle name="skeleton" label={t('showSkeleton')} />
      </div>
      <Menu button={t('stageMore')} label={t('stageMore')}>
        <Check label={t('follow')} value={follow} onChange={(value) => changeView({ follow: value })} />
        <Check
          label={t('layoutOverlay')}
          value={layout === 'overlay'}
          onChange={(isOverlay) => changeView({ layout: isOverlay ? 'overlay' : 'row' })}
        />
        <Check
          label={t('equalHeights')}
          value={view.value.equalHeights}
          onChange={(equalHeights) => changeView({ equalHeights })}
        />
        <Shown name="mesh" label={t('showMesh')} />
        <Shown name="rest" label={t('showRest')} />
        <Shown name="trails" label={t('showTrails')} />
        <Shown name="marks" label={t('showMarks')} />
        {show.skeleton && (
          <Group
            label={t('colors')}
            value={colors}
            choices={[
              { value: 'confidence', label: t('colorsConfidence') },
              { value: 'error', label: t('colorsError') },
            ]}
            onChange={(value) => changeView({ colors: value })}
          />
        )}
      </Menu>
    </div>
  );
}

/** The stage. Its element is loaded on its own: the rest of the page is there before three.js. */
export function StageView(): JSX.Element {
  const { studio, player } = usePage();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let stop = (): void => undefined;
    let isGone = false;
    void import('anyrig/stage').then(({ defineStage }) => {
      defineStage();
      if (isGone || place.current === null) return;
      const stage = document.createElement('anyrig-stage') as AnyrigStage;
      stage.setAttribute('aria-label', t('stageLabel'));
      const notice = document.createElement('p');
      notice.slot = 'no-webgl';
      notice.textContent = t('noWebgl');
      stage.append(notice);
      place.current.append(stage);
      const disconnect = player.connect(stage);
      const end = showOnStage(studio, player, stage);
      const onView = (): void => changeView({ camera: stage.view });
      stage.addEventListener('viewchange', onView);
      stop = () => {
        end();
        disconnect();
        stage.remove();
      };
    });
    return () => {
      isGone = true;
      stop();
    };
  }, [studio, player]);
  const stage = player.stage.value;
  useEffect(() => {
    if (stage !== null) stage.theme = isDark.value ? 'dark' : 'light';
  }, [stage, isDark.value]);
  return (
    <>
      {!studio.isShow.value && <Tools />}
      <div class="stage-place" ref={place} />
    </>
  );
}
