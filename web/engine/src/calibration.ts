/** What makes a network's values chances that hold, by game and seats:
 * `src/tanistry/analysis/calibration.toml`; a test compares them. */

export interface Calibration {
  own: number
  lean: number
  together: number
}

const UNMEASURED: Calibration = { own: 1, lean: 0, together: 0.6 }
export const CALIBRATION: Record<string, Record<number, Calibration>> = {
  claim: { 2: { own: 1.15, lean: 0.12, together: 0.6 } },
  kilt: { 2: { own: 1.05, lean: 0.12, together: 0.65 } },
  lords: {
    2: { own: 0.95, lean: 0.22, together: 0.5 },
    3: { own: 0.9, lean: 0.16, together: 0.65 },
  },
  schotten: { 2: { own: 0.95, lean: 0.08, together: 0.55 } },
}

/** That of a game with so many seats, or with the nearest number that was measured. */
export function calibrationOf(game: string, seats: number): Calibration {
  const measured = Object.entries(CALIBRATION[game] ?? {})
  const near = (number: string) => Math.abs(Number(number) - seats)
  measured.sort(([a], [b]) => near(a) - near(b))
  return measured[0]?.[1] ?? UNMEASURED
}
