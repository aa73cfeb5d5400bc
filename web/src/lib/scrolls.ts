/** What scrolls can be reached and moved by keyboard; what does not is no stop on the way. */
export function scrolls(node: HTMLElement): { destroy: () => void } {
  const look = (): void => {
    const more =
      node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1
    if (more) node.tabIndex = 0
    else node.removeAttribute('tabindex')
  }
  const sizes = new ResizeObserver(look)
  sizes.observe(node)
  const content = new MutationObserver(look)
  content.observe(node, { childList: true, subtree: true })
  return {
    destroy() {
      sizes.disconnect()
      content.disconnect()
    },
  }
}
