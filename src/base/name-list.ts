// The first of many names, for messages.
import { formatNumber } from './numbers.ts'

/** How many names a message shows that may be about all profiles, projects or files there are. */
export const mostNamed = 10

/** `ten, twenty, thirty and 7 more`: the first of some names, and how many are not shown. */
export function listNames(names: readonly string[], most = 3): string {
  const more = names.length - most
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`
}
