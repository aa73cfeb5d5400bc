import type { Face } from '..'

/** Plain cloth and an emblem for each faction. */
export const FACTIONS: Readonly<Record<string, { plain: string; accent: string; emblem: string }>> =
  {
    G: { plain: '#5f8a34', accent: '#3f6314', emblem: 'goblin' },
    K: { plain: '#a83232', accent: '#8c2020', emblem: 'knight' },
    U: { plain: '#5c5470', accent: '#433a5c', emblem: 'undead' },
    D: { plain: '#b07a2c', accent: '#7c4d08', emblem: 'dwarf' },
    X: { plain: '#2f7f8c', accent: '#125b68', emblem: 'doppel' },
  }

export function face(code: string): Face {
  const faction = FACTIONS[code[0]!] ?? FACTIONS['G']!
  return { ...faction, value: code.slice(1), letters: code[0]! }
}
