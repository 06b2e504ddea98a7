"""Blender's opinion on the poses of FBX files, as JSON.

    blender -b --factory-startup --python-exit-code 1 --python blender-fbx-poses.py -- POSES in.fbx out.json [in.fbx out.json …]

Rows are places (position xyz, rotation xyzw) in Blender's world (meters, Z up) of the armature objects and of the heads of
their bones. With these settings of the importer (no automatic orientation, pre and post rotation used) bones keep the axes of
their nodes. `bind` is the pose of the edit bones (the bind pose of the skin where the file has one), `rest` where an import
without animation leaves the bones (the Lcl values), `poses` the same at POSES times from the first key to the last. The importer
interpolates linearly between keys whatever the file says, so those are taken from the frames on which every curve has a
key or holds still. Times are seconds on the file's own clock: the importer puts second 0 on frame 1.
"""

import json
import sys

import bpy

NEAR = 1e-3


def armatures_of(path, with_animation):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.fbx(
        filepath=path,
        global_scale=1.0,
        use_anim=with_animation,
        ignore_leaf_bones=False,
        automatic_bone_orientation=False,
        use_prepost_rot=True,
        use_custom_props=False,
    )
    bpy.context.view_layer.update()
    found = [item for item in bpy.data.objects if item.type == "ARMATURE"]
    return sorted(found, key=lambda item: item.name)


def place(matrix):
    position, rotation, _ = matrix.decompose()
    return [*position, rotation.x, rotation.y, rotation.z, rotation.w]


def names(armatures):
    return [name for item in armatures for name in [item.name, *(bone.name for bone in item.data.bones)]]


def bound(armatures):
    rows = []
    for item in armatures:
        rows.append(place(item.matrix_world))
        rows.extend(place(item.matrix_world @ bone.matrix_local) for bone in item.data.bones)
    return rows


def posed(armatures):
    rows = []
    for item in armatures:
        rows.append(place(item.matrix_world))
        rows.extend(place(item.matrix_world @ item.pose.bones[bone.name].matrix) for bone in item.data.bones)
    return rows


def curves_of(armatures):
    """The curves that move the armatures, their ancestors and their bones."""
    found = []
    for item in armatures:
        while item is not None:
            if item.animation_data and item.animation_data.action:
                found.extend(curve for curve in item.animation_data.action.fcurves if len(curve.keyframe_points))
            item = item.parent
    return found


def frames_keyed(curves):
    """The whole frames on which no curve is between two different keys."""
    first = round(min(curve.keyframe_points[0].co[0] for curve in curves))
    last = int(max(curve.keyframe_points[-1].co[0] for curve in curves) + NEAR)
    frames = set(range(first, last + 1))
    for curve in curves:
        keys = [tuple(point.co) for point in curve.keyframe_points]
        for (start, before), (end, after) in zip(keys, keys[1:]):
            if abs(after - before) > 1e-7 * max(1, abs(before)):
                frames -= {frame for frame in range(int(start), int(end) + 2) if start + NEAR < frame < end - NEAR}
    return sorted(frames)


def write_poses(samples, source, target):
    armatures = armatures_of(source, False)
    result = {
        "version": bpy.app.version_string,
        "names": names(armatures),
        "bind": bound(armatures),
        "rest": posed(armatures),
        "times": [],
        "poses": [],
    }
    armatures = armatures_of(source, True)
    if names(armatures) != result["names"]:
        raise RuntimeError("the two imports made different bones")
    curves = curves_of(armatures)
    if curves:
        frames = frames_keyed(curves)
        picked = sorted({frames[round((len(frames) - 1) * step / (samples - 1))] for step in range(samples)})
        for frame in picked:
            bpy.context.scene.frame_set(frame)
            render = bpy.context.scene.render
            result["times"].append((frame - 1) * render.fps_base / render.fps)
            result["poses"].append(posed(armatures))
    with open(target, "w", encoding="utf-8") as file:
        json.dump(result, file)


count, *paths = sys.argv[sys.argv.index("--") + 1 :]
for source, target in zip(paths[::2], paths[1::2]):
    write_poses(int(count), source, target)
