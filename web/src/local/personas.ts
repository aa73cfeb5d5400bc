/** What bots are called: the same names as on a server (a test compares them). */
const PERSONAS = [
  'Archie Maisie Sandy Una Logan Davina Finlay Kirsty Neil Wilma',
  'Cora Brodie Effie Jamie Sheena Dougal Flora Hector Kenna Ruaridh',
  'Alasdair Elspeth Gillian Niall Rhona Agnes Beathan Cailean Ishbel Marsaili',
]
  .join(' ')
  .split(' ')
const MOST_SEATS = 5

/** A name for the bot at a seat; each seat has names of its own, so no two at a table are alike. */
export function persona(seat: number): string {
  const own = PERSONAS.filter((_, index) => index % MOST_SEATS === seat % MOST_SEATS)
  return own[Math.floor(Math.random() * own.length)]!
}
