// A line of small bars that shows the trend of a number.

const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const

/**
 * Draws numbers as bars of eight heights, from the smallest to the largest; one character per number.
 *
 * With more numbers than `width`, each character is the last number of its share. Equal numbers are drawn as the lowest
 * bar. Returns an empty text for no numbers.
 */
export function sparkline(numbers: readonly number[], width: number): string {
  const drawn = numbers.length <= width ? numbers : shares(numbers, width)
  const least = drawn.reduce((low, number) => Math.min(low, number), Number.POSITIVE_INFINITY)
  const most = drawn.reduce((high, number) => Math.max(high, number), Number.NEGATIVE_INFINITY)
  const step = (most - least) / (bars.length - 1)
  return drawn.map((number) => bars[step === 0 ? 0 : Math.round((number - least) / step)]).join('')
}

function shares(numbers: readonly number[], width: number): number[] {
  return Array.from({ length: width }, (_, at) => numbers[Math.ceil(((at + 1) * numbers.length) / width) - 1] ?? 0)
}
