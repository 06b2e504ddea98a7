"""Blender's opinion on the skinned vertices of an FBX file, as JSON.

    blender -b --factory-startup --python-exit-code 1 --python blender-fbx-meshes.py -- in.fbx out.json

For every mesh object the positions (Blender's world: meters, Z up) of at most MOST of its vertices, evenly chosen; vertex numbers are
the control points of the file. `poses` are the first frame, three frames in between and the last one of the motion (frames on which
every curve has a key, see blender-fbx-poses.py), or the one pose of files without. `shapes` are the same vertices with one blend shape
at a time at 1, in the last of those poses. `corners` are some corners of polygons: control point, normal xyz (space of the mesh), and u, v
of the first uv map where there is one. `weights` are those of the shapes by pose. Times are seconds on the file's own clock.
"""

import importlib.util
import json
import os
import sys

import bpy

MOST = 120
SHAPES = 4


def other(name):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    spec = importlib.util.spec_from_file_location("poses", path)
    module = importlib.util.module_from_spec(spec)
    argv, sys.argv = sys.argv, [*sys.argv[:1], "--", "", ""]
    module.__name__ = "poses"
    source = open(path).read().rsplit("\nmain()", 1)[0]
    exec(compile(source, path, "exec"), module.__dict__)
    sys.argv = argv
    return module


poses = other("blender-fbx-poses.py")


def meshes():
    return sorted((item for item in bpy.data.objects if item.type == "MESH"), key=lambda item: item.name)


def chosen(item):
    count = len(item.data.vertices)
    step = max(1, -(-count // MOST))
    return list(range(0, count, step))


def places(item):
    graph = bpy.context.evaluated_depsgraph_get()
    seen = item.evaluated_get(graph)
    mesh = seen.to_mesh()
    rows = [list(seen.matrix_world @ mesh.vertices[index].co) for index in chosen(item)]
    seen.to_mesh_clear()
    return rows


def corners(item):
    mesh = item.data
    mesh.calc_normals_split()
    uvs = mesh.uv_layers[0].data if mesh.uv_layers else None
    rows = []
    for loop in list(mesh.loops)[:: max(1, -(-len(mesh.loops) // MOST))]:
        rows.append([loop.vertex_index, *loop.normal, *(uvs[loop.index].uv if uvs else ())])
    return rows


def shape_values(item):
    return [key.value for key in item.data.shape_keys.key_blocks[1:]] if item.data.shape_keys else []


def main():
    source, target = sys.argv[sys.argv.index("--") + 1 :]
    armatures = poses.armatures_of(source, True)
    curves = poses.curves_of(armatures)
    frames = poses.frames_keyed(curves) if curves else []
    if frames:
        frames = sorted({frames[round(part * (len(frames) - 1) / 4)] for part in range(5)})
    scene = bpy.context.scene
    result = {
        "version": bpy.app.version_string,
        "meshes": [
            {
                "name": item.name,
                "vertices": len(item.data.vertices),
                "points": chosen(item),
                "corners": corners(item),
                "poses": [],
                "weights": [],
                "shapes": [],
            }
            for item in meshes()
        ],
        "times": [(frame - 1) / (scene.render.fps / scene.render.fps_base) for frame in frames],
    }
    for frame in frames or [scene.frame_current]:
        scene.frame_set(frame)
        for item, row in zip(meshes(), result["meshes"]):
            row["poses"].append(places(item))
            row["weights"].append(shape_values(item))
    for item, row in zip(meshes(), result["meshes"]):
        keys = item.data.shape_keys.key_blocks[1:] if item.data.shape_keys else []
        if keys and item.data.shape_keys.animation_data:
            item.data.shape_keys.animation_data_clear()
        for key in keys:
            key.value = 0
        for key in list(keys)[:: max(1, -(-len(keys) // SHAPES))]:
            key.value = 1
            bpy.context.view_layer.update()
            row["shapes"].append({"name": key.name, "places": places(item)})
            key.value = 0
    with open(target, "w") as file:
        json.dump(result, file)


main()
