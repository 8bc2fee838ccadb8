import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sanitize, sanitizeJson } from '../../../../src/base/text/sanitize.ts'
import { sized } from '../../../support/size.ts'
import { isDangerous } from '../../output/forbidden.ts'

const nasty = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
  fc.constantFrom(
    '\x1b[31m',
    '\x1b]8;;http://evil\x07',
    '\x9b',
    '\u202e',
    '\u2066',
    '\ufeff',
    '\ud83d',
    '\udc00',
    '😀',
    '\0',
  ),
)
const text = fc.array(nasty, { maxLength: 40 }).map((parts) => parts.join(''))

describe('texts for people', () => {
  test.each([
    ['a plain text stays as it is', 'LATO-2026 żółw 日本 😀', 'LATO-2026 żółw 日本 😀'],
    ['a colour sequence becomes visible', '\x1b[31mred', '\\x1b[31mred'],
    ['the title of a terminal window is not set', '\x1b]0;owned\x07', '\\x1b]0;owned\\x07'],
    ['a C1 introducer becomes visible', '\x9b2J', '\\x9b2J'],
    ['a reversed file name is shown in its true order', 'exe\u202etxt', 'exe\\u202etxt'],
    ['a line of the service cannot pretend to be a line of promo', 'x\npromo: done', 'x\\npromo: done'],
    ['tab, carriage return, NUL and DEL become visible', '\t\r\0\x7f', '\\t\\r\\x00\\x7f'],
    ['line separators and byte order marks become visible', '\u2028\u2029\ufeff', '\\u2028\\u2029\\ufeff'],
    ['a code cannot look like another one', 'MORN\u200bING', 'MORN\\u200bING'],
    ['joiners between other letters become visible', 'MO\u200cRN\u200dING', 'MO\\u200cRN\\u200dING'],
    ['soft hyphens, word joiners and fillers become visible', 'a\u00ad\u2060\u3164b', 'a\\xad\\u2060\\u3164b'],
    ['tags and selectors become visible', 'A\u{e0041}B\ufe0f', 'A\\U000e0041B\\ufe0f'],
    ['an emoji of several characters stays whole', '👩‍👩‍👧 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👩‍👩‍👧 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['a joiner that is not part of an emoji becomes visible', '👩\u200dX', '👩\\u200dX'],
    ['the joiners of a script that is written with them stay', 'می\u200cخواهم क्\u200dष', 'می\u200cخواهم क्\u200dष'],
    ['half a character becomes visible', 'a\ud83d', 'a\\ud83d'],
  ])('%s', (_, given, expected) => {
    const shown = sanitize(given)

    expect(shown).toBe(expected)
  })

  test('a text of several lines keeps its newlines and tabs, but no other control', () => {
    const shown = sanitize('one\n\ttwo\r\x1b[0m', { lines: true })

    expect(shown).toBe('one\n\ttwo\\r\\x1b[0m')
  })

  test('no control or direction character survives, whatever the text', () => {
    fc.assert(
      fc.property(text, (given) => {
        const shown = sanitize(given)

        return !isDangerous(shown)
      }),
      { numRuns: 5_000 },
    )
  })

  test('random texts leave no control or direction character', () => {
    let state = 42
    const unit = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      // Half of them from the first 256, where the controls are; the rest from the entire plane.
      return state & 1 ? (state >>> 8) & 0xff : (state >>> 8) & 0xffff
    }
    const runs = sized({ quick: 100_000, slow: 1_000_000 })
    let survivors = 0

    for (let run = 0; run < runs; run++) {
      if (isDangerous(sanitize(String.fromCharCode(unit(), unit(), unit(), unit())))) survivors += 1
    }

    expect(survivors).toBe(0)
  })
})

describe('JSON', () => {
  test('control and direction characters are escaped by JSON itself, and the value stays the same', () => {
    fc.assert(
      fc.property(text, (given) => {
        const json = sanitizeJson(JSON.stringify(given))

        return !isDangerous(json) && JSON.parse(json) === given
      }),
      { numRuns: 5_000 },
    )
  })

  test.each([
    ['a delete character alone', '"a\x7f"', '"a\\u007f"'],
    ['a control character of two bytes', '"a\x9b"', '"a\\u009b"'],
    ['a zero-width space', '"a\u200b"', '"a\\u200b"'],
    ['a tag of two units', '"\u{e0041}"', '"\\udb40\\udc41"'],
    ['half a character', '"\ud83d"', '"\\ud83d"'],
    ['nothing of the kind', '"Größe"', '"Größe"'],
  ])('%s is found among plain text', (_, given, shown) => {
    expect(sanitizeJson(given)).toBe(shown)
  })
})
