// From the name of a change, as typed, to its line in the history: its id, the beginning or end of that, or `latest`.
import { type PromoError, usageError } from '../../../errors.ts'
import type { Keeper } from '../../run/host.ts'
import type { Change } from '../../session/history.ts'
import { changesOf } from '../../session/recorded-changes.ts'

/** The command of a change that undoes another. */
export const undoCommand = 'history undo'

/** Finds a change. Throws `usage` (exit 2) when none, or more than one, has this name. */
export async function findChange(called: string, host: Keeper): Promise<Change> {
  if (called === 'latest') {
    const { changes } = await changesOf(host, { most: 1, where: ({ command }) => command !== undoCommand })
    if (changes[0] !== undefined) return changes[0]
  }
  const { changes } = await changesOf(host, {})
  if (changes.length === 0) throw noChange()
  const isNamed = ({ id }: Change) => called !== '' && (id === called || id.startsWith(called) || id.endsWith(called))
  const found = changes.filter(isNamed)
  const exact = found.find(({ id }) => id === called)
  const [only, ...others] = exact === undefined ? found : [exact]
  if (only !== undefined && others.length === 0) return only
  const what = only === undefined ? 'no change' : `${found.length} changes`
  throw usageError(`the history has ${what} "${called}"`, 'promo history --columns id,at,command,subject')
}

/** The error of a history without any change. */
export function noChange(): PromoError {
  return usageError('the history of this computer has no change', 'promo history')
}
