"""Writes test/oracle/fbx-meshes/body.fbx: a small character of ours with all that meshes of FBX files have, by Blender's exporter.

    blender -b --factory-startup --python-exit-code 1 --python scripts/fbx-oracle/make-body.py -- test/oracle/fbx-meshes/body.fbx

A tube of quads on three bones with up to three joints a vertex, uvs, tangents, colors, two materials, one with an embedded PNG,
and two blend shapes, all animated for a second; a sign with a concave polygon of ten corners that stands at two nodes, once mirrored.
"""

import math
import sys

import bpy
from mathutils import Matrix

RINGS, SIDES = 9, 8


def armature():
    data = bpy.data.armatures.new("Rig")
    item = bpy.data.objects.new("Rig", data)
    bpy.context.scene.collection.objects.link(item)
    bpy.context.view_layer.objects.active = item
    bpy.ops.object.mode_set(mode="EDIT")
    parent = None
    for index, name in enumerate(("Hips", "Spine", "Head")):
        bone = data.edit_bones.new(name)
        bone.head = (0.02 * index, 0, 0.4 * index)
        bone.tail = (0.02 * index + 0.02, 0.01 * index, 0.4 * index + 0.4)
        bone.roll = 0.3 * index
        bone.parent = parent
        parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    return item


def tube(rig):
    places, faces, uvs = [], [], []
    for ring in range(RINGS):
        for side in range(SIDES):
            turn = 2 * math.pi * side / SIDES
            radius = 0.2 + 0.04 * math.sin(ring)
            places.append((radius * math.cos(turn), radius * math.sin(turn), 1.2 * ring / (RINGS - 1)))
    for ring in range(RINGS - 1):
        for side in range(SIDES):
            a, b = ring * SIDES + side, ring * SIDES + (side + 1) % SIDES
            faces.append((a, b, b + SIDES, a + SIDES))
            u, v = side / SIDES, ring / (RINGS - 1)
            uvs.extend([(u, v), (u + 1 / SIDES, v), (u + 1 / SIDES, v + 1 / (RINGS - 1)), (u, v + 1 / (RINGS - 1))])
    data = bpy.data.meshes.new("Tube")
    data.from_pydata(places, [], faces)
    layer = data.uv_layers.new(name="Around")
    colors = data.vertex_colors.new(name="Paint")
    for loop, uv in enumerate(uvs):
        layer.data[loop].uv = uv
        colors.data[loop].color = (uv[0], uv[1], 0.5, 1.0)
    for polygon in data.polygons:
        polygon.use_smooth = polygon.index % 3 > 0
        polygon.material_index = polygon.index % 2
    item = bpy.data.objects.new("Body", data)
    bpy.context.scene.collection.objects.link(item)
    groups = [item.vertex_groups.new(name=bone.name) for bone in rig.data.bones]
    for vertex in data.vertices:
        for index, group in enumerate(groups):
            weight = max(0.0, 1 - abs(vertex.co.z - 0.4 * index - 0.2) / 0.55)
            if weight > 0:
                group.add([vertex.index], weight, "REPLACE")
    item.modifiers.new("Rig", "ARMATURE").object = rig
    item.parent = rig
    item.shape_key_add(name="Basis")
    for name, axis in (("Bulge", 0), ("Stretch", 2)):
        key = item.shape_key_add(name=name)
        for vertex in data.vertices:
            if 0.3 < vertex.co.z < 0.9:
                key.data[vertex.index].co[axis] += 0.1 * math.sin(7 * vertex.co.z)
    return item


def material(name, color, image):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*color, 1)
    shader.inputs["Roughness"].default_value = 0.5
    if image is not None:
        node = made.node_tree.nodes.new("ShaderNodeTexImage")
        node.image = image
        made.node_tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
    return made


def signs():
    data = bpy.data.meshes.new("Sign")
    corners = []
    for k in range(10):
        radius = 0.3 if k % 2 == 0 else 0.1
        corners.append((radius * math.cos(math.pi * k / 5), 0, radius * math.sin(math.pi * k / 5)))
    data.from_pydata(corners, [], [tuple(range(10))])
    for name, place in (("SignLeft", (1, 0, 1)), ("SignRight", (-1, 0, 1))):
        item = bpy.data.objects.new(name, data)
        item.location = place
        item.scale = (1, 1, 1) if name == "SignLeft" else (-1, 1, 1)
        bpy.context.scene.collection.objects.link(item)


def animate(rig, body):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, scene.render.fps + 1
    for frame in range(scene.frame_start, scene.frame_end + 1):
        part = (frame - scene.frame_start) / (scene.frame_end - scene.frame_start)
        for index, bone in enumerate(rig.pose.bones):
            bone.rotation_mode = "QUATERNION"
            bone.rotation_quaternion = Matrix.Rotation(0.6 * math.sin(6 * part + index), 4, "XYZ"[index]).to_quaternion()
            bone.keyframe_insert("rotation_quaternion", frame=frame)
        for index, key in enumerate(body.data.shape_keys.key_blocks[1:]):
            key.value = 0.5 + 0.5 * math.sin(5 * part + index)
            key.keyframe_insert("value", frame=frame)


def main():
    target = sys.argv[sys.argv.index("--") + 1]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    rig = armature()
    body = tube(rig)
    image = bpy.data.images.new("checks", 4, 4)
    image.pixels = [value for k in range(16) for value in ((k + k // 4) % 2, 0.5, 0.25, 1.0)]
    image.pack()
    body.data.materials.append(material("Plain", (0.8, 0.1, 0.1), None))
    body.data.materials.append(material("Checks", (1, 1, 1), image))
    signs()
    animate(rig, body)
    image.filepath_raw = target.replace("body.fbx", "checks.png")
    bpy.ops.export_scene.fbx(
        filepath=target,
        use_tspace=True,
        add_leaf_bones=False,
        path_mode="COPY",
        embed_textures=True,
        bake_anim_simplify_factor=0,
    )


main()
