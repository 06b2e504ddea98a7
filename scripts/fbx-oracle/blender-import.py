"""What Blender makes of a BVH, GLB, glTF or FBX file, as JSON: to check that it imports what we write.

    blender -b --factory-startup --python-exit-code 1 --python blender-import.py -- file out.json [frames [action]]

Counts of armatures, bones and meshes; the actions with their frame ranges; and for `frames` (5) whole frames over the range of
the action (the first, or the first whose name starts so), the world positions of all bone heads (meters, Z up; a BVH in its own unit, since it has none).
"""

import json
import os
import sys

import bpy
import numpy
from io_anim_bvh import import_bvh as import_bvh_module


def import_bvh(path):
    # The importer of 3.4 opens its file in mode 'rU', which Python 3.11 has no more.
    import_bvh_module.open = lambda file, mode="r", **options: open(file, mode.replace("U", ""), **options)
    return bpy.ops.import_anim.bvh(
        filepath=path, update_scene_fps=True, update_scene_duration=True, rotate_mode="QUATERNION"
    )


def import_gltf(path):
    # The importer of 3.4 wants a name that numpy has dropped.
    numpy.bool = bool
    return bpy.ops.import_scene.gltf(filepath=path, bone_heuristic="BLENDER")


IMPORTS = {
    ".bvh": import_bvh,
    ".glb": import_gltf,
    ".gltf": import_gltf,
    ".fbx": lambda path: bpy.ops.import_scene.fbx(filepath=path, use_custom_props=False),
}
# The frame on which the importer puts second 0.
FIRST_FRAME = {".bvh": 1, ".glb": 0, ".gltf": 0, ".fbx": 1}


def heads(armature):
    return {
        bone.name: [float(f"{value:.7g}") for value in armature.matrix_world @ bone.head] for bone in armature.pose.bones
    }


def main():
    arguments = sys.argv[sys.argv.index("--") + 1 :]
    path, target = arguments[:2]
    count = int(arguments[2]) if len(arguments) > 2 else 5
    bpy.ops.wm.read_factory_settings(use_empty=True)
    extension = os.path.splitext(path)[1].lower()
    result = IMPORTS[extension](path)
    if "FINISHED" not in result:
        raise RuntimeError(f"Blender did not import {path}")
    scene = bpy.context.scene
    armatures = sorted((item for item in bpy.data.objects if item.type == "ARMATURE"), key=lambda item: item.name)
    rate = scene.render.fps / scene.render.fps_base
    report = {
        "version": bpy.app.version_string,
        "file": os.path.basename(path),
        "framesPerSecond": rate,
        "armatures": [{"name": item.name, "bones": len(item.data.bones)} for item in armatures],
        "meshes": sum(item.type == "MESH" for item in bpy.data.objects),
        "actions": [{"name": action.name, "frames": list(action.frame_range)} for action in bpy.data.actions],
        "poses": [],
    }
    if len(arguments) > 3:
        chosen = next(action for action in bpy.data.actions if action.name.startswith(arguments[3]))
        for item in armatures:
            item.animation_data_create().action = chosen
    moving = [item for item in armatures if item.animation_data and item.animation_data.action]
    if moving:
        first, last = moving[0].animation_data.action.frame_range
        picked = [round(first + (last - first) * step / max(1, count - 1)) for step in range(count)]
        for frame in sorted(set(picked)):
            scene.frame_set(frame)
            seconds = (frame - FIRST_FRAME[extension]) / rate
            report["poses"].append(
                {"frame": frame, "seconds": seconds, "heads": {item.name: heads(item) for item in armatures}}
            )
    else:
        report["poses"].append({"heads": {item.name: heads(item) for item in armatures}})
    with open(target, "w", encoding="utf-8") as file:
        json.dump(report, file)


main()
