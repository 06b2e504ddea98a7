/** The ground: a soft disc with faint lines at whole meters, on which figures throw their shadows. */
import { CircleGeometry, type Color, Group, Mesh, ShaderMaterial, ShadowMaterial, type Vector3 } from 'three';

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
uniform vec3 discColor;
varying vec2 ground;
varying vec2 local;
void main() {
  float fade = 1.0 - smoothstep(0.0, 1.0, length(local));
  vec2 width = fwidth(ground);
  vec2 distance = abs(fract(ground - 0.5) - 0.5) / width;
  float line = (1.0 - min(min(distance.x, distance.y), 1.0)) * (1.0 - smoothstep(0.05, 0.3, max(width.x, width.y)));
  gl_FragColor = vec4(discColor, fade * (0.5 + 0.28 * line));
  #include <colorspace_fragment>
}`;

/** Radius of the disc by the size of what stands on it. */
const REACH = 1.7;
/** Height of the shadow above the disc, meters. */
const LIFT = 0.001;

/** The ground. */
export class Ground {
  /** Add it to the scene. */
  readonly object: Group = new Group();
  readonly #disc: Mesh<CircleGeometry, ShaderMaterial>;
  readonly #shadow: Mesh<CircleGeometry, ShadowMaterial>;

  /** Creates the ground. */
  constructor() {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { discColor: { value: null } },
      transparent: true,
      depthWrite: false,
    });
    const geometry = new CircleGeometry(1, 48);
    this.#disc = new Mesh(geometry, material);
    this.#shadow = new Mesh(geometry, new ShadowMaterial({ opacity: 0.34, depthWrite: false }));
    this.#shadow.receiveShadow = true;
    this.#shadow.position.y = LIFT;
    this.#disc.renderOrder = -3;
    this.#shadow.renderOrder = -2;
    for (const mesh of [this.#disc, this.#shadow]) {
      mesh.rotation.x = -Math.PI / 2;
      this.object.add(mesh);
    }
    this.fit(1.8);
  }

  /** Colors the disc and its lines. */
  setColor(color: Color): void {
    this.#disc.material.uniforms['discColor'].value = color.clone();
  }

  /** Fits the disc to the size of what stands on it, meters. */
  fit(size: number): void {
    this.#disc.scale.setScalar(REACH * size);
    this.#shadow.scale.setScalar(size);
  }

  /** Keeps the ground around what the camera looks at. Lines stay at whole meters of the world. */
  follow(target: Vector3): void {
    this.object.position.set(target.x, 0, target.z);
  }

  /** Frees geometries and materials. */
  dispose(): void {
    this.#disc.geometry.dispose();
    this.#disc.material.dispose();
    this.#shadow.material.dispose();
  }
}
