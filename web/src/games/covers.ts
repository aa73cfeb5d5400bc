/** The covers, woven and drawn: a chunk of their own, as a game can be chosen before they are there. */
import type { Component } from 'svelte'

const covers = import.meta.glob<{ default: Component }>('./*/Cover.svelte', { eager: true })

export function coverOf(name: string): Component {
  return (covers[`./${name}/Cover.svelte`] ?? covers['./generic/Cover.svelte'])!.default
}
