/** The extension that hides a node with all nodes below it: `{ visible: false }`. */
export const NODE_VISIBILITY = 'KHR_node_visibility';
