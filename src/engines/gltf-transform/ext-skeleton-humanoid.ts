/** Implements EXT_skeleton_humanoid as an extension of glTF-Transform, which keeps its skeletons and channels on reading and writing. */
import {
  type Animation,
  Extension,
  ExtensionProperty,
  type GLTF,
  type IProperty,
  type Node,
  type Nullable,
  PropertyType,
  type ReaderContext,
  RefMap,
  RefSet,
  type WriterContext,
} from '@gltf-transform/core';
import { BONES, type BoneName, isBoneName } from '../../core/humanoid/bones.ts';
import { isObject } from '../../core/text/is-object.ts';

const NAME = 'EXT_skeleton_humanoid';

interface IHumanoidSkeleton extends IProperty {
  rootNode: Node;
  bones: RefMap<Node>;
}

/** A humanoid of a document: the node of each bone. {@link HumanoidSkeletons} lists them. */
export class HumanoidSkeleton extends ExtensionProperty<IHumanoidSkeleton> {
  /** Name of the extension. */
  static override EXTENSION_NAME: typeof NAME = NAME;
  /** Name of the extension. */
  declare extensionName: typeof NAME;
  declare propertyType: 'HumanoidSkeleton';
  declare parentTypes: ['HumanoidSkeletons'];

  protected init(): void {
    this.extensionName = NAME;
    this.propertyType = 'HumanoidSkeleton';
    this.parentTypes = ['HumanoidSkeletons'];
  }

  /** @internal */
  protected override getDefaults(): Nullable<IHumanoidSkeleton> {
    return Object.assign(super.getDefaults() as IProperty, { rootNode: null, bones: new RefMap<Node>() });
  }

  /** @returns The node at or above all bones, whose space is the model space; null without one. */
  getRootNode(): Node | null {
    return this.getRef('rootNode');
  }

  /**
   * Sets the root node.
   *
   * @param node The node at or above all bones, or null.
   * @returns This skeleton.
   */
  setRootNode(node: Node | null): this {
    return this.setRef('rootNode', node);
  }

  /**
   * Returns the node of a bone.
   *
   * @returns The node; null when the bone is missing.
   */
  getBone(bone: BoneName): Node | null {
    return this.getRefMap('bones', bone);
  }

  /**
   * Sets the node of a bone.
   *
   * @param node The node; null removes the bone.
   * @returns This skeleton.
   */
  setBone(bone: BoneName, node: Node | null): this {
    return this.setRefMap('bones', bone, node);
  }

  /** @returns The bones that have a node, in the order of `BONES`. */
  listBones(): BoneName[] {
    return BONES.filter((bone) => this.getBone(bone) !== null);
  }
}

interface IHumanoidSkeletons extends IProperty {
  skeletons: RefSet<HumanoidSkeleton>;
}

/** The list of humanoids of a document, an extension of its root. */
export class HumanoidSkeletons extends ExtensionProperty<IHumanoidSkeletons> {
  /** Name of the extension. */
  static override EXTENSION_NAME: typeof NAME = NAME;
  /** Name of the extension. */
  declare extensionName: typeof NAME;
  declare propertyType: 'HumanoidSkeletons';
  declare parentTypes: [PropertyType.ROOT];

  protected init(): void {
    this.extensionName = NAME;
    this.propertyType = 'HumanoidSkeletons';
    this.parentTypes = [PropertyType.ROOT];
  }

  /** @internal */
  protected override getDefaults(): Nullable<IHumanoidSkeletons> {
    return Object.assign(super.getDefaults() as IProperty, { skeletons: new RefSet<HumanoidSkeleton>() });
  }

  /**
   * Adds a humanoid.
   *
   * @param skeleton The humanoid.
   * @returns This list.
   */
  addSkeleton(skeleton: HumanoidSkeleton): this {
    return this.addRef('skeletons', skeleton);
  }

  /**
   * Removes a humanoid.
   *
   * @param skeleton The humanoid.
   * @returns This list.
   */
  removeSkeleton(skeleton: HumanoidSkeleton): this {
    return this.removeRef('skeletons', skeleton);
  }

  /** @returns The humanoids. */
  listSkeletons(): HumanoidSkeleton[] {
    return this.listRefs('skeletons');
  }
}

interface IHumanoidTarget extends IProperty {
  humanoidBoneName: BoneName;
}

/** The bone that an animation channel targets, an extension of the channel, which is written without a target node. */
export class HumanoidTarget extends ExtensionProperty<IHumanoidTarget> {
  /** Name of the extension. */
  static override EXTENSION_NAME: typeof NAME = NAME;
  /** Name of the extension. */
  declare extensionName: typeof NAME;
  declare propertyType: 'HumanoidTarget';
  declare parentTypes: [PropertyType.ANIMATION_CHANNEL];

  protected init(): void {
    this.extensionName = NAME;
    this.propertyType = 'HumanoidTarget';
    this.parentTypes = [PropertyType.ANIMATION_CHANNEL];
  }

  /** @internal */
  protected override getDefaults(): Nullable<IHumanoidTarget> {
    return Object.assign(super.getDefaults() as IProperty, { humanoidBoneName: 'hips' as BoneName });
  }

  /** @returns The bone. */
  getHumanoidBoneName(): BoneName {
    return this.get('humanoidBoneName');
  }

  /**
   * Sets the bone.
   *
   * @returns This target.
   */
  setHumanoidBoneName(bone: BoneName): this {
    return this.set('humanoidBoneName', bone);
  }
}

/** A skeleton definition in the JSON. */
interface SkeletonDef {
  rootNode?: number;
  humanoidBones?: Record<string, number>;
}

