/** Light or dark, as chosen or as the machine has it. */
import { computed, effect, signal } from '@preact/signals';
import { view } from './view.ts';

const query = globalThis.matchMedia?.('(prefers-color-scheme: dark)');
const prefersDark = signal(query?.matches ?? false);
query?.addEventListener('change', ({ matches }) => {
  prefersDark.value = matches;
});

/** Whether the page is dark. */
export const isDark = computed(() => {
  const { theme } = view.value;
  return theme === 'system' ? prefersDark.value : theme === 'dark';
});

export function applyTheme(): void {
  effect(() => {
    document.documentElement.dataset['theme'] = isDark.value ? 'dark' : 'light';
    document.documentElement.lang = view.value.language;
  });
}
