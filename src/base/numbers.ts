/**
 * Returns a whole number as users read it: `12,345`.
 *
 * Not `toLocaleString`: its first call in a process loads the data of all languages, which takes as long as an entire
 * command.
 */
export function formatNumber(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

/** `1 voucher`, `1,000 vouchers`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
}
