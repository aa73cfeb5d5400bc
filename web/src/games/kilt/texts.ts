import { settings } from '../../lib/settings.svelte'

const en = {
  pyramid: 'The pyramid',
  rows: { 6: 'King', 5: 'Guardians', 4: 'Nobles', 3: 'Commoners', 2: 'Commoners', 1: 'Commoners' } as Record<number, string>,
  pile: 'Pile',
  family: 'Family',
  influence: 'Influence',
  yourFamily: 'Family',
  yourInfluence: 'Influence',
  passed: 'passed',
  removed: 'Betrayed',
  left: 'influence left',
}
const fr: typeof en = {
  pyramid: 'La pyramide',
  rows: { 6: 'Roi', 5: 'Gardiens', 4: 'Nobles', 3: 'Peuple', 2: 'Peuple', 1: 'Peuple' },
  pile: 'Pioche',
  family: 'Famille',
  influence: 'Influence',
  yourFamily: 'Famille',
  yourInfluence: 'Influence',
  passed: 'a passé',
  removed: 'Trahis',
  left: 'd’influence en reste',
}
export const texts = () => (settings.lang === 'fr' ? fr : en)
