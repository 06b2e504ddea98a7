extends SceneTree
# Plays the only clip of each scene of jobs.json and prints where bones and other nodes are: [[{name: [x, y, z], ...} per time] per scene].

# Errors end only the function that they are in, so that it always quits.
func _init():
	play_jobs()
	quit()

func play_jobs():
	var file = File.new()
	file.open("res://jobs.json", File.READ)
	var jobs = JSON.parse(file.get_as_text()).result
	file.close()
	var result = []
	for job in jobs:
		var packed = load("res://" + job.file)
		if packed == null:
			printerr(job.file, " is not a scene")
			return
		var scene = packed.instance()
		get_root().add_child(scene)
		var frames = positions_of(scene, job.times)
		scene.free()
		if frames == null:
			printerr(job.file, " has no clip")
			return
		result.append(frames)
	print("RESULT ", JSON.print(result))

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
	if player == null or player.get_animation_list().empty():
		return null
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
