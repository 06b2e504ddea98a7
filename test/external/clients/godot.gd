extends SceneTree
# Plays the only clip of each scene of jobs.json and prints where bones and other nodes are: [[{name: [x, y, z], ...} per time] per scene].

func _init():
	var file = File.new()
	file.open("res://jobs.json", File.READ)
	var jobs = JSON.parse(file.get_as_text()).result
	file.close()
	var result = []
	for job in jobs:
		var scene = load("res://" + job.file).instance()
		get_root().add_child(scene)
		result.append(positions_of(scene, job.times))
		scene.free()
	print("RESULT ", JSON.print(result))
	quit()

func below(node, found):
	found.append(node)
	for child in node.get_children():
		below(child, found)
	return found

func positions_of(scene, times):
	var nodes = below(scene, [])
	var player
	for node in nodes:
		if node is AnimationPlayer:
			player = node
	player.play(player.get_animation_list()[0])
	var frames = []
	for time in times:
		player.seek(time, true)
		var frame = {}
		for node in nodes:
			if node is Skeleton:
				for bone in range(node.get_bone_count()):
					var at = node.global_transform * node.get_bone_global_pose(bone).origin
					frame[node.get_bone_name(bone)] = [at.x, at.y, at.z]
			elif node is Spatial and not node is MeshInstance:
				var at = node.global_transform.origin
				frame[node.name] = [at.x, at.y, at.z]
		frames.append(frame)
	return frames
