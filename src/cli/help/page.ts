// The parts of a help page: its width, its marks, titles and lists.
import { wrapText } from '../../base/text/wrapped.ts'
import { isColourful } from '../colours.ts'
import type { Host } from '../run/host.ts'
import { align, indent, type TextRow } from './layout.ts'

/** The width of what is not written to a terminal, and the least one: narrower, nothing can be aligned. */
const usualWidth = 80
const leastWidth = 40

/** The columns before everything below a title. */
export const margin = 2

/** How a page is written: its width in columns, and the marks for titles and values. */
export interface PageStyle {
  width: number
  bold: (text: string) => string
  underline: (text: string) => string
}

/** The parts of a page, from top to bottom; those that are undefined are left out. */
export type Page = readonly (string | undefined)[]

/** Returns the style of pages on the stdout of a host. */
export function styleOf(host: Pick<Host, 'stdout' | 'env'>): PageStyle {
  const { isTTY, columns = 0 } = host.stdout
  const markWith = (start: number, end: number) => (text: string) =>
    isColourful(host.stdout, host, {}) ? `\u001b[${start}m${text}\u001b[${end}m` : text
  return {
    width: isTTY && columns > 0 ? Math.max(columns, leastWidth) : usualWidth,
    bold: markWith(1, 22),
    underline: markWith(4, 24),
  }
}

/** Joins the parts of a page. */
export function pageText(page: Page): string {
  return `${page.filter((part) => part !== undefined).join('\n\n')}\n`
}

/** A sentence over the full width. */
export function sentence(text: string, { width }: PageStyle): string {
  return wrapText(text, width).join('\n')
}

/** A title with lines below it. */
export function section(title: string, lines: readonly string[], { bold }: PageStyle): string {
  return `${bold(title)}\n${indent(lines, margin)}`
}

/** A title with names and their texts in two columns; undefined where there is none. */
export function list(title: string, rows: readonly TextRow[], style: PageStyle): string | undefined {
  return rows.length === 0 ? undefined : section(title, align(rows, style.width - margin), style)
}

/** The words of a command, as they are typed. */
export function commandWords(id: string): string {
  return id.replaceAll(':', ' ')
}
