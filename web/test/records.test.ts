import { expect, test } from 'vitest'
import { endedEarly, listed } from '../src/local/records'

const saved = (...headers: string[]) => ({
  id: 'my-1',
  record: ['[Game "claim"]', '[Seats "2"]', '[Result "*"]', ...headers, ''].join('\n'),
  at: 0,
  revision: 0,
})

test('a match that ended early is over, however it ended', () => {
  expect(endedEarly({}, 2)).toBeNull()
  expect(endedEarly({ EndedBy: 'flag 0' }, 2)).toMatchObject({ ranking: [[1], [0]], by: 0 })
  expect(endedEarly({ EndedBy: 'resign 1' }, 2)).toMatchObject({ ranking: [[0], [1]], by: 1 })
  expect(endedEarly({ EndedBy: 'draw' }, 3)).toMatchObject({ ranking: [[0, 1, 2]], by: null })
  expect(listed(saved('[EndedBy "flag 0"]'))?.status).toBe('over')
  expect(listed(saved())?.status).toBe('playing')
})

test.each(['resign 7', 'flag 2', 'resign', 'flag x', 'nonsense'])(
  'nobody ends a match by %s',
  (ended) => {
    expect(() => endedEarly({ EndedBy: ended }, 2)).toThrow()
    expect(listed(saved(`[EndedBy "${ended}"]`))).toBeNull()
  },
)
