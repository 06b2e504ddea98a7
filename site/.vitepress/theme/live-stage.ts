/** The moving picture of the home page, which becomes a stage when asked: a motion on several characters, both switchable. */
import type { AnyrigStage } from 'anyrig/stage';
import { useData, withBase } from 'vitepress';
import { computed, defineComponent, h, nextTick, onBeforeUnmount, ref, watch } from 'vue';
import hero from '../../../docs/images/hero.webp';
import { data } from '../../demo.data.ts';

/** Characters that are on stage first. */
const FIRST = 5;

export const LiveStage = defineComponent(() => {
  const { isDark } = useData();
  const host = ref<HTMLElement>();
  const state = ref<'picture' | 'loading' | 'live'>('picture');
  const error = ref('');
  const motion = ref(data.motions[0].name);
  const chosen = ref(data.characters.slice(0, FIRST).map(({ name }) => name));
  const theme = computed(() => (isDark.value ? 'dark' : 'light'));
  let stage: AnyrigStage | null = null;
  let turn = 0;

  async function update(): Promise<void> {
    const own = ++turn;
    const [{ engine }, { createStage, showAll }] = await Promise.all([
      import('../../engine/client.ts'),
      import('../../engine/stage.ts'),
    ]);
    const names = data.characters.map(({ name }) => name).filter((name) => chosen.value.includes(name));
    const pairs = await Promise.all(names.map((name) => engine().pair(motion.value, name)));
    // Another choice was made in the meantime.
    if (own !== turn || host.value === undefined) return;
    state.value = 'live';
    await nextTick();
    stage ??= createStage(host.value, theme.value);
    await showAll(
      stage,
      pairs.filter((pair) => pair !== null),
    );
  }

  async function show(): Promise<void> {
    if (state.value === 'picture') state.value = 'loading';
    error.value = '';
    try {
      await update();
    } catch (reason) {
      error.value = reason instanceof Error ? reason.message : String(reason);
    }
  }

  function toggle(name: string): void {
    const without = chosen.value.filter((one) => one !== name);
    const next = without.length === chosen.value.length ? [...without, name] : without;
    if (next.length > 0) chosen.value = next;
  }

  watch([motion, chosen], show);
  watch(theme, (value) => {
    if (stage !== null) stage.theme = value;
  });
  onBeforeUnmount(() => stage?.remove());

  const picker = (
    title: string,
    all: typeof data.motions,
    isOn: (name: string) => boolean,
    choose: (name: string) => void,
  ) =>
    h('div', { class: 'picker', role: 'group', 'aria-label': title }, [
      h('span', { class: 'picker-title', 'aria-hidden': 'true' }, title),
      ...all.map(({ name, title: label, about }) =>
        h('button', { type: 'button', 'aria-pressed': isOn(name), title: about, onClick: () => choose(name) }, label),
      ),
    ]);

  return () =>
    h('div', { class: 'live-stage' }, [
      h('div', { class: 'live-stage-view', ref: host, 'data-state': state.value }, [
        state.value === 'live'
          ? null
          : h('picture', [
              h('source', { media: '(prefers-reduced-motion: reduce)', srcset: withBase('/hero-still.webp') }),
              h('img', {
                src: hero,
                width: 960,
                height: 352,
                alt: 'One dance on six characters, two of them files by others, that differ in proportions, names, axes and rest poses',
              }),
            ]),
        state.value === 'live'
          ? null
          : h(
              'button',
              { type: 'button', class: 'live-button', disabled: state.value === 'loading', onClick: show },
              state.value === 'loading' ? 'Loading…' : 'Play built-in characters live',
            ),
      ]),
      error.value === '' ? null : h('p', { role: 'alert' }, error.value),
      picker(
        'Motion',
        data.motions,
        (name) => name === motion.value,
        (name) => {
          motion.value = name;
        },
      ),
      picker('Characters', data.characters, (name) => chosen.value.includes(name), toggle),
    ]);
});
