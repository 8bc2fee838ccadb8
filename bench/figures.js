// What a run of the bench measured, for programs: figures with their goals, and two runs side by side.
import { median, table } from './stats.js'

/**
 * A figure that can be compared with the same one of another run.
 * @typedef {object} Figure
 * @property {string} name
 * @property {number} value
 * @property {'less' | 'more' | 'none'} better which direction is better; `none` where only the goal counts
 * @property {[number, number]} [goal] the least and the greatest value that reaches it
 */

/** What may differ between two runs without meaning anything. */
export const tolerance = 0.1

/**
 * Makes a figure of which less is better.
 * @param {string} name
 * @param {number} value
 * @param {number} [most]
 * @returns {Figure}
 */
export function atMost(name, value, most) {
  return { name, value, better: 'less', ...(most !== undefined && { goal: [0, most] }) }
}

/**
 * Makes a figure of which more is better.
 * @param {string} name
 * @param {number} value
 * @param {number} [least]
 * @returns {Figure}
 */
export function atLeast(name, value, least) {
  // JSON has no infinity.
  return { name, value, better: 'more', ...(least !== undefined && { goal: [least, Number.MAX_VALUE] }) }
}

/**
 * Makes a figure that should lie between two values.
 * @param {string} name
 * @param {number} value
 * @param {number} least
 * @param {number} most
 * @returns {Figure}
 */
export function between(name, value, least, most) {
  return { name, value, better: 'none', goal: [least, most] }
}

/** Says whether a figure reaches its goal; one without a goal does. @param {Figure} figure */
export function isReached({ value, goal }) {
  return goal === undefined || (goal[0] <= value && value <= goal[1])
}

/**
 * Compares two runs, figure by figure, in the order of the present one.
 *
 * `worse` is a figure that is more than a tenth worse, or that no longer reaches its goal; `gone` one that only the
 * earlier run has, and `new` one that it lacks.
 * @param {readonly Figure[]} before
 * @param {readonly Figure[]} now
 * @returns {{ name: string, before?: number, now?: number, verdict: 'better' | 'worse' | 'same' | 'new' | 'gone' }[]}
 */
export function compared(before, now) {
  const earlier = new Map(before.map((figure) => [figure.name, figure]))
  const kept = now.map((figure) => {
    const old = earlier.get(figure.name)
    earlier.delete(figure.name)
    if (old === undefined) return { name: figure.name, now: figure.value, verdict: /** @type {const} */ ('new') }
    return { name: figure.name, before: old.value, now: figure.value, verdict: verdictOn(old, figure) }
  })
  const gone = [...earlier.values()].map(({ name, value }) => ({
    name,
    before: value,
    verdict: /** @type {const} */ ('gone'),
  }))
  return [...kept, ...gone]
}

/**
 * @param {Figure} old
 * @param {Figure} figure
 */
function verdictOn(old, figure) {
  if (isReached(old) && !isReached(figure)) return 'worse'
  if (!isReached(old) && isReached(figure)) return 'better'
  const change = figure.better === 'more' ? figure.value / old.value : old.value / figure.value
  if (figure.better === 'none' || Math.abs(change - 1) <= tolerance) return 'same'
  return change > 1 ? 'better' : 'worse'
}

/** Returns two runs side by side, as a Markdown section. @param {ReturnType<typeof compared>} rows */
export function comparison(rows) {
  const shown = (/** @type {number | undefined} */ value) => (value === undefined ? '' : value.toPrecision(3))
  const cells = rows.map(({ name, before, now, verdict }) => {
    const ratio = before === undefined || now === undefined ? '' : (now / before).toFixed(2)
    return [name, shown(before), shown(now), ratio, verdict]
  })
  return `## Compared\n\n${table(['figure', 'before', 'now', 'now over before', ''], cells)}\n`
}

/** Returns the figures that miss their goals, as a Markdown section. @param {readonly Figure[]} figures */
export function missedGoals(figures) {
  const missed = figures.filter((figure) => !isReached(figure))
  if (missed.length === 0) return '## Goals\n\nAll are reached.\n'
  const lines = missed.map(({ name, value, goal: [least, most] = [0, 0] }) => {
    const goal = [...(least > 0 ? [`≥ ${least}`] : []), ...(most < Number.MAX_VALUE ? [`≤ ${most}`] : [])].join(', ')
    return `- ${name}: ${value.toPrecision(3)} (goal ${goal})`
  })
  return `## Goals\n\nNot reached:\n\n${lines.join('\n')}\n`
}

/** Runs something a few times; returns the median of the seconds, and the largest memory of all. */
export async function repeatedly(run, rounds = 3) {
  const runs = []
  for (let round = 0; round < rounds; round += 1) runs.push(await run(round))
  return { seconds: median(runs.map(({ seconds }) => seconds)), mb: Math.max(...runs.map(({ peakMb }) => peakMb)) }
}

/** Returns commands that were measured, each with its goal of seconds, as a Markdown table and as figures. */
export function measuredCommands(section, measured, goalMb) {
  const rows = measured.map(({ name, seconds, mb, goal }) => [
    name,
    seconds.toFixed(2),
    `< ${goal}`,
    mb.toFixed(0),
    `< ${goalMb}`,
  ])
  return {
    text: table(['command', 'seconds', 'goal', 'peak RSS (MB)', 'goal'], rows),
    figures: measured.flatMap(({ name, seconds, mb, goal }) => {
      const plain = name.replaceAll('`', '')
      return [
        atMost(`${section}: seconds of ${plain}`, seconds, goal),
        atMost(`${section}: MB of ${plain}`, mb, goalMb),
      ]
    }),
  }
}
