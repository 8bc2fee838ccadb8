// What the commands that load a fixture do with members that promo does not know.
import { switchFlag } from '../../flags/kinds.ts'
import type { Messages } from '../../result/messages.ts'

/** Loads a fixture of which some members are unknown. */
export const unknownFlag = {
  'allow-unknown': switchFlag('drop unknown members of a fixture, with a warning'),
}

/** Says which members are dropped. */
export function warnOfUnknown(sentences: readonly string[], { warn }: Messages): void {
  for (const sentence of sentences.slice(0, 10)) warn(`${sentence}, which is dropped`)
  if (sentences.length > 10) warn(`and ${sentences.length - 10} more are dropped`)
}
