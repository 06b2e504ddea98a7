/** A tool in one column: drop files, look at the result, take it with one button. */
import type { FileReport } from 'anyrig/files';
import type { AnyrigStage } from 'anyrig/stage';
import { useData, withBase } from 'vitepress';
import {
  computed,
  defineComponent,
  h,
  nextTick,
  onBeforeUnmount,
  onMounted,
  type PropType,
  ref,
  shallowRef,
  type VNode,
  watch,
} from 'vue';
import { SIGNATURES } from '../../../src/files/adapters/signatures.ts';
import { filesOfDrop, filesOfInput, toInputs } from '../../../studio/src/app/dropped-files.ts';
import type { WrittenFile } from '../../../studio/src/engine/protocol.ts';
import type { SentFile, Shown } from '../../engine/worker.ts';

type FoundFile = ReturnType<typeof filesOfInput>[number];

/** What a tool takes and gives. */
interface Tool {
  /** The files that it needs. */
  readonly inputs: readonly {
    readonly label: string;
    readonly hint: string;
    readonly accept: string;
    readonly sample: string;
  }[];
  /** What is done while the visitor waits. */
  readonly working: string;
}

/** Formats that hold motion only are no characters. */
const MOTIONS = `${Object.values(SIGNATURES).flatMap(({ extensions }) => extensions)},.json`;
const CHARACTERS = `${Object.values(SIGNATURES).flatMap(({ characters, extensions }) => (characters.length > 0 ? extensions : []))}`;

const TOOLS = {
  'fbx-to-vrma': {
    inputs: [
      {
        label: 'Drop an FBX motion',
        hint: 'from Mixamo, Maya, Blender, a mocap suit',
        accept: MOTIONS,
        sample: 'walk.glb',
      },
    ],
    working: 'Converting…',
  },
  'bvh-to-glb': {
    inputs: [
      {
        label: 'Drop a BVH motion',
        hint: 'from motion capture, or a generator of motion',
        accept: MOTIONS,
        sample: 'turn.bvh',
      },
    ],
    working: 'Converting…',
  },
  retarget: {
    inputs: [
      { label: 'Drop a motion', hint: 'FBX, BVH, VRMA, GLB, USD, VMD, NPZ', accept: MOTIONS, sample: 'turn.bvh' },
      { label: 'Drop a character', hint: 'GLB, VRM, FBX, USD, PMX', accept: CHARACTERS, sample: 'runner.glb' },
    ],
    working: 'Retargeting…',
  },
  inspect: {
    inputs: [
      {
        label: 'Drop a character or a motion',
        hint: 'any format that anyrig reads',
        accept: `${CHARACTERS},${MOTIONS}`,
        sample: 'unreal.glb',
      },
    ],
    working: 'Looking…',
  },
} satisfies Record<string, Tool>;

/** Says how many things there are. */
function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

