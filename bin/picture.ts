// Draws docs/promo.svg, the picture of README: a terminal of 96 columns in which the real promo ran in an empty home.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const columns = 96

/** What is typed in the picture. */
const lines = [
  'promo vouchers disable --from examples/leaked-codes.csv --yes --quiet',
  'promo jobs list --columns command,state,done,total',
  'promo validate redeemables SORRY5 gift:GIFT-001=1500 --amount 4000 --explain',
  'promo loyalty transactions list --card CLUB-001 --columns created_at,points,balance,type',
]

const [lineHeight, charWidth, edge] = [19, 8.4, 20]

/** Runs the commands on a terminal of script(1), and returns the picture of what it shows. */
export function drawPicture(): string {
  const home = mkdtempSync(join(tmpdir(), 'promo-picture-'))
  try {
    run('promo profiles use sandbox --quiet', home)
    return svgOf(lines.flatMap((line) => [`\u001b[32m$\u001b[39m ${line}`, ...run(line, home)]))
  } finally {
    rmSync(home, { recursive: true })
  }
}

function run(line: string, home: string): string[] {
  const words = line.replace(/^promo/, `'${process.execPath}' bin/run.js`)
  const env = { PATH: process.env.PATH, HOME: home, SHELL: '/bin/sh', TERM: 'xterm-256color', TZ: 'UTC' }
  const { stdout, status } = spawnSync('script', ['-q', '-e', '-c', `stty cols ${columns}; ${words}`, '/dev/null'], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${line} ended with ${status}:\n${stdout}`)
  return stdout
    .trimEnd()
    .split('\r\n')
    .filter((text, at, all) => text !== '' || at < all.length - 1)
}

/** Draws a dark window, which is readable on light and on dark pages. */
function svgOf(shown: readonly string[]): string {
  const [width, height] = [Math.ceil(columns * charWidth) + 2 * edge, shown.length * lineHeight + 2 * edge + 20]
  const rows = shown.map((line, at) => `<text x="${edge}" y="${edge + 34 + at * lineHeight}">${spansOf(line)}</text>`)
  const buttons = ['#ff5f57', '#febc2e', '#28c840'].map(
    (colour, at) => `<circle cx="${edge + 2 + at * 18}" cy="18" r="5.5" fill="${colour}"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Four commands of promo in a terminal">
<style>text { font: 14px ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #e6edf3; white-space: pre } .b { font-weight: bold } .p { fill: #3fb950 }</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="#0d1117" stroke="#6e7681"/>
${buttons.join('')}
${rows.join('\n')}
</svg>
`
}

/** The marks of a terminal as spans: bold, and the green of the prompt. */
function spansOf(line: string): string {
  const classes: Record<string, string> = { 1: 'b', 32: 'p' }
  return line
    .split('\u001b[')
    .map((piece, at) => {
      const [, mark = '', text = ''] = at === 0 ? ['', '', piece] : (/^(\d+)m(.*)$/s.exec(piece) ?? [])
      const place = text === '' ? '' : ` textLength="${(text.length * charWidth).toFixed(1)}"`
      const mode = mark in classes ? ` class="${classes[mark]}"` : ''
      return text === '' ? '' : `<tspan xml:space="preserve"${mode}${place}>${escaped(text)}</tspan>`
    })
    .join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

if (import.meta.main) writeFileSync(join(root, 'docs/promo.svg'), drawPicture())
