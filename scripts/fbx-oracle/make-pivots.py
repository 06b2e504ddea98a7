"""Writes test/oracle/fbx-poses/pivots.{ascii,binary}.fbx: one FBX 7.4 scene in both encodings, a limb for every term of the local
transform (rotation orders, pre- and post-rotation, pivots, offsets), each with a tip and most of them animated.

    python3 make-pivots.py ../../test/oracle/fbx-poses

The binary one is written by the encoder of Blender's exporter (encode_bin.py of Debian's blender).
"""

import os
import sys

sys.path.insert(0, "/usr/share/blender/scripts/addons/io_scene_fbx")
import encode_bin  # noqa: E402

SECOND = 46186158000
TURN = (30.0, 40.0, 50.0)
FIRST_MODEL, FIRST_CURVE = 1000, 5000

# Name, properties, what is animated.
LIMBS = [
    *(
        (f"Order{order}", {"RotationActive": 1, "RotationOrder": order, "Lcl Rotation": TURN}, "R")
        for order in range(6)
    ),
    ("Pre", {"RotationActive": 1, "PreRotation": (20.0, -35.0, 60.0), "Lcl Rotation": TURN}, "R"),
    ("Post", {"RotationActive": 1, "PostRotation": (-25.0, 15.0, 70.0), "Lcl Rotation": TURN}, "R"),
    (
        "PrePost",
        {
            "RotationActive": 1,
            "PreRotation": (20.0, -35.0, 60.0),
            "PostRotation": (-25.0, 15.0, 70.0),
            "Lcl Rotation": TURN,
        },
        "R",
    ),
    (
        "PreOrder4",
        {"RotationActive": 1, "RotationOrder": 4, "PreRotation": (20.0, -35.0, 60.0), "Lcl Rotation": TURN},
        "R",
    ),
    ("Inactive", {"RotationActive": 0, "RotationOrder": 4, "PreRotation": (20.0, -35.0, 60.0), "Lcl Rotation": TURN}, "R"),
    ("RotationPivot", {"RotationActive": 1, "RotationPivot": (1.0, 2.0, 3.0), "Lcl Rotation": TURN}, "R"),
    (
        "RotationOffset",
        {"RotationActive": 1, "RotationOffset": (4.0, -2.0, 1.0), "RotationPivot": (1.0, 2.0, 3.0), "Lcl Rotation": TURN},
        "R",
    ),
    ("ScalingPivot", {"RotationActive": 1, "ScalingPivot": (1.0, 2.0, 3.0), "Lcl Scaling": (1.5, 1.5, 1.5)}, "S"),
    (
        "ScalingOffset",
        {"RotationActive": 1, "ScalingOffset": (4.0, -2.0, 1.0), "ScalingPivot": (1.0, 2.0, 3.0), "Lcl Scaling": (1.5, 1.5, 1.5)},
        "S",
    ),
    (
        "All",
        {
            "RotationActive": 1,
            "RotationOrder": 0,
            "PreRotation": (20.0, -35.0, 60.0),
            "RotationOffset": (4.0, -2.0, 1.0),
            "RotationPivot": (1.0, 2.0, 3.0),
            "ScalingOffset": (-1.0, 0.5, 2.0),
            "ScalingPivot": (3.0, 1.0, -2.0),
            "Lcl Rotation": TURN,
            "Lcl Scaling": (1.5, 1.5, 1.5),
        },
        "TRS",
    ),
]

# Values of the keys at 0, 0.5 and 1 second, x y z.
KEYS = {
    "T": ((0.0, 20.0, 0.0), (5.0, 22.0, -3.0), (-2.0, 18.0, 4.0)),
    "R": ((10.0, 20.0, 30.0), (45.0, -30.0, 75.0), (-80.0, 60.0, 120.0)),
    "S": ((1.0, 1.0, 1.0), (1.25, 1.25, 1.25), (2.0, 2.0, 2.0)),
}
CURVE_PROPERTY = {"T": "Lcl Translation", "R": "Lcl Rotation", "S": "Lcl Scaling"}


class Array(list):
    """An array property; `kind` is l (int64), i (int32), d (float64) or f (float32)."""

    def __init__(self, kind, values):
        super().__init__(values)
        self.kind = kind


class Name(str):
    """An object's name with its class: `Model::Hips` in ASCII, `Hips\\0\\1Model` in binary."""


class Long(int):
    """An int64, as object ids are."""


def record(name, *properties, records=()):
    return (name, properties, list(records))


def property70(name, value):
    if name in ("RotationActive",):
        return record("P", name, "bool", "", "", value)
    if name in ("RotationOrder", "InheritType"):
        return record("P", name, "enum", "", "", value)
    kind = (name, "", "A") if name.startswith("Lcl ") else ("Vector3D", "Vector", "")
    return record("P", name, *kind, *value)


