// What a person can do next about a job, each as a command to paste.

import { shellWord } from '../../flags/shell-quote.ts'
import type { Standing } from './state.ts'

/** Gives the next steps under the word for each; none for a job that went well, or that cannot be gone on with. */
export function nextSteps(name: string, { state, tally: { counts } }: Standing): Record<string, string> {
  const job = shellWord(name)
  if (state === 'running') return { follow: `promo jobs show ${job} --follow` }
  if (state === 'undone') return {}
  return {
    ...(counts.pending > 0 && { resume: `promo jobs resume ${job}` }),
    ...(counts.unknown > 0 && { look: `promo jobs report ${job} --only unknown` }),
    ...(counts.exhausted > 0 && { retry: `promo jobs retry ${job} --only temporary` }),
    ...(counts.failed + counts.conflict > 0 && {
      report: `promo jobs report ${job} --only failed --only conflict --csv`,
    }),
  }
}
