// The changes from which somebody chooses one to undo.
import { formatCount } from '../../../base/numbers.ts'
import { usageError } from '../../../errors.ts'
import type { CommandSource } from '../../command.ts'
import type { Choice } from '../../prompt/needs.ts'
import type { Keeper } from '../../run/host.ts'
import { changesOf } from '../../session/recorded-changes.ts'
import { noChange } from './find-change.ts'

/** As many of the newest are looked at. */
const mostOffered = 20

/** Returns the changes to choose from, newest first: those that are undone. Throws `usage` when there are none. */
export async function changeChoices(host: Keeper, source: CommandSource): Promise<Choice[]> {
  const { changes } = await changesOf(host, { most: mostOffered })
  if (changes.length === 0) throw noChange()
  const { isUndone } = await import('./undo.ts')
  const offered = await Promise.all(changes.map(async (change) => ((await isUndone(change, source)) ? [change] : [])))
  if (offered.flat().length === 0) {
    const none = `none of the last ${formatCount(changes.length, 'change')} is undone by promo`
    throw usageError(none, 'promo history undo latest says what reverses the last one')
  }
  return offered.flat().map(({ id, command, subject, at }) => ({
    value: id,
    about: `${command} ${subject ?? ''}, ${at.replace('T', ' ').slice(0, 16)} UTC`,
  }))
}