function sizeOf(bytes: number): string {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Says what a rig is, in rows of a name and a value. */
function rowsOf({ format, humanoids, skeletons, clips }: FileReport): [string, string][] {
  const rows: [string, string][] = [['Format', format]];
  const [humanoid] = humanoids;
  if (humanoid === undefined) {
    rows.push(['Humanoid', skeletons[0]?.reason ?? 'No: the file has no skeleton.']);
  } else {
    const bones = Object.keys(humanoid.bones).length;
    rows.push(
      ['Bones', `${bones} of 55, by ${humanoid.mapFrom}`],
      ['Height', `${humanoid.heightMeters.toFixed(2)} m; hips at ${humanoid.hipsHeight.toFixed(2)} m`],
      ['Faces', `${humanoid.facing.axis ?? 'between two axes'}, up ${humanoid.up.axis ?? 'between two axes'}`],
      ['Unit', `${humanoid.metersPerUnit} m`],
      ['Reference pose', `${humanoid.referencePose.kind}, from ${humanoid.referencePose.from}`],
    );
  }
  for (const { name, nodes, joints } of skeletons)
    rows.push([`Skeleton ${name}`, `${count(nodes, 'node')}, ${count(joints, 'joint')}`]);
  for (const { name, duration, keys } of clips)
    rows.push([`Clip ${name}`, `${duration.toFixed(2)} s, ${count(keys, 'key')}`]);
  return rows;
}

export const DropTool = defineComponent(
  (props: { readonly tool: keyof typeof TOOLS }) => {
    const { isDark } = useData();
    const tool: Tool = TOOLS[props.tool];
    const given = shallowRef<(SentFile | null)[]>(tool.inputs.map(() => null));
    const state = ref<'empty' | 'working' | 'done' | 'failed'>('empty');
    const over = ref(-1);
    const message = ref('');
    const files = shallowRef<readonly WrittenFile[]>([]);
    const notes = shallowRef<readonly string[]>([]);
    const rows = shallowRef<readonly [string, string][]>([]);
    const bones = shallowRef<readonly [string, string, number][]>([]);
    const host = ref<HTMLElement>();
    const theme = computed(() => (isDark.value ? 'dark' : 'light'));
    let stage: AnyrigStage | null = null;
    let turn = 0;
    /** Whether nobody chose the target of the file in it: it was dropped with another one, or beside, and can be both. */
    let guessed = tool.inputs.map(() => false);

    watch(theme, (value) => {
      if (stage !== null) stage.theme = value;
    });
    // A file that misses the target would otherwise replace the page.
    const onOver = (event: DragEvent): void => event.preventDefault();
    const onDrop = (event: DragEvent): void => {
      event.preventDefault();
      drop(null, event);
    };
    onBeforeUnmount(() => {
      stage?.remove();
      removeEventListener('dragover', onOver);
      removeEventListener('drop', onDrop);
    });
    onMounted(() => {
      addEventListener('dragover', onOver);
      addEventListener('drop', onDrop);
      if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
      // Browsers refuse it in private windows and without HTTPS. The page works without it.
      navigator.serviceWorker.register(withBase('/sw.js')).catch(() => {});
    });

    async function look(shown: Shown | null): Promise<void> {
      const { createStage, showAll } = await import('../../engine/stage.ts');
      await nextTick();
      if (host.value === undefined) return;
      stage ??= createStage(host.value, theme.value);
      await showAll(stage, shown === null ? [] : [shown]);
    }

    async function run(own: number): Promise<void> {
      const { engine } = await import('../../engine/client.ts');
      const [first, second] = given.value as readonly SentFile[];
      if (props.tool === 'inspect') {
        const { report, shown } = await engine().inspect(first);
        if (own !== turn) return;
        const text = new TextEncoder().encode(`${JSON.stringify(report, null, 2)}\n`);
        files.value = [{ path: `${first.name}.json`, bytes: text as Uint8Array<ArrayBuffer> }];
        rows.value = rowsOf(report);
        bones.value = Object.entries(report.humanoids[0]?.bones ?? {}).map(([bone, { name, confidence }]) => [
          bone,
          name,
          confidence,
        ]);
        notes.value = report.issues.filter(({ severity }) => severity !== 'info').map((one) => one.message);
        state.value = 'done';
        return look(shown);
      }
      const done =
        props.tool === 'retarget'
          ? await engine().retarget(first, second, guessed.includes(false))
          : await engine().convert(first, props.tool === 'fbx-to-vrma' ? 'vrma' : 'glb');
      if (own !== turn) return;
      if ('isSwapped' in done && done.isSwapped) given.value = [second, first];
      if (done.files.length === 0) throw new Error(done.notes.join(' ') || 'The file has no motion.');
      files.value = done.files;
      notes.value = done.notes;
      state.value = 'done';
      return look(done.shown);
    }

    async function take(index: number, file: SentFile, isGuess = false): Promise<void> {
      guessed = guessed.with(index, isGuess);
      return takeAll(given.value.with(index, file));
    }

    async function takeAll(all: (SentFile | null)[]): Promise<void> {
      given.value = all;
      if (all.includes(null)) return;
      const own = ++turn;
      state.value = 'working';
      try {
        await run(own);
      } catch (reason) {
        if (own !== turn) return;
        message.value = reason instanceof Error ? reason.message : String(reason);
        state.value = 'failed';
      }
    }

    /** Takes a file that was dropped beside the targets: by what it is, else where one is missing, else as the character. */
    async function takeBeside(file: SentFile): Promise<void> {
      if (tool.inputs.length === 1) return take(0, file);
      const { engine } = await import('../../engine/client.ts');
      // Why a file cannot be read is said when it is used.
      const role = await engine()
        .roleOf(file)
        .catch(() => null);
      const [own, empty] = [role === 'motion' ? 0 : 1, given.value.indexOf(null)];
      // A file that can be both does not have to go for one that cannot: the worker puts them in order.
      const isFree = given.value[own] === null || !guessed[own] || empty < 0;
      if (role !== null && isFree) return take(own, file);
      return take(empty < 0 ? 1 : empty, file, true);
    }

    /** Takes what was dropped or chosen. Two files at once are a motion and a character where both are asked for, and start again. */
    async function receive(
      index: number | null,
      found: readonly FoundFile[] | Promise<readonly FoundFile[]>,
    ): Promise<void> {
      const inputs = toInputs(await found, () => '').slice(0, tool.inputs.length);
      const sent = inputs.map(({ name, blob, resources }): SentFile => ({ name, blob, resources }));
      if (sent.length === 0) return;
      if (sent.length > 1) {
        guessed = sent.map(() => true);
        return takeAll(sent);
      }
      return index === null ? takeBeside(sent[0]) : take(index, sent[0]);
    }

    async function drop(index: number | null, { dataTransfer }: DragEvent): Promise<void> {
      over.value = -1;
      if (dataTransfer !== null) await receive(index, filesOfDrop(dataTransfer));
    }

    async function choose(index: number, { target: input }: Event): Promise<void> {
      const { files: list } = input as HTMLInputElement;
      if (list !== null) await receive(index, filesOfInput(list));
    }

    async function sample(): Promise<void> {
      const { engine } = await import('../../engine/client.ts');
      for (const [k, input] of tool.inputs.entries()) {
        const { path, bytes } = await engine().sample(input.sample);
        await take(k, { name: path, blob: new Blob([bytes]), resources: new Map() });
      }
    }

    async function download(): Promise<void> {
      const { downloadFiles } = await import('../../../studio/src/app/download.ts');
      await downloadFiles(files.value[0].path.replace(/\.[^.]*$/, ''), files.value);
    }

    const target = ({ label, hint, accept }: Tool['inputs'][number], index: number): VNode =>
      h(
        'label',
        {
          class: ['drop-target', { 'is-over': over.value === index, 'is-given': given.value[index] !== null }],
          onDragover: (event: DragEvent) => {
            event.preventDefault();
            over.value = index;
          },
          onDragleave: () => {
            over.value = -1;
          },
          onDrop: (event: DragEvent) => {
            event.preventDefault();
            event.stopPropagation();
            drop(index, event);
          },
        },
        [
          h('input', {
            type: 'file',
            multiple: true,
            accept,
            'aria-label': label,
            onChange: (event: Event) => choose(index, event),
          }),
          h('strong', { class: 'drop-name' }, given.value[index]?.name ?? label),
          h('span', given.value[index] === null ? `${hint}; or click to choose` : 'drop another one to replace it'),
        ],
      );

    const button = (): VNode => {
      const total = files.value.reduce((sum, { bytes }) => sum + bytes.length, 0);
      const name = files.value.length === 1 ? files.value[0].path : count(files.value.length, 'file');
      return h(
        'button',
        { type: 'button', class: 'drop-button', onClick: download },
        `Download ${name} · ${sizeOf(total)}`,
      );
    };

    return () =>
      h('div', { class: 'drop-tool' }, [
        h('div', { class: 'drop-targets' }, tool.inputs.map(target)),
        state.value === 'empty'
          ? h('p', { class: 'drop-hint' }, [
              'Nothing is uploaded: your browser does the work. No file at hand? ',
              h('button', { type: 'button', class: 'link', onClick: sample }, 'Take a sample'),
              '.',
            ])
          : null,
        h('div', { role: 'status', 'aria-live': 'polite' }, [
          state.value === 'working' ? h('p', { class: 'drop-hint' }, tool.working) : null,
          state.value === 'failed' ? h('p', { class: 'drop-error' }, message.value) : null,
        ]),
        h('div', { class: 'drop-stage', ref: host, hidden: state.value !== 'done' }),
        state.value === 'done'
          ? [
              button(),
              rows.value.length === 0
                ? null
                : h('table', { class: 'drop-table' }, [
                    h(
                      'tbody',
                      rows.value.map(([name, value]) => h('tr', [h('th', { scope: 'row' }, name), h('td', value)])),
                    ),
                  ]),
              bones.value.length === 0
                ? null
                : h('details', [
                    h('summary', 'Which joint is which bone'),
                    h('table', { class: 'drop-table' }, [
                      h('thead', [h('tr', [h('th', 'Bone'), h('th', 'Joint'), h('th', 'Sure')])]),
                      h(
                        'tbody',
                        bones.value.map(([bone, name, sure]) =>
                          h('tr', [
                            h('th', { scope: 'row' }, bone),
                            h('td', name),
                            h('td', `${Math.round(100 * sure)} %`),
                          ]),
                        ),
                      ),
                    ]),
                  ]),
              notes.value.length === 0
                ? null
                : h(
                    'ul',
                    { class: 'drop-notes' },
                    notes.value.map((one) => h('li', one)),
                  ),
            ]
          : null,
      ]);
  },
  { props: { tool: { type: String as PropType<keyof typeof TOOLS>, required: true } } },
);
