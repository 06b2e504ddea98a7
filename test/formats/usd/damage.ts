/** A small USD character with all features, ways to damage files, and a function that reads a file up to an asset. */
import { FormatError } from '../../../src/core/report/format-error.ts';
import { serializeUsdc } from '../../../src/formats/usd/crate/serialize-usdc.ts';
import { writeUsdz } from '../../../src/formats/usd/package/write-usdz.ts';
import { readUsdAsset } from '../../../src/formats/usd/read/read-usd-asset.ts';
import { readUsdGeometry } from '../../../src/formats/usd/read/read-usd-geometry.ts';
import { readUsdScene } from '../../../src/formats/usd/read/read-usd-scene.ts';
import { describeUsdSkel } from '../../../src/formats/usd/skel/report/describe-usd-skel.ts';
import { createFileAccess } from '../../../src/formats/usd/stage/file-resolver.ts';
import { openStage } from '../../../src/formats/usd/stage/open-stage.ts';
import { parseUsda } from '../../../src/formats/usd/text/parse-usda.ts';

/** A character of two joints with a blend shape, a material with an image, an animation, variants, arcs, value clips. */
export const CHARACTER = `#usda 1.0
(
    defaultPrim = "Hero"
    metersPerUnit = 0.01
    upAxis = "Y"
    timeCodesPerSecond = 24
    startTimeCode = 1
    endTimeCode = 3
    customLayerData = {
        dictionary inner = {
            string note = "a note that is long enough to be stored on its own"
        }
    }
)

def SkelRoot "Hero" (
    prepend apiSchemas = ["SkelBindingAPI"]
    kind = "component"
    inherits = </_class>
    variants = {
        string look = "red"
    }
    prepend variantSets = "look"
)
{
    rel skel:skeleton = </Hero/Skel>

    def Skeleton "Skel" (
        prepend apiSchemas = ["SkelBindingAPI"]
    )
    {
        uniform matrix4d[] bindTransforms = [( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) ), ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 2.5, 0, 1) )]
        uniform token[] joints = ["Root", "Root/Tip"]
        uniform matrix4d[] restTransforms = [( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) ), ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 2.5, 0, 1) )]
        rel skel:animationSource = </Hero/Anim>
    }

    def SkelAnimation "Anim"
    {
        uniform token[] blendShapes = ["smile"]
        float[] blendShapeWeights.timeSamples = {
            1: [0],
            3: [1],
        }
        uniform token[] joints = ["Root", "Root/Tip"]
        quatf[] rotations.timeSamples = {
            1: [(1, 0, 0, 0), (1, 0, 0, 0)],
            2: [(0.5, 0.5, 0.5, 0.5), (1, 0, 0, 0)],
            3: [(0.70710677, 0, 0.70710677, 0), (1, 0, 0, 0)],
        }
        half3[] scales = [(1, 1, 1), (1, 1, 1)]
        float3[] translations = [(0, 0, 0), (0, 2.5, 0)]
    }

    def Mesh "Body" (
        prepend apiSchemas = ["SkelBindingAPI", "MaterialBindingAPI"]
    )
    {
        int[] faceVertexCounts = [4, 3]
        int[] faceVertexIndices = [0, 1, 2, 3, 2, 1, 4]
        rel material:binding = </Hero/Mat>
        point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (2, 2, 0.3)]
        normal3f[] normals = [(0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1)] (
            interpolation = "vertex"
        )
        int[] primvars:skel:jointIndices = [0, 1, 0, 1, 0, 1, 0, 1, 0, 1] (
            elementSize = 2
            interpolation = "vertex"
        )
        float[] primvars:skel:jointWeights = [1, 0, 0.5, 0.5, 0.25, 0.75, 0, 1, 1, 0] (
            elementSize = 2
            interpolation = "vertex"
        )
        texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (
            interpolation = "faceVarying"
        )
        int[] primvars:st:indices = [0, 1, 2, 3, 2, 1, 0]
        uniform token[] skel:blendShapes = ["smile"]
        rel skel:blendShapeTargets = </Hero/Body/Smile>
        double3 xformOp:translate = (0, 0.5, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]

        def BlendShape "Smile"
        {
            uniform vector3f[] inbetweens:half = [(0, 0.2, 0)] (
                weight = 0.5
            )
            uniform vector3f[] offsets = [(0, 1, 0)]
            uniform int[] pointIndices = [2]
        }

        def GeomSubset "Part"
        {
            uniform token elementType = "face"
            uniform token familyName = "materialBind"
            int[] indices = [1]
        }
    }

    def Material "Mat"
    {
        token outputs:surface.connect = </Hero/Mat/Surface.outputs:surface>

        def Shader "Surface"
        {
            uniform token info:id = "UsdPreviewSurface"
            color3f inputs:diffuseColor.connect = </Hero/Mat/Image.outputs:rgb>
            float inputs:roughness = 0.4
            token outputs:surface
        }

        def Shader "Image"
        {
            uniform token info:id = "UsdUVTexture"
            asset inputs:file = @tex/a.png@
            float2 inputs:st.connect = </Hero/Mat/Reader.outputs:result>
            float3 outputs:rgb
        }

        def Shader "Reader"
        {
            uniform token info:id = "UsdPrimvarReader_float2"
            string inputs:varname = "st"
            float2 outputs:result
        }
    }

    variantSet "look" = {
        "red" {
            def Cube "Hat"
            {
                double size = 0.25
                color3f[] primvars:displayColor = [(1, 0, 0)]
            }
        }
    }
}

class "_class"
{
    custom int64 number = 123456789012
}

def Xform "Copy" (
    instanceable = true
    references = </Hero> (offset = 2; scale = 0.5)
    payload = </_class>
    specializes = </_class>
)
{
}

def Xform "Played" (
    clips = {
        dictionary default = {
            double2[] active = [(0, 0)]
            asset[] assetPaths = [@clip.usda@]
            string primPath = "/Hero"
            double2[] times = [(0, 0), (4, 4)]
        }
    }
)
{
    double3 xformOp:translate.timeSamples = {
        1: (0, 0, 0),
        2: None,
        3: (1, 2, 3),
    }
    uniform token[] xformOpOrder = ["xformOp:translate"]
}
`;

