/** Builds the sections of a new file around its objects. */
import type { FbxRecord } from '../../document/fbx-tree.ts';
import { listRecord, property70, record } from '../build-records.ts';
import type { FileBuilder } from './file-builder.ts';
import { transformProperties } from './write-joints.ts';

/** FBX 7.4, the version that all programs read. */
export const NEW_FILE_VERSION = 7400;
/** A date for all files, so that the same input gives the same file. */
const CREATION = { year: 1970, month: 1, day: 1 };
const CREATOR = 'anyrig';
/** Ids of the document and of what it holds are below those of objects. */
const DOCUMENT_ID = 999_999;

/** Time range and frame rate of all clips. */
interface SceneTime {
  /** Ticks. */
  readonly stop: bigint;
  /** Frames per second; null for a file without clips. */
  readonly fps: number | null;
}

/** `FbxTime::EMode` by frames per second. */
const TIME_MODES: readonly (readonly [fps: number, mode: number])[] = [
  [120, 1],
  [100, 2],
  [60, 3],
  [50, 4],
  [48, 5],
  [30, 6],
  [24, 11],
  [25, 10],
  [1000, 12],
  [24000 / 1001, 13],
  [96, 15],
  [72, 16],
  [60000 / 1001, 17],
];
const CUSTOM_MODE = 14;
/** The mode without clips: 30 fps. */
const DEFAULT_FPS = 30;
/** Relative difference of frame rates that are the same: a frame time in float32. */
const SAME_RATE = 1e-5;

function globalSettings({ stop, fps }: SceneTime): FbxRecord {
  const rate = fps ?? DEFAULT_FPS;
  const mode = TIME_MODES.find(([one]) => Math.abs(one - rate) <= SAME_RATE * rate)?.[1] ?? CUSTOM_MODE;
  return listRecord('GlobalSettings', [
    record('Version', 'I', [1000]),
    listRecord('Properties70', [
      property70('UpAxis', 'int', 1),
      property70('UpAxisSign', 'int', 1),
      property70('FrontAxis', 'int', 2),
      property70('FrontAxisSign', 'int', 1),
      property70('CoordAxis', 'int', 0),
      property70('CoordAxisSign', 'int', 1),
      property70('OriginalUpAxis', 'int', 1),
      property70('OriginalUpAxisSign', 'int', 1),
      property70('UnitScaleFactor', 'double', 1),
      property70('OriginalUnitScaleFactor', 'double', 1),
      property70('AmbientColor', 'color', 0, 0, 0),
      property70('DefaultCamera', 'text', 'Producer Perspective'),
      property70('TimeMode', 'enum', mode),
      property70('TimeSpanStart', 'time', 0n),
      property70('TimeSpanStop', 'time', stop),
      property70('CustomFrameRate', 'double', mode === CUSTOM_MODE ? rate : -1),
    ]),
  ]);
}

function header(): FbxRecord[] {
  const { year, month, day } = CREATION;
  const stamp = listRecord('CreationTimeStamp', [
    record('Version', 'I', [1000]),
    record('Year', 'I', [year]),
    record('Month', 'I', [month]),
    record('Day', 'I', [day]),
    record('Hour', 'I', [0]),
    record('Minute', 'I', [0]),
    record('Second', 'I', [0]),
    record('Millisecond', 'I', [0]),
  ]);
  return [
    listRecord('FBXHeaderExtension', [
      record('FBXHeaderVersion', 'I', [1003]),
      record('FBXVersion', 'I', [NEW_FILE_VERSION]),
      record('EncryptionType', 'I', [0]),
      stamp,
      record('Creator', 'S', [CREATOR]),
    ]),
    record('Creator', 'S', [CREATOR]),
  ];
}

/** Defaults of the kinds of objects that the SDK knows by the name of a class. */
const TEMPLATES: Readonly<Record<string, readonly [className: string, properties: readonly FbxRecord[]]>> = {
  Model: [
    'FbxNode',
    [
      ...transformProperties(Float64Array.of(0, 0, 0, 0, 0, 0, 1, 1, 1, 1)).filter(isTransform),
      property70('Visibility', 'visibility', 1),
    ],
  ],
  Geometry: ['FbxMesh', [property70('Color', 'color', 0.8, 0.8, 0.8)]],
  Material: [
    'FbxSurfacePhong',
    [property70('ShadingModel', 'text', 'Phong'), property70('DiffuseColor', 'animatableColor', 0.8, 0.8, 0.8)],
  ],
  Texture: ['FbxFileTexture', [property70('TextureTypeUse', 'enum', 0)]],
  Video: ['FbxVideo', [property70('Path', 'url', '')]],
  AnimationStack: ['FbxAnimStack', [property70('LocalStart', 'time', 0n), property70('LocalStop', 'time', 0n)]],
  AnimationLayer: ['FbxAnimLayer', [property70('Weight', 'animatableNumber', 100)]],
  AnimationCurveNode: ['FbxAnimCurveNode', [property70('d', 'compound')]],
};

/** The template says what holds without a value: not that the rotation is active. */
function isTransform({ properties }: FbxRecord): boolean {
  return typeof properties[0] === 'string' && properties[0].startsWith('Lcl ');
}

function definitions(objects: readonly FbxRecord[]): FbxRecord {
  const counts = new Map<string, number>();
  for (const { name } of objects) counts.set(name, (counts.get(name) ?? 0) + 1);
  const total = objects.length + 1;
  return listRecord('Definitions', [
    record('Version', 'I', [100]),
    record('Count', 'I', [total]),
    record('ObjectType', 'S', ['GlobalSettings'], [record('Count', 'I', [1])]),
    ...Array.from(counts, ([kind, count]) => {
      const template = TEMPLATES[kind];
      return record(
        'ObjectType',
        'S',
        [kind],
        [
          record('Count', 'I', [count]),
          ...(template === undefined
            ? []
            : [record('PropertyTemplate', 'S', [template[0]], [listRecord('Properties70', template[1])])]),
        ],
      );
    }),
  ]);
}

export function documentRecords({ objects, connections }: FileBuilder, time: SceneTime, takes: FbxRecord): FbxRecord[] {
  return [
    ...header(),
    globalSettings(time),
    listRecord('Documents', [
      record('Count', 'I', [1]),
      record('Document', 'LSS', [DOCUMENT_ID, '', 'Scene'], [record('RootNode', 'L', [0])]),
    ]),
    listRecord('References', []),
    definitions(objects),
    listRecord('Objects', objects),
    listRecord('Connections', connections),
    takes,
  ];
}
