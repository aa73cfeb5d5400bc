/** Rules say where they are our own reading: "our ruling", "notre décision" (docs/glossary.md). */
const MARK: Readonly<Record<string, string>> = { en: 'our ruling', fr: 'notre décision' }
const MARKS: Readonly<Record<string, string>> = { en: 'our rulings', fr: 'nos décisions' }

/** A rule's text as the rulebook has it, and the sentences that are rulings. */
export function parted(text: string, lang: string): { rule: string; rulings: string } {
  const sentences = [...new Intl.Segmenter(lang, { granularity: 'sentence' }).segment(text)].map(
    (found) => found.segment,
  )
  const isOurs = (sentence: string): boolean => {
    const said = sentence.toLowerCase()
    return [MARK[lang], MARKS[lang]].some((mark) => mark && said.includes(mark))
  }
  return {
    rule: sentences
      .filter((sentence) => !isOurs(sentence))
      .join('')
      .trim(),
    rulings: sentences.filter(isOurs).join('').trim(),
  }
}
