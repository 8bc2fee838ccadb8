// A line of parts, for what comes one by one: on a terminal it leaves out what says least.
/** What a line says, in its order; null and undefined are no part. */
export type Parts = readonly (string | number | null | undefined)[]

/**
 * Joins the parts that a line has. Where a terminal is narrower, ids of the service are left out from the right until it fits, then
 * times lose their milliseconds.
 */
export function lineOf(parts: Parts, width = Number.POSITIVE_INFINITY): string {
  let said = parts.flatMap((part) => (part === undefined || part === null ? [] : [String(part)]))
  const isTooWide = () => said.join('  ').length > width
  for (const id of said.filter((part) => serviceId.test(part)).toReversed())
    if (isTooWide()) said = said.filter((part) => part !== id)
  if (isTooWide()) said = said.map((part) => part.replace(instant, '$1Z'))
  return said.join('  ')
}

const serviceId = /(?:^| )[a-z]+_[0-9A-Za-z]{16,}$/
const instant = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$/
