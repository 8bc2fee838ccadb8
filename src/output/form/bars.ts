// Numbers drawn as bars: a line of small ones that shows a trend, or a line for each.

const heights = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const

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
  const step = (most - least) / (heights.length - 1)
  return drawn.map((number) => heights[step === 0 ? 0 : Math.round((number - least) / step)]).join('')
}

function shares(numbers: readonly number[], width: number): number[] {
  return Array.from({ length: width }, (_, at) => numbers[Math.ceil(((at + 1) * numbers.length) / width) - 1] ?? 0)
}

/** A number with its name. */
export interface Bar {
  label: string
  value: number
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/**
 * Draws a bar for each number, from zero to the largest, with its name before it and the number behind it; a number that is
 * not zero has at least the thinnest bar. The lines have at most `width` columns.
 */
export function barChart(bars: readonly Bar[], width = 80): string[] {
  const most = bars.reduce((high, { value }) => Math.max(high, value), 0)
  const labels = bars.reduce((high, { label }) => Math.max(high, label.length), 0)
  const room = Math.max(1, Math.min(width - 1, 100) - labels - `${most}`.length - 3)
  return bars.map(({ label, value }) => {
    const length = value <= 0 ? 0 : Math.max(1, Math.round((value / most) * room * 8))
    const bar = '█'.repeat(Math.floor(length / 8)) + eighths[length % 8]
    return `${label.padEnd(labels)}  ${bar}${bar === '' ? '' : ' '}${value}`
  })
}

/** A change of a number, from one value to another. */
export interface Step {
  label: string
  from: number
  to: number
  /** What is written after it. */
  text: string
  /** The character that it is drawn with. */
  fill: string
}

/** Draws how a number changes, each step where it takes place. The lines have at most `width` columns. */
export function waterfallChart(steps: readonly Step[], width = 80): string[] {
  const ends = steps.flatMap(({ from, to }) => [from, to])
  const [least, most] = [Math.min(0, ...ends), Math.max(0, ...ends)]
  const longest = (texts: readonly string[]) => texts.reduce((length, text) => Math.max(length, text.length), 0)
  const [labels, texts] = [longest(steps.map(({ label }) => label)), longest(steps.map(({ text }) => text))]
  const room = Math.max(1, Math.min(width - 1, 100) - labels - texts - 4)
  const place = (number: number) => Math.round(((number - least) / (most - least || 1)) * room)
  return steps.map(({ label, from, to, text, fill }) => {
    const start = Math.min(place(from), place(to), room - 1)
    const length = from === to ? 0 : Math.max(1, Math.abs(place(to) - place(from)))
    const bar = (' '.repeat(start) + fill.repeat(length)).padEnd(room)
    return `${label.padEnd(labels)}  ${bar}  ${text.padStart(texts)}`
  })
}
