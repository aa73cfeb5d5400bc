/** Where something lies on the table as it is drawn: places and cards carry their names. */

function place(root: Element, name: string): Element | null {
  return root.querySelector(`[data-place="${CSS.escape(name)}"]`)
}

/** A card in a place (a hidden one has no code), else its last card, else the place itself. */
export function spot(root: Element, name: string, card: string | null): Element | null {
  const box = place(root, name)
  if (!box) return null
  const named = [...box.querySelectorAll(`[data-card="${CSS.escape(card ?? '')}"]`)].at(-1)
  return named ?? [...box.querySelectorAll('[data-card]')].at(-1) ?? box
}
