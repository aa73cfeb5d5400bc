/**
 * The pages that teach a game in five minutes (docs/play), as blocks to show. They are written in
 * the little Markdown that is read here; what belongs to the site of documents is left out.
 */
export interface Span {
  text: string
  strong?: boolean
  soft?: boolean
}
export type Block =
  | { kind: 'heading'; spans: Span[] }
  | { kind: 'text'; spans: Span[] }
  | { kind: 'list'; ordered: boolean; items: Span[][] }
  | { kind: 'table'; head: Span[][]; rows: Span[][][] }
  | { kind: 'figure'; src: string; alt: string }

const pages = import.meta.glob<string>(
  ['../../../docs/play/*.md', '../../../docs/fr/play/*.md', '!**/index.md'],
  { query: '?raw', import: 'default' },
)
const figures = import.meta.glob<string>('../../../docs/pictures/figures/*.svg', {
  query: '?url',
  import: 'default',
})

/** The lesson of a game; null for a game without one. */
export async function lesson(game: string, lang: string): Promise<Block[] | null> {
  const folder = lang === 'en' ? 'docs/play' : `docs/${lang}/play`
  const load = pages[`../../../${folder}/${game}.md`]
  if (!load) return null
  const page = await load()
  const blocks = blocksOf(lang === 'fr' ? typeset(page) : page)
  return Promise.all(blocks.map(withPicture))
}

/** French with the spaces that must not break: the pages are written with plain ones. */
export function typeset(text: string): string {
  return text.replace(/ (?=:(?:\s|$)|»)|(?<=«) /gm, '\u00a0').replace(/ (?=[;!?])/g, '\u202f')
}

async function withPicture(block: Block): Promise<Block> {
  if (block.kind !== 'figure') return block
  const name = block.src.split('/').at(-1)
  return { ...block, src: (await figures[`../../../docs/pictures/figures/${name}`]?.()) ?? '' }
}

const FIGURE = /^!\[(?<alt>[^\]]*)\]\((?<src>[^)]+)\)\{ \.figure/
/** The title stands on the page already; screenshots, links and notes belong to the documents. */
const LEFT_OUT = /^(# |!\[|\[|\?\?\?| {4})/

export function blocksOf(page: string): Block[] {
  return page
    .split(/\n{2,}/)
    .map((part) => part.trimEnd())
    .flatMap(blockOf)
}

function blockOf(part: string): Block[] {
  const { alt, src } = FIGURE.exec(part)?.groups ?? {}
  if (alt && src) return [{ kind: 'figure', alt, src }]
  if (!part || LEFT_OUT.test(part)) return []
  if (part.startsWith('## ')) return [{ kind: 'heading', spans: spansOf(part.slice(3)) }]
  const lines = part.split('\n')
  if (part.startsWith('|')) {
    const [head, , ...rows] = lines.map(cellsOf)
    return [{ kind: 'table', head: head ?? [], rows }]
  }
  const item = /^(- |\d+\. )/
  if (item.test(part)) {
    const items = lines.map((line) => spansOf(line.replace(item, '')))
    return [{ kind: 'list', ordered: !part.startsWith('-'), items }]
  }
  return [{ kind: 'text', spans: spansOf(lines.join(' ')) }]
}

const cellsOf = (line: string): Span[][] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => spansOf(cell.trim()))

/** `**strong**` and `*soft*`; everything else is plain. */
export function spansOf(text: string): Span[] {
  return text
    .split(/(\*\*[^*]+\*\*|\*[^*]+\*)/)
    .filter(Boolean)
    .map((piece) => {
      if (piece.startsWith('**')) return { text: piece.slice(2, -2), strong: true }
      return piece.startsWith('*') ? { text: piece.slice(1, -1), soft: true } : { text: piece }
    })
}
