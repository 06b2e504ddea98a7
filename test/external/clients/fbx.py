"""Imports FBX files into Blender with its default settings and prints where joints and vertices are.

Input: a JSON file with [{"path", "clip", "times", "shown"}], times in seconds; output: a line "RESULT " and JSON with, per file, the names of armatures, meshes and
actions, per time the bones by name as [x, y, z, qx, qy, qz, qw] in the world of the file (centimeters, Y up), and per time of `shown` the vertices of all meshes.
"""
import json
import sys

import bpy
from mathutils import Matrix

# Blender's world, meters and Z up, as centimeters and Y up.
TO_FILE = Matrix(((100, 0, 0, 0), (0, 0, 100, 0), (0, -100, 0, 0), (0, 0, 0, 1)))


def go_to(time):
    scene = bpy.context.scene
    # The importer puts second 0 on frame 1.
    frame = 1 + time * scene.render.fps / scene.render.fps_base
    whole = round(frame) if abs(frame - round(frame)) < 1e-3 else int(frame)
    scene.frame_set(whole, subframe=0 if whole == round(frame) else frame - whole)


def bones():
    found = {}
    for thing in bpy.data.objects:
        if thing.type != "ARMATURE":
            continue
        for bone in thing.pose.bones:
            matrix = TO_FILE @ thing.matrix_world @ bone.matrix
            turn = matrix.to_quaternion().normalized()
            found[bone.name] = [*matrix.translation, turn.x, turn.y, turn.z, turn.w]
    return found


def vertices():
    found = []
    graph = bpy.context.evaluated_depsgraph_get()
    for thing in bpy.data.objects:
        if thing.type != "MESH":
            continue
        shown = thing.evaluated_get(graph)
        mesh = shown.to_mesh()
        matrix = TO_FILE @ shown.matrix_world
        for vertex in mesh.vertices:
            found.extend(round(value, 5) for value in matrix @ vertex.co)
        shown.to_mesh_clear()
    return found


def play(clip):
    """Plays the clip on all objects and shape keys that have it: names are `Object|clip|layer`."""
    wanted = [action for action in bpy.data.actions if f"|{clip}" in action.name or action.name == clip]
    for owner in [*bpy.data.objects, *bpy.data.shape_keys]:
        for action in wanted:
            if owner.animation_data and action.name.startswith(owner.name + "|"):
                owner.animation_data.action = action


def load(path, clip, times, shown):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.fbx(filepath=path)
    play(clip)
    poses, points = [], []
    for time in times:
        go_to(time)
        poses.append(bones())
    for time in shown:
        go_to(time)
        points.append(vertices())
    return {
        "armatures": [thing.name for thing in bpy.data.objects if thing.type == "ARMATURE"],
        "meshes": [thing.name for thing in bpy.data.objects if thing.type == "MESH"],
        "actions": [action.name for action in bpy.data.actions],
        "poses": poses,
        "points": points,
    }


with open(sys.argv[sys.argv.index("--") + 1]) as file:
    jobs = json.load(file)
print("RESULT " + json.dumps([load(**job) for job in jobs]))
