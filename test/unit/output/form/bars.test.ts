import { describe, expect, test } from 'vitest'
import { sparkline } from '../../../../src/output/form/bars.ts'

describe('a sparkline', () => {
  test.each([
    [[], ''],
    [[7], '▁'],
    [[5, 5, 5], '▁▁▁'],
    [[0, 1, 2, 3, 4, 5, 6, 7], '▁▂▃▄▅▆▇█'],
    [[-10, 0, -10], '▁█▁'],
  ])('of %j is %j', (numbers, drawn) => {
    expect(sparkline(numbers, 20)).toBe(drawn)
  })

  test('of more numbers than fit shows the last of each share, the very last among them', () => {
    expect(sparkline([0, 0, 0, 0, 0, 0, 0, 7], 4)).toBe('▁▁▁█')
  })
})
