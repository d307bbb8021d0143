/** Scrolling parts must be reachable without a mouse, and not every browser sees to that. */
export function reachable(node: HTMLElement) {
  if (node.scrollHeight > node.clientHeight) node.tabIndex = 0
}
