/** Every built-in motion on every built-in character: pictures, of which one at a time is live. */
import type { AnyrigStage } from 'anyrig/stage';
import { withBase } from 'vitepress';
import { defineComponent, h, nextTick, onBeforeUnmount, ref } from 'vue';
import { data } from '../../demo.data.ts';

export const Gallery = defineComponent(() => {
  const live = ref('');
  const error = ref('');
  const hosts = new Map<string, HTMLElement>();
  let stage: AnyrigStage | null = null;
  onBeforeUnmount(() => stage?.remove());

  async function play(motion: string, character: string): Promise<void> {
    const id = `${motion} ${character}`;
    stage?.remove();
    stage = null;
    live.value = live.value === id ? '' : id;
    error.value = '';
    if (live.value === '') return;
    try {
      const [{ engine }, { createStage, showAll }] = await Promise.all([
        import('../../engine/client.ts'),
        import('../../engine/stage.ts'),
      ]);
      const shown = await engine().pair(motion, character);
      await nextTick();
      const host = hosts.get(id);
      if (live.value !== id || host === undefined || shown === null) return;
      stage = createStage(host, 'dark');
      await showAll(stage, [shown]);
    } catch (reason) {
      error.value = reason instanceof Error ? reason.message : String(reason);
    }
  }

  return () =>
    h('div', [
      error.value === '' ? null : h('p', { role: 'alert' }, error.value),
      data.motions.map((motion) => [
        h('h2', { id: motion.name, tabindex: -1 }, motion.title),
        h('p', motion.about),
        h(
          'div',
          { class: 'gallery' },
          data.characters.map((character) => {
            const id = `${motion.name} ${character.name}`;
            const isLive = live.value === id;
            return h('div', { class: 'card', key: id }, [
              h(
                'div',
                {
                  class: 'card-view',
                  ref: (element) => {
                    if (element instanceof HTMLElement) hosts.set(id, element);
                  },
                },
                isLive
                  ? []
                  : [
                      h('img', {
                        src: withBase(`/gallery/${motion.name}-${character.name}.webp`),
                        width: 320,
                        height: 320,
                        loading: 'lazy',
                        alt: `${motion.title} on ${character.title}`,
                      }),
                    ],
              ),
              h(
                'button',
                {
                  type: 'button',
                  'aria-pressed': isLive,
                  title: character.about,
                  onClick: () => play(motion.name, character.name),
                },
                [h('span', character.title), h('span', { class: 'card-play' }, isLive ? 'Stop' : 'Play')],
              ),
            ]);
          }),
        ),
      ]),
    ]);
});
