// A rate of requests, as it is written on command lines and in profiles.

const unitMs = { s: 1000, m: 60_000, h: 3_600_000 } as const

/** How a rate is written, for messages. */
export const rateForm = 'like 10/s, 600/m or 5000/h'

/** Reads `10/s`, `0.5/s`, `600/m` or `5000/h`; undefined for anything else, zero included. */
export function rateFrom(text: string): { requests: number; perMs: number } | undefined {
  const [, count = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)\/([smh])$/.exec(text) ?? []
  return Number(count) > 0 ? { requests: Number(count), perMs: unitMs[unit as keyof typeof unitMs] } : undefined
}
