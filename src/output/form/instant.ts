// Instants in local time, for people.

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/

/**
 * Returns a function that formats an ISO 8601 instant as `2026-01-02 03:04:05` in a zone.
 *
 * Fractions of a second are left out: JSON and CSV have them. A text that is not an instant is returned unchanged. Throws
 * RangeError for an unknown zone, when the first instant is shown.
 */
export function instantIn(timeZone: string): (text: string) => string {
  let clock: Intl.DateTimeFormat | undefined
  return (text) => {
    const milliseconds = instant.test(text) ? Date.parse(text) : Number.NaN
    if (Number.isNaN(milliseconds)) return text
    clock ??= clockIn(timeZone)
    const parts = Object.fromEntries(clock.formatToParts(milliseconds).map(({ type, value }) => [type, value]))
    return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}:${parts.second}`
  }
}

function clockIn(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
}
