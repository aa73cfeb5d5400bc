import { settings } from '../../lib/settings.svelte'

const en = { prize: 'Prize', followers: 'Your followers' }
const fr: typeof en = { prize: 'Prix', followers: 'Vos partisans' }
export const texts = () => (settings.lang === 'fr' ? fr : en)
