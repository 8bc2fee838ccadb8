// A refusal of a body speaks of what was typed: of flags, where these are members under shorter names.
import type { Interfaces } from '@oclif/core'
import { PromoError } from '../../errors.ts'
import { pathIn } from '../flags/kinds.ts'
import { dayMeant } from '../flags/time.ts'

/**
 * Returns the refusal of a body in the words of the command line: it names the flags that were typed in place of members, and
 * repairs a value where what was meant is plain. Of the rows of a file the columns are to blame, which have the names of members.
 */
export function rewriteHints(error: PromoError, known: Interfaces.FlagInput, flags: Readonly<Record<string, unknown>>) {
  const { set = [] } = flags as { set?: string[] }
  let { message } = error
  if (/^ {2}(?:line|row) \d/m.test(message)) return error
  let { hint } = error.facts
  for (const [name, flag] of Object.entries(known)) {
    const path: string | undefined = Reflect.get(flag, pathIn)
    const given = flags[name] as string | undefined
    if (path === undefined) continue
    const dotted = path.replaceAll('.', '\\.')
    if (given === undefined) {
      message = message.replace(new RegExp(`(?<=(?:valid:|;) )${dotted}(?= is (?:missing|required))`), `--${name}`)
      continue
    }
    // Of a flag and a --set for the same member, the value says which is meant.
    const isSet = set.some((assignment) => assignment.startsWith(`${path}=`))
    if (isSet && !message.endsWith(`not "${given}"`)) continue
    const blamed = new RegExp(`"${dotted}"(?= takes)|(?<=(?:valid:|;|after|before|than) )${dotted}(?![\\w.])`, 'g')
    if (!blamed.test(message)) continue
    message = message.replaceAll(blamed, `--${name}`)
    const value = repair(String(given), message)
    if (value !== undefined) hint = `--${name} ${value}`
  }
  if (message === error.message) return error
  return new PromoError(error.kind, message, { ...error.facts, ...(hint !== undefined && { hint }) })
}

/** Returns `10` for `10%`, `1050` for `10.50` of an amount and `2026-12-31` for `31.12.2026`; undefined where it is not plain. */
function repair(text: string, message: string): string | undefined {
  const [, cents] = /smallest unit of the currency: (\d+)/.exec(message) ?? []
  if (cents !== undefined) return cents
  if (message.includes('must be like 2026-')) return dayMeant(text)
  const [, number] = /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(text) ?? []
  return number ?? /^\d{1,3}(?:[ _'’]\d{3})+$/.exec(text)?.[0].replaceAll(/\D/g, '')
}
