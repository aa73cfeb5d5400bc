import { afterFrame } from './later'

/** What scrolls can be reached and moved by keyboard, and says whether more lies below (`data-below`);
 *  what does not is no stop on the way. */
export function scrolls(node: HTMLElement): { destroy: () => void } {
  let soon = false
  const look = (): void => {
    soon = false
    delete node.dataset['more'] // what is styled by it would count
    const more =
      node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1
    if (more) node.dataset['more'] = ''
    if (more) node.tabIndex = 0
    else node.removeAttribute('tabindex')
    lookBelow()
  }
  const lookBelow = (): void => {
    const below = node.scrollTop + node.clientHeight < node.scrollHeight - 2
    node.toggleAttribute('data-below', below)
  }
  /** Once the page has been laid out: asked at once, it would have to be laid out on the spot. */
  const later = (): void => {
    if (!soon) afterFrame(look)
    soon = true
  }
  const sizes = new ResizeObserver(later)
  sizes.observe(node)
  node.addEventListener('scroll', lookBelow, { passive: true })
  const content = new MutationObserver(later)
  content.observe(node, { childList: true, characterData: true, subtree: true })
  return {
    destroy() {
      sizes.disconnect()
      node.removeEventListener('scroll', lookBelow)
      content.disconnect()
    },
  }
}
