// Two runs of the bench side by side: what counts as better, as worse, and as the same.
import { describe, expect, test } from 'vitest'
import { atLeast, atMost, between, compared, comparison, missedGoals } from '../../bench/figures.js'

const verdictOn = (before: ReturnType<typeof atMost>, now: ReturnType<typeof atMost>) =>
  compared([before], [now]).map(({ verdict }) => verdict)

describe('a figure', () => {
  test.each([
    ['of which less is better is worse when it grows by more than a tenth', atMost('a', 2), atMost('a', 2.3), 'worse'],
    ['of which less is better is better when it shrinks', atMost('a', 2), atMost('a', 1.7), 'better'],
    ['of which more is better is worse when it shrinks', atLeast('a', 100), atLeast('a', 80), 'worse'],
    ['of which more is better is better when it grows', atLeast('a', 100), atLeast('a', 120), 'better'],
    ['that changes by less than a tenth is the same', atMost('a', 2), atMost('a', 2.1), 'same'],
    [
      'that no longer reaches its goal is worse, however little it changed',
      atMost('a', 2, 2),
      atMost('a', 2.01, 2),
      'worse',
    ],
    ['that reaches its goal at last is better', atLeast('a', 0.69, 0.7), atLeast('a', 0.7, 0.7), 'better'],
    ['that stays between its limits is the same', between('a', 0.8, 0.8, 1.2), between('a', 1.2, 0.8, 1.2), 'same'],
    ['that leaves its limits is worse', between('a', 1, 0.8, 1.2), between('a', 1.3, 0.8, 1.2), 'worse'],
  ] as const)('%s', (_title, before, now, verdict) => {
    expect(verdictOn(before, now)).toEqual([verdict])
  })

  test('that only one of the runs has is new or gone', () => {
    expect(compared([atMost('old', 1)], [atMost('fresh', 2)])).toEqual([
      { name: 'fresh', now: 2, verdict: 'new' },
      { name: 'old', before: 1, verdict: 'gone' },
    ])
  })

  test('survives being written as JSON', () => {
    const figures = [atLeast('a', 1, 0.5), atMost('b', 1, 2), between('c', 1, 0, 2)]

    expect(JSON.parse(JSON.stringify(figures))).toEqual(figures)
  })
})

test('two runs are shown with their ratio and the verdict', () => {
  const text = comparison(compared([atMost('start', 4)], [atMost('start', 2)]))

  expect(text).toContain('| start | 4.00 | 2.00 | 0.50 | better |')
})

test('goals that are missed are listed with the value and the goal', () => {
  const text = missedGoals([atMost('start', 3, 2), atLeast('speed', 0.5, 0.7), between('memory', 1, 0.9, 1.1)])

  expect(text).toBe('## Goals\n\nNot reached:\n\n- start: 3.00 (goal ≤ 2)\n- speed: 0.500 (goal ≥ 0.7)\n')
})
