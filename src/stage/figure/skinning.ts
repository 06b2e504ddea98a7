/**
 * Skins in the vertex shader with as many bones as a vertex has. three.js reads four matrices and multiplies six for every vertex, most of which have one
 * or two bones: on machines without a graphics card that is half of a frame.
 */
import { type BufferAttribute, type BufferGeometry, type Material, type Mesh, MeshDepthMaterial } from 'three';

/** Bones of a vertex come first; the first one without weight ends the loop. `bindMatrix` and `boneTexture` are those of three.js. */
const BLEND = `
#ifdef USE_SKINNING
	vec3 skinX = vec3( 0.0 ), skinY = vec3( 0.0 ), skinZ = vec3( 0.0 ), skinT = vec3( 0.0 );
	int boneTexels = textureSize( boneTexture, 0 ).x;
	for ( int influence = 0; influence < 4; influence ++ ) {
		float weight = skinWeight[ influence ];
		if ( weight <= 0.0 ) break;
		int first = 4 * int( skinIndex[ influence ] );
		ivec2 texel = ivec2( first % boneTexels, first / boneTexels );
		skinX += weight * texelFetch( boneTexture, texel, 0 ).xyz;
		skinY += weight * texelFetch( boneTexture, texel + ivec2( 1, 0 ), 0 ).xyz;
		skinZ += weight * texelFetch( boneTexture, texel + ivec2( 2, 0 ), 0 ).xyz;
		skinT += weight * texelFetch( boneTexture, texel + ivec2( 3, 0 ), 0 ).xyz;
	}
#endif
`;
const POSITION = `
#ifdef USE_SKINNING
	vec3 skinVertex = ( bindMatrix * vec4( transformed, 1.0 ) ).xyz;
	skinVertex = skinX * skinVertex.x + skinY * skinVertex.y + skinZ * skinVertex.z + skinT;
	transformed = ( bindMatrixInverse * vec4( skinVertex, 1.0 ) ).xyz;
#endif
`;
const NORMAL = `
#ifdef USE_SKINNING
	mat3 skinMatrix = mat3( bindMatrixInverse ) * mat3( skinX, skinY, skinZ ) * mat3( bindMatrix );
	objectNormal = skinMatrix * objectNormal;
	#ifdef USE_TANGENT
		objectTangent = skinMatrix * objectTangent;
	#endif
#endif
`;

/** Replaces the skinning of three.js. One function for all materials: their programs are shared. */
const replaceSkinning: Material['onBeforeCompile'] = (shader) => {
  shader.vertexShader = shader.vertexShader
    .replace('#include <skinbase_vertex>', BLEND)
    .replace('#include <skinning_vertex>', POSITION)
    .replace('#include <skinnormal_vertex>', NORMAL);
};

/** Moves the bones of each vertex before the slots without weight. */
function compactInfluences(geometry: BufferGeometry): void {
  const [bones, weights] = ['skinIndex', 'skinWeight'].map((name) => geometry.getAttribute(name) as BufferAttribute);
  for (let vertex = 0; vertex < weights.count; vertex++) {
    let used = 0;
    for (let slot = 0; slot < 4; slot++) {
      const weight = weights.getComponent(vertex, slot);
      if (weight <= 0) continue;
      if (slot > used) {
        weights.setComponent(vertex, used, weight);
        bones.setComponent(vertex, used, bones.getComponent(vertex, slot));
        weights.setComponent(vertex, slot, 0);
      }
      used++;
    }
  }
}

/** Prepares skinned meshes, with the materials that they are drawn with. Free `customDepthMaterial` with them. */
export function prepareSkinning(meshes: readonly Mesh[]): void {
  for (const mesh of meshes) {
    if (!('isSkinnedMesh' in mesh)) continue;
    compactInfluences(mesh.geometry);
    const materials = Array.isArray(mesh.material) ? mesh.material : [mesh.material];
    for (const material of materials) material.onBeforeCompile = replaceSkinning;
    // Shadows of surfaces that are cut out by a texture need a material of their own, which three.js makes.
    if (materials.some(({ alphaTest, alphaToCoverage }) => alphaTest > 0 || alphaToCoverage)) continue;
    mesh.customDepthMaterial = new MeshDepthMaterial();
    mesh.customDepthMaterial.onBeforeCompile = replaceSkinning;
  }
}
