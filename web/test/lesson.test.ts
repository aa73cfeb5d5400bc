import { describe, expect, it } from 'vitest'
import { blocksOf, lesson } from '../src/lib/lesson'
import { parted } from '../src/lib/rulings'

describe('the game in five minutes', () => {
  it('reads the little Markdown its pages are written in', () => {
    const page =
      '# Title\n\n*About.* Plain **strong**.\n\n## Part\n\n- one\n- two\n\n| | b |\n|---|---|\n| c | d |\n\n[All rules](x.md)'
    expect(blocksOf(page)).toEqual([
      {
        kind: 'text',
        spans: [
          { text: 'About.', soft: true },
          { text: ' Plain ' },
          { text: 'strong', strong: true },
          { text: '.' },
        ],
      },
      { kind: 'heading', spans: [{ text: 'Part' }] },
      { kind: 'list', ordered: false, items: [[{ text: 'one' }], [{ text: 'two' }]] },
      {
        kind: 'table',
        head: [[], [{ text: 'b' }]],
        rows: [[[{ text: 'c' }], [{ text: 'd' }]]],
      },
    ])
  })
  it.each(['claim', 'kilt', 'schotten', 'lords'])('teaches %s in both languages', async (game) => {
    for (const lang of ['en', 'fr']) {
      const blocks = await lesson(game, lang)
      const text = JSON.stringify(blocks)
      expect(blocks!.some((block) => block.kind === 'figure' && block.src)).toBe(true)
      expect(text).not.toMatch(/`|\*\*|\?\?\?|\.md/)
      if (lang === 'fr') expect(text).not.toMatch(/ [;!?»]| :[ "]|« /)
    }
  })
  it('has nothing about a game it does not know', async () => {
    expect(await lesson('heir', 'en')).toBeNull()
  })
})

describe('rulings', () => {
  it('are parted from the rule', () => {
    const text = 'Three votes win. Equal votes are a draw (our ruling).'
    expect(parted(text, 'en')).toEqual({
      rule: 'Three votes win.',
      rulings: 'Equal votes are a draw (our ruling).',
    })
    expect(parted('Trois votes gagnent. Notre décision : égalité.', 'fr').rulings).toBe(
      'Notre décision : égalité.',
    )
  })
})
