/** What makes a network's values chances that hold, by game and seats:
 * `src/tanistry/analysis/calibration.toml`; a test compares them. */

export interface Calibration {
  own: number
  lean: number
  together: number
}

const UNMEASURED: Calibration = { own: 1, lean: 0, together: 0.6 }
export const CALIBRATION: Record<string, Record<number, Calibration>> = {
  claim: { 2: { own: 0.95, lean: 0.1, together: 0.55 } },
  kilt: { 2: { own: 1, lean: 0.1, together: 0.6 } },
  lords: {
    2: { own: 1, lean: 0.24, together: 0.55 },
    3: { own: 1, lean: 0.2, together: 0.7 },
  },
  schotten: { 2: { own: 0.95, lean: 0.08, together: 0.55 } },
}

/** Whether somebody has measured how well chances hold with so many seats. */
export const isMeasured = (game: string, seats: number) => !!CALIBRATION[game]?.[seats]

/** That of a game with so many seats, or with the nearest number that was measured. */
export function calibrationOf(game: string, seats: number): Calibration {
  const measured = Object.entries(CALIBRATION[game] ?? {})
  const near = (number: string) => Math.abs(Number(number) - seats)
  measured.sort(([a], [b]) => near(a) - near(b))
  return measured[0]?.[1] ?? UNMEASURED
}
