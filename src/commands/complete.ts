import { sanitize } from '../base/text/sanitize.ts'
import { PromoCommand } from '../cli/command.ts'
import { readsSettings, usesJobsFolder } from '../cli/exits.ts'
import { argumentList } from '../cli/flags/kinds.ts'
import { candidatesFor } from '../cli/help/complete.ts'
import { commandsIn, factsIn } from '../cli/help/manifest.ts'
import { tellLines } from '../output/tell.ts'

export default class Complete extends PromoCommand {
  static override hidden = true
  static override summary =
    'Print the candidates for the last word of a command line, one per line: value, tab, description'
  static override examples = ['promo complete -- vouchers dis', "promo complete -- vouchers list --format ''"]
  static override effect = 'none' as const
  static override exits = [readsSettings, usesJobsFolder]
  static override args = { words: argumentList('the words of a command line, after --') }

  async run() {
    const { args } = await this.input(Complete)
    const { host, source } = this
    const candidates = await candidatesFor(args.words ?? [], commandsIn(source.root), {
      profiles: async () => {
        const { storedProfiles } = await import('../cli/session/profile-store.ts')
        return ['sandbox', ...(await (await storedProfiles(host)).store.list()).map(({ name }) => name)]
      },
      scopes: async () => {
        const { clientScopes, serverScopes } = await import('../contract/scopes.ts')
        return [...serverScopes, ...clientScopes]
      },
      jobs: async () => {
        const { jobFiles } = await import('../bulk/journal/job.ts')
        const { jobsFolder } = await import('../cli/bulk/known-jobs.ts')
        // By the names of their files: opening a journal takes longer than a user waits for a key.
        return (await jobFiles(jobsFolder(host))).map(({ name }) => name)
      },
      columns: async (id) => factsIn(source.root)[id]?.columns ?? [],
      webhookEvents: async () => (await import('../contract/webhook-events.ts')).webhookEventNames,
    })
    for (const { value, about = '' } of candidates) tellLines(host.stdout, `${sanitize(value)}\t${sanitize(about)}\n`)
  }
}