def scene():
    models = []
    connections = []
    animation = []

    def model(name, parent, kind, **properties):
        identity = FIRST_MODEL + len(models)
        rows = [property70(key, value) for key, value in properties.items()]
        models.append(
            record(
                "Model",
                Long(identity),
                Name(f"Model::{name}"),
                kind,
                records=[record("Version", 232), record("Properties70", records=rows)],
            )
        )
        connections.append(record("C", "OO", Long(identity), Long(parent)))
        return identity

    def curves(identity, what):
        node = FIRST_CURVE + len(animation)
        animation.append(
            record(
                "AnimationCurveNode",
                Long(node),
                Name(f"AnimCurveNode::{what}"),
                "",
                records=[
                    record(
                        "Properties70",
                        records=[record("P", f"d|{axis}", "Number", "", "A", KEYS[what][0][c]) for c, axis in enumerate("XYZ")],
                    )
                ],
            )
        )
        connections.append(record("C", "OO", Long(node), Long(11)))
        connections.append(record("C", "OP", Long(node), Long(identity), CURVE_PROPERTY[what]))
        for c, axis in enumerate("XYZ"):
            curve = FIRST_CURVE + len(animation)
            animation.append(
                record(
                    "AnimationCurve",
                    Long(curve),
                    Name("AnimCurve::"),
                    "",
                    records=[
                        record("Default", 0.0),
                        record("KeyVer", 4008),
                        record("KeyTime", Array("l", (0, SECOND // 2, SECOND))),
                        record("KeyValueFloat", Array("f", (key[c] for key in KEYS[what]))),
                        record("KeyAttrFlags", Array("i", (4,))),
                        record("KeyAttrDataFloat", Array("f", (0.0, 0.0, 0.0, 0.0))),
                        record("KeyAttrRefCount", Array("i", (3,))),
                    ],
                )
            )
            connections.append(record("C", "OP", Long(curve), Long(node), f"d|{axis}"))

    rig = model("Rig", 0, "Null", **{"Lcl Translation": (5.0, 0.0, 0.0)})
    hub = model("Hub", rig, "LimbNode", **{"Lcl Translation": (0.0, 100.0, 0.0)})
    for name, properties, animated in LIMBS:
        limb = model(name, hub, "LimbNode", **{"Lcl Translation": (0.0, 20.0, 0.0)}, **properties)
        model(f"{name}Tip", limb, "LimbNode", **{"Lcl Translation": (3.0, 10.0, -5.0)})
        for what in animated:
            curves(limb, what)
    stack = record(
        "AnimationStack",
        Long(10),
        Name("AnimStack::Take 001"),
        "",
        records=[
            record(
                "Properties70",
                records=[
                    record("P", "LocalStop", "KTime", "Time", "", Long(SECOND)),
                    record("P", "ReferenceStop", "KTime", "Time", "", Long(SECOND)),
                ],
            )
        ],
    )
    layer = record("AnimationLayer", Long(11), Name("AnimLayer::BaseLayer"), "")
    connections.append(record("C", "OO", Long(11), Long(10)))
    settings = [
        *(
            record("P", name, "int", "Integer", "", value)
            for name, value in (
                ("UpAxis", 1),
                ("UpAxisSign", 1),
                ("FrontAxis", 2),
                ("FrontAxisSign", 1),
                ("CoordAxis", 0),
                ("CoordAxisSign", 1),
            )
        ),
        record("P", "UnitScaleFactor", "double", "Number", "", 1.0),
        record("P", "TimeMode", "enum", "", "", 6),
    ]
    return [
        record(
            "FBXHeaderExtension",
            records=[record("FBXHeaderVersion", 1003), record("FBXVersion", 7400), record("Creator", "anyrig make-pivots.py")],
        ),
        record("GlobalSettings", records=[record("Version", 1000), record("Properties70", records=settings)]),
        record("Definitions", records=[record("Version", 100), record("Count", 0)]),
        record("Objects", records=[*models, stack, layer, *animation]),
        record("Connections", records=connections),
    ]


def ascii_value(value):
    return f'"{value}"' if isinstance(value, str) else repr(value) if isinstance(value, float) else str(int(value))


def ascii_lines(node, depth):
    name, properties, records = node
    indent = "\t" * depth
    if len(properties) == 1 and isinstance(properties[0], Array):
        array = properties[0]
        values = ",".join(ascii_value(value) for value in array)
        return [f"{indent}{name}: *{len(array)} {{", f"{indent}\ta: {values}", f"{indent}}}"]
    head = f"{indent}{name}: {', '.join(ascii_value(value) for value in properties)}"
    if not records and name not in ("AnimationLayer", "Properties70"):
        return [head]
    return [f"{head} {{", *(line for child in records for line in ascii_lines(child, depth + 1)), f"{indent}}}"]


def binary_element(node):
    name, properties, records = node
    element = encode_bin.FBXElem(name.encode())
    for value in properties:
        if isinstance(value, Array):
            add = {
                "l": element.add_int64_array,
                "i": element.add_int32_array,
                "d": element.add_float64_array,
                "f": element.add_float32_array,
            }[value.kind]
            add(list(value))
        elif isinstance(value, Name):
            kind, _, text = value.partition("::")
            element.add_string(f"{text}\0\1{kind}".encode())
        elif isinstance(value, str):
            element.add_string(value.encode())
        elif isinstance(value, float):
            element.add_float64(value)
        elif isinstance(value, Long):
            element.add_int64(int(value))
        else:
            element.add_int32(value)
    element.elems.extend(binary_element(child) for child in records)
    return element


def main():
    (folder,) = sys.argv[1:]
    top = scene()
    with open(os.path.join(folder, "pivots.ascii.fbx"), "w", encoding="utf-8") as file:
        file.write("; FBX 7.4.0 project file\n; " + "-" * 52 + "\n\n")
        file.write("\n".join(line for node in top for line in ascii_lines(node, 0)) + "\n")
    root = encode_bin.FBXElem(b"")
    root.elems.extend(binary_element(node) for node in top)
    # The encoder puts its own values into these two; assimp wants a record with a block at the end.
    for name in (b"FileId", b"CreationTime"):
        root.elems.insert(1, encode_bin.FBXElem(name))
    root.elems[1].add_string(b"1970-01-01 10:00:00:000")
    root.elems[2].add_bytes(b"\0" * 16)
    encode_bin.write(os.path.join(folder, "pivots.binary.fbx"), root, 7400)


main()
