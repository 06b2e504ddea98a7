/** Plays a GLB in PlayCanvas, without a screen. */
import {
  AnimClipHandler,
  AnimComponentSystem,
  AppBase,
  AppOptions,
  Asset,
  ContainerHandler,
  type Entity,
  type GraphNode,
  NullGraphicsDevice,
  RenderComponentSystem,
  TextureHandler,
} from 'playcanvas';
import type { Positions } from './outputs.ts';

/** The parts of a container that are used; its type is internal. */
interface Container {
  readonly animations: readonly { readonly resource: never }[];
  instantiateRenderEntity(): Entity;
}

/** Returns positions by node name at times of an animation. */
export async function playInPlayCanvas(
  bytes: Uint8Array,
  animation: number,
  times: readonly number[],
): Promise<Positions[]> {
  const nothing = (): void => undefined;
  const rectangle = { left: 0, top: 0, width: 1, height: 1 };
  const canvas = {
    addEventListener: nothing,
    removeEventListener: nothing,
    getBoundingClientRect: () => rectangle,
    style: {},
  };
  const options = new AppOptions();
  options.graphicsDevice = new NullGraphicsDevice(canvas as never);
  options.componentSystems = [AnimComponentSystem, RenderComponentSystem];
  options.resourceHandlers = [ContainerHandler, AnimClipHandler, TextureHandler] as never;
  const app = new AppBase(canvas as never);
  app.init(options);
  const file = new Asset('file', 'container', { url: 'file.glb', contents: new Uint8Array(bytes).buffer } as never);
  await new Promise<void>((resolve, reject) => {
    file.once('load', () => resolve());
    file.once('error', reject);
    app.assets.add(file);
    app.assets.load(file);
  });
  const container = file.resource as unknown as Container;
  const entity = container.instantiateRenderEntity();
  app.root.addChild(entity);
  entity.addComponent('anim', { activate: true });
  const { anim } = entity;
  if (anim === undefined) throw new Error('PlayCanvas made no anim component');
  anim.assignAnimation('clip', container.animations[animation].resource);
  anim.baseLayer?.play('clip');
  return times.map((time) => {
    if (anim.baseLayer !== null) anim.baseLayer.activeStateCurrentTime = time;
    app.systems.fire('animationUpdate', 0);
    const found = new Map<string, number[]>();
    entity.forEach((node: GraphNode) => {
      const { x, y, z } = node.getPosition();
      found.set(node.name, [x, y, z]);
    });
    return found;
  });
}
