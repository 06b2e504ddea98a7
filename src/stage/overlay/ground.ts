/** The ground: a grid of meters that fades into the background. */
import { type Color, DoubleSide, Mesh, PlaneGeometry, ShaderMaterial, type Vector3 } from 'three';

/** Half the size of the grid, meters. */
const RADIUS = 14;

const VERTEX = `
varying vec2 ground;
varying vec2 local;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  ground = world.xz;
  local = position.xy;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

const FRAGMENT = `
uniform vec3 lineColor;
uniform float radius;
varying vec2 ground;
varying vec2 local;
float lines(vec2 at) {
  vec2 width = fwidth(at);
  vec2 distance = abs(fract(at - 0.5) - 0.5) / width;
  return (1.0 - min(min(distance.x, distance.y), 1.0)) * (1.0 - smoothstep(0.2, 0.8, max(width.x, width.y)));
}
void main() {
  float fade = 1.0 - smoothstep(0.35, 1.0, length(local) / radius);
  float alpha = max(lines(ground), 0.35 * lines(ground * 5.0)) * fade;
  if (alpha < 0.01) discard;
  gl_FragColor = vec4(lineColor, alpha);
  #include <colorspace_fragment>
}`;

/** The grid. */
export class Ground {
  /** Add it to the scene. */
  readonly object: Mesh<PlaneGeometry, ShaderMaterial>;

  /** Creates the grid. */
  constructor() {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { lineColor: { value: null }, radius: { value: RADIUS } },
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
    });
    this.object = new Mesh(new PlaneGeometry(2 * RADIUS, 2 * RADIUS), material);
    this.object.rotation.x = -Math.PI / 2;
    this.object.renderOrder = -1;
  }

  /** Colors the lines. */
  setColor(color: Color): void {
    this.object.material.uniforms['lineColor'].value = color.clone();
  }

  /** Keeps the grid around what the camera looks at. Lines stay at whole meters of the world. */
  follow(target: Vector3): void {
    this.object.position.set(target.x, 0, target.z);
  }
}
