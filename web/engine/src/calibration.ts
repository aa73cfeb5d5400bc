/** What makes a network's values chances that hold, by game and seats:
 * `src/tanistry/analysis/calibration.toml`; a test compares them. */

export interface Calibration {
  own: number
  lean: number
  together: number
}

const UNMEASURED: Calibration = { own: 1, lean: 0, together: 0.6 }
export const CALIBRATION: Record<string, Record<number, Calibration>> = {
  claim: { 2: { own: 1.1, lean: 0.04, together: 0.65 } },
  kilt: {
    2: { own: 1.05, lean: 0.08, together: 0.55 },
    3: { own: 0.9, lean: 0.06, together: 0.75 },
    4: { own: 1.05, lean: 0.04, together: 0.9 },
  },
  lords: {
    2: { own: 1, lean: 0.2, together: 0.55 },
    3: { own: 1, lean: 0.2, together: 0.65 },
    4: { own: 1.05, lean: 0.26, together: 0.75 },
    5: { own: 1.05, lean: 0.22, together: 0.85 },
  },
  schotten: { 2: { own: 1, lean: 0.06, together: 0.55 } },
}

export const calibrationOf = (game: string, seats: number): Calibration =>
  CALIBRATION[game]?.[seats] ?? UNMEASURED