interface RootDef extends SkeletonDef {
  humanoidSkeletons?: SkeletonDef[];
}

/** A channel target in the JSON. The types of glTF-Transform lack its `extensions`. */
interface TargetDef {
  extensions?: { [NAME]?: { humanoidBoneName?: unknown } };
}

/**
 * The extension, for `io.registerExtensions` and `document.createExtension`. Humanoids are on the root of the document, bones of channels on the
 * channels. An IO without it drops both, on reading and on writing.
 *
 * The single object of the published schema is read as a list of one. Bones without a valid name or node are skipped. Definitions are not validated
 * further; `validateHumanoids` of anyrig/gltf does that.
 *
 * @example
 * const io = new NodeIO().registerExtensions([EXTSkeletonHumanoid]);
 * const document = await io.read('hero.glb');
 * const skeletons = document.createExtension(EXTSkeletonHumanoid).listSkeletons();
 * const bone = channel.getExtension<HumanoidTarget>('EXT_skeleton_humanoid')?.getHumanoidBoneName();
 */
export class EXTSkeletonHumanoid extends Extension {
  /** Name of the extension. */
  static override EXTENSION_NAME: typeof NAME = NAME;
  /** Name of the extension. */
  override readonly extensionName: typeof NAME = NAME;

  /** @returns A new humanoid, in the list of the document. */
  createSkeleton(): HumanoidSkeleton {
    const graph = this.document.getGraph();
    const root = this.document.getRoot();
    let list = root.getExtension<HumanoidSkeletons>(NAME);
    if (list === null) {
      list = new HumanoidSkeletons(graph);
      root.setExtension(NAME, list);
    }
    const skeleton = new HumanoidSkeleton(graph);
    list.addSkeleton(skeleton);
    return skeleton;
  }

  /** @returns The humanoids of the document. */
  listSkeletons(): HumanoidSkeleton[] {
    return this.document.getRoot().getExtension<HumanoidSkeletons>(NAME)?.listSkeletons() ?? [];
  }

  /**
   * Creates the target of a humanoid channel: `channel.setExtension('EXT_skeleton_humanoid', extension.createTarget('head'))`.
   *
   * @returns The target.
   */
  createTarget(bone: BoneName): HumanoidTarget {
    return new HumanoidTarget(this.document.getGraph()).setHumanoidBoneName(bone);
  }

  override read(context: ReaderContext): this {
    const { json } = context.jsonDoc;
    const root: unknown = json.extensions?.[NAME];
    if (isObject(root)) this.readSkeletons(root as RootDef, context);
    (json.animations ?? []).forEach((animationDef, index) => {
      this.readTargets(animationDef, context.animations[index]);
    });
    return this;
  }

  private readSkeletons(root: RootDef, context: ReaderContext): void {
    const list = root.humanoidSkeletons ?? (root.humanoidBones === undefined ? [] : [root]);
    if (!Array.isArray(list)) return;
    for (const definition of list) {
      if (!isObject(definition)) continue;
      const { rootNode, humanoidBones } = definition as SkeletonDef;
      const skeleton = this.createSkeleton().setRootNode(context.nodes[rootNode as number] ?? null);
      for (const [bone, node] of Object.entries(isObject(humanoidBones) ? humanoidBones : {})) {
        if (isBoneName(bone)) skeleton.setBone(bone, context.nodes[node] ?? null);
      }
    }
  }

  private readTargets(animationDef: GLTF.IAnimation, animation: Animation): void {
    const channels = animation.listChannels();
    animationDef.channels.forEach((channelDef, index) => {
      const bone = (channelDef.target as TargetDef).extensions?.[NAME]?.humanoidBoneName;
      if (typeof bone === 'string' && isBoneName(bone)) channels[index].setExtension(NAME, this.createTarget(bone));
    });
  }

  override write(context: WriterContext): this {
    const { json } = context.jsonDoc;
    const skeletons = this.listSkeletons().filter((skeleton) => skeleton.listBones().length > 0);
    if (skeletons.length > 0) {
      const humanoidSkeletons = skeletons.map((skeleton) => writeSkeleton(skeleton, context));
      json.extensions = { ...json.extensions, [NAME]: { humanoidSkeletons } };
    }
    this.document
      .getRoot()
      .listAnimations()
      .forEach((animation, index) => {
        writeTargets(animation, json.animations?.[index]);
      });
    return this;
  }
}

export function isSkeletonHumanoid({ extensionName }: Extension): boolean {
  return extensionName === NAME;
}

function writeSkeleton(skeleton: HumanoidSkeleton, { nodeIndexMap }: WriterContext): SkeletonDef {
  const bones = skeleton.listBones().map((bone) => [bone, nodeIndexMap.get(skeleton.getBone(bone) as Node)]);
  const root = skeleton.getRootNode();
  const rootNode = root === null ? undefined : nodeIndexMap.get(root);
  return { ...(rootNode === undefined ? {} : { rootNode }), humanoidBones: Object.fromEntries(bones) };
}

function writeTargets(animation: Animation, animationDef: GLTF.IAnimation | undefined): void {
  animation.listChannels().forEach((channel, index) => {
    const target = channel.getExtension<HumanoidTarget>(NAME);
    const def = animationDef?.channels[index];
    if (target === null || def === undefined) return;
    (def.target as TargetDef).extensions = { [NAME]: { humanoidBoneName: target.getHumanoidBoneName() } };
    // The extension requires a bone instead of a node: players without the extension then skip the channel.
    delete def.target.node;
  });
}