/** The character as a binary file. */
export function characterCrate(): Uint8Array {
  return serializeUsdc(parseUsda(CHARACTER));
}

/** The character as a package with its image. */
export function characterPackage(): Uint8Array {
  const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13);
  return writeUsdz([
    { name: 'hero.usdc', bytes: characterCrate() },
    { name: 'tex/a.png', bytes: png },
  ]);
}

/** Creates a seeded generator of integers in [0, below): a linear congruential generator. */
export function noise(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Returns the code of the FormatError that `run` throws, or null. Other errors are rethrown. */
function codeOf(run: () => void): string | null {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof FormatError) return error.code;
    throw error;
  }
}

/** Returns the error code if a file cannot be opened, else `opened` with the codes of the reading steps that fail. */
export function outcomeOf(bytes: Uint8Array, read: (path: string) => Uint8Array | null = () => null): string {
  const access = createFileAccess((path) => (path === 'root' ? bytes : read(path)));
  const codes: string[] = [];
  const refused = codeOf(() => {
    const root = access.resolve('root', '');
    if (root === null) throw new Error('the root was not found');
    const stage = openStage(root.layer, { id: root.id, resolve: access.resolve });
    const steps = [
      () => {
        const scene = readUsdScene(stage);
        codes.push(codeOf(() => readUsdAsset(scene)) ?? '');
        codes.push(codeOf(() => readUsdGeometry(scene, access.readAsset)) ?? '');
      },
      () => describeUsdSkel(stage),
    ];
    for (const step of steps) codes.push(codeOf(step) ?? '');
  });
  return refused ?? ['opened', ...codes.filter((code) => code !== '')].join(' ');
}

/** A copy with some bytes set. */
export function withBytes(bytes: Uint8Array, patches: readonly (readonly [at: number, value: number])[]): Uint8Array {
  const copy = bytes.slice();
  for (const [at, value] of patches) copy[at] = value;
  return copy;
}

/** Extreme numbers as 64 bits; narrower fields take the lowest bits. */
export const EXTREME_NUMBERS: readonly bigint[] = [
  0n,
  1n,
  0xffn,
  -1n,
  2n ** 31n,
  2n ** 31n - 1n,
  2n ** 32n,
  2n ** 53n - 1n,
  2n ** 63n,
  2n ** 63n - 1n,
];

/** A copy with a number of `width` bytes at a byte offset. */
export function withNumber(bytes: Uint8Array, at: number, width: 1 | 2 | 4 | 8, value: bigint): Uint8Array {
  const copy = bytes.slice();
  for (let k = 0; k < width; k++) copy[at + k] = Number((BigInt.asUintN(64, value) >> BigInt(8 * k)) & 0xffn);
  return copy;
}
