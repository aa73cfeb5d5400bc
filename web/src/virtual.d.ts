/** Made by vite.config.ts from the engines that lie in public/engines. */
declare module 'virtual:engines' {
  import type { Games } from './lib/protocol'
  /** The version of each game's rules. */
  export const versions: Record<string, number>
  /** Games that have lessons. */
  export const taught: string[]
  /** What there is to play, where the client is built to have no server. */
  export const games: Games | null
}
