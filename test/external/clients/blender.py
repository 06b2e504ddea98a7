"""Imports files into Blender and prints where their joints are.

Input: a JSON file with [{"path", "times": [seconds]}]; output: a line "RESULT " and JSON with, per file, the numbers of armatures and empties, the
actions, the active action, and per time the positions of the bones (glTF axes, units of the file) by name.
"""
import builtins
import json
import sys

import numpy

# Debian's Blender 3.4 is older than its Python 3.11 and numpy: the importers of glTF and BVH need these two names.
numpy.bool = bool
plain_open = builtins.open
builtins.open = lambda file, mode="r", *args, **named: plain_open(file, mode.replace("U", ""), *args, **named)

import bpy  # noqa: E402


def positions(scene, time, fps):
    frame = time * fps
    scene.frame_set(int(frame), subframe=frame - int(frame))
    found = {}
    for thing in bpy.data.objects:
        if thing.type != "ARMATURE":
            continue
        for bone in thing.pose.bones:
            x, y, z = thing.matrix_world @ bone.head
            found[bone.name] = [x, z, -y]
    return found


def load(path, times):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    first = 0
    if path.endswith(".bvh"):
        bpy.ops.import_anim.bvh(filepath=path, update_scene_fps=True, frame_start=1)
        first = 1
    else:
        bpy.ops.import_scene.gltf(filepath=path)
    fps = scene.render.fps / scene.render.fps_base
    armatures = [thing for thing in bpy.data.objects if thing.type == "ARMATURE"]
    active = [thing.animation_data.action.name for thing in armatures if thing.animation_data and thing.animation_data.action]
    return {
        "armatures": len(armatures),
        "empties": sum(1 for thing in bpy.data.objects if thing.type == "EMPTY"),
        "actions": [action.name for action in bpy.data.actions],
        "active": active,
        "positions": [positions(scene, time + first / fps, fps) for time in times],
    }


with open(sys.argv[sys.argv.index("--") + 1]) as file:
    jobs = json.load(file)
print("RESULT " + json.dumps([load(job["path"], job["times"]) for job in jobs]))
