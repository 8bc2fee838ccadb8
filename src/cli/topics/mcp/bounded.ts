// What leaves the server: data of the service without secrets, without characters that are not shown, and of bounded size.

import { isRawNumber } from '../../../base/lossless-json.ts'
import { formatNumber } from '../../../base/numbers.ts'
import { sanitize } from '../../../base/text/sanitize.ts'
import { shownBody } from '../../../contract/secret-names.ts'

/** Limits of one result. */
interface Bounds {
  /** Characters of one text. */
  text: number
  /** Items of one list within an object. */
  list: number
  /** Objects within objects. */
  depth: number
}

const usual: Bounds = { text: 2000, list: 50, depth: 8 }
const tight: Bounds = { text: 120, list: 10, depth: 6 }
/** Addresses of pictures of codes: of no use to a reader of texts, and as long as the rest of a voucher. */
const images = 'assets'
/** Members of one object. */
const mostMembers = 100

/** Characters of the JSON of one result. */
export const mostCharacters = 60_000

/** A value as it may leave, and what was left out of it. */
export interface Bounded {
  value: unknown
  cut: string[]
}

/**
 * Returns a copy in which every text is sanitised and of bounded length, every list and object of bounded size, and no member
 * that is named like a secret has its value. What is still too large is bounded more tightly.
 */
export function boundValue(value: unknown, scrub: (text: string) => string): Bounded {
  const first = within(value, usual, scrub)
  return JSON.stringify(first.value).length <= mostCharacters ? first : within(value, tight, scrub)
}

/** Returns a text as it may leave; with `lines`, its line breaks stay. */
export function boundedText(text: string, scrub: (text: string) => string, most = 500, lines = false): string {
  const scrubbed = scrub(text)
  // Sanitising a text of megabytes takes longer than a reader waits.
  const shown = sanitize(scrubbed.slice(0, most), { lines })
  return scrubbed.length > most ? `${shown}… (${formatNumber(scrubbed.length)} characters)` : shown
}

function within(value: unknown, bounds: Bounds, scrub: (text: string) => string): Bounded {
  const cut = new Set<string>()
  function copy(one: unknown, path: string, depth: number): unknown {
    if (typeof one === 'string') return boundedText(one, scrub, bounds.text, true)
    if (typeof one !== 'object' || one === null || isRawNumber(one)) return one
    if (depth === 0) {
      cut.add(`${path}: too deep to show`)
      return Array.isArray(one) ? [] : {}
    }
    if (Array.isArray(one)) {
      if (one.length > bounds.list) cut.add(`${path}: ${bounds.list} of ${formatNumber(one.length)} shown`)
      return one.slice(0, bounds.list).map((item) => copy(item, path, depth - 1))
    }
    const members = Object.entries(one).filter(([name]) => name !== images)
    if (members.length > mostMembers)
      cut.add(`${path}: ${mostMembers} of ${formatNumber(members.length)} members shown`)
    return Object.fromEntries(
      members.slice(0, mostMembers).map(([name, member]) => {
        const shown = boundedText(name, scrub, bounds.text)
        return [shown, copy(member, path === '' ? shown : `${path}.${shown}`, depth - 1)]
      }),
    )
  }
  return { value: copy(shownBody(value), '', bounds.depth), cut: [...cut].slice(0, 10) }
}
