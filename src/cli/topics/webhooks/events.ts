// Which events the user means: by name in either spelling, or by a pattern like `voucher.*`.
import { nearest } from '../../../base/nearest.ts'
import { shownSpelling, type WebhookEventName, webhookEvents } from '../../../contract/webhook-events.ts'
import { usageError } from '../../../errors.ts'
import type { Choice } from '../../prompt/needs.ts'

// Delivered, but can be chosen only in the service's console. Source: docs/service/webhooks.md#spellings.
const consoleOnly = 'customer.updated'

/**
 * Returns the events that names and patterns refer to, each once, in the order they are named, spelt as the service
 * expects them.
 *
 * Names may be separated by commas; `*` stands for any characters, dots too. Throws `usage` for a name or a pattern
 * that matches nothing. ASSUMED A493: either spelling is accepted without a warning, because it is the service's own that
 * is odd, and `webhooks events` shows both.
 */
export function eventsNamed(words: readonly string[]): WebhookEventName[] {
  const found = namesIn(words).flatMap((word) => {
    const fitting = webhookEvents.filter(({ shown_as }) => isNamedBy(word, shown_as))
    if (fitting.length === 0) throw unknownEvent(word)
    return fitting.map(({ name }) => name)
  })
  return [...new Set(found)]
}

/**
 * Returns the predicate whether a delivered event is one of those named; without names, every event is.
 *
 * Throws `usage` for a name or a pattern that matches no event that can be delivered.
 */
export function eventFilter(words: readonly string[] = []): (type: string) => boolean {
  const wanted = namesIn(words)
  if (wanted.length === 0) return () => true
  const delivered = [...webhookEvents.map(({ shown_as }) => shown_as), consoleOnly]
  for (const word of wanted) if (!delivered.some((type) => isNamedBy(word, type))) throw unknownEvent(word)
  return (type) => wanted.some((word) => isNamedBy(word, type))
}

/** Returns every event to choose from, with its family. */
export async function eventChoices(): Promise<Choice[]> {
  return webhookEvents.map(({ shown_as, family }) => ({ value: shown_as, about: family }))
}

function namesIn(words: readonly string[]): string[] {
  const names = words.flatMap((word) => word.split(',')).map((name) => name.trim())
  if (names.includes('')) throw usageError('an event name is empty')
  return names
}

/** Says whether a name, in either spelling, or a pattern like `voucher.*` names an event. */
export function isNamedBy(word: string, type: string): boolean {
  const parts = shownSpelling(word).split('*')
  const [first = '', ...rest] = parts
  const last = rest.pop()
  const shown = shownSpelling(type)
  if (last === undefined) return shown === first
  if (!shown.startsWith(first) || !shown.endsWith(last)) return false
  // Each inner part after the previous one: the earliest match leaves the most room for those that follow.
  let at = first.length
  for (const part of rest) {
    const found = shown.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= shown.length - last.length
}

function unknownEvent(word: string) {
  if (word === consoleOnly) {
    return usageError(`"${consoleOnly}" can be chosen only in the console of the service`, 'promo webhooks events')
  }
  const what = word.includes('*') ? `no event matches "${word}"` : `there is no event "${word}"`
  const near = word.includes('*')
    ? undefined
    : nearest(
        word,
        webhookEvents.map(({ shown_as }) => shown_as),
      )
  return usageError(near === undefined ? what : `${what}; did you mean "${near}"?`, 'promo webhooks events')
}
