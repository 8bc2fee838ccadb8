import { Flags } from '@oclif/core'
import { formatCount, formatNumber } from '../../base/numbers.ts'
import { shellWord } from '../../base/shell-word.ts'
import { PromoCommand } from '../../cli/command.ts'
import { bringing, readsSettings, usesSandboxFile } from '../../cli/exits.ts'
import { callFlags } from '../../cli/flags/flags.ts'
import { count, switchFlag, textFlag } from '../../cli/flags/kinds.ts'
import { time, timeRangeFrom } from '../../cli/flags/time.ts'
import { requestLimit } from '../../cli/request/request-limit.ts'
import { projectOf } from '../../cli/session/project.ts'
import { withSandbox } from '../../cli/session/sandbox.ts'
import { kindList, readCalls } from '../../cli/topics/config/declared.ts'
import { addressIn, copiedKinds, copyProject, estimate, selectionOf } from '../../cli/topics/sandbox/copy.ts'
import { noPseudonyms, pseudonyms } from '../../cli/topics/sandbox/pseudonyms.ts'
import { listCustomers } from '../../contract/customers.ts'
import { listPrograms } from '../../contract/loyalty-programs.ts'
import { listOrders } from '../../contract/orders.ts'
import { listVouchers } from '../../contract/voucher-lists.ts'
import { EXIT, usageError } from '../../errors.ts'
import { copiedColumns, estimateColumns } from '../../output/columns/program.ts'
import { mustBeReplaceable } from '../../output/out-file.ts'

const { profile: _, ...otherFlags } = callFlags
const mostNamed = 10

export default class Copy extends PromoCommand {
  static override summary = 'Copy a project into a new data file of the embedded service'
  static override description =
    'The project is only read. Its configuration is copied with ids; codes, cards, customers and orders only with --only. Personal data of customers is replaced by pseudonyms. If the copy would need more than --max-requests, only the lengths of lists are read. What the embedded service refuses is listed and left out (exit 3). A stopped copy leaves no file.'
  static override examples = [
    'promo sandbox copy --from sandbox --data ~/copy.db',
    'promo sandbox copy --from sandbox --data ~/copy.db --only campaigns,codes --since 90d',
    'promo sandbox copy --from sandbox --data ~/copy.db --only customers,cards,orders --dry-run',
  ]
  static override effect = 'local' as const
  static override calls = [...readCalls, listPrograms, listVouchers, listCustomers, listOrders]
  static override columns = [copiedColumns, estimateColumns]
  static override exits = [usesSandboxFile, EXIT.no]
  static override flags = {
    from: bringing(readsSettings, textFlag('copy from this profile (default: the current one)', 'PROFILE')),
    data: Flags.string({ description: 'the new data file', helpValue: 'FILE', required: true }),
    only: kindList(copiedKinds)({
      description: 'only these kinds (default: all but codes, cards, customers and orders)',
      helpValue: 'KIND,…',
    }),
    since: time({
      description: 'only codes, cards, customers and orders from this time on, like 90d',
    }),
    'keep-personal-data': switchFlag('copy names, addresses and other data of customers as they are'),
    'max-requests': count('the most requests that may be sent', 1, 10_000_000, { default: 1000 }),
    rate: textFlag('the most requests, like 10/s or 600/m', 'N/s|N/m|N/h'),
    'dry-run': switchFlag('show the number of objects and requests, and write nothing'),
    ...otherFlags,
  }

  async run() {
    const { flags } = await this.input(Copy)
    const { host } = this
    const { show: messages } = this
    if (flags.data === ':memory:')
      throw usageError('a copy in memory would be lost at once', 'name a file: --data FILE')
    const sinceMs =
      flags.since === undefined ? undefined : timeRangeFrom(flags.since, await this.clock(flags.from)).fromMs
    const selection = selectionOf(flags.only, sinceMs)
    if (sinceMs !== undefined && selection.data.length === 0)
      throw usageError('--since applies to codes, cards, customers and orders, but --only names none of them')
    if (!flags['dry-run']) {
      await withSandbox(async ({ mustBeFree }) => mustBeFree(flags.data))
      // Before anything is read: a copy may take an hour.
      await mustBeReplaceable(flags.data)
    }
    const limit = requestLimit(flags['max-requests'], host.stop, {
      what: 'the copy',
      kept: 'nothing was written',
      less: ', or copy less with --only and --since',
    })
    const { parseRate } = await import('../../api/pacing/rate.ts')
    const client = await this.connect({
      name: flags.from,
      drain: limit.drain,
      onSent: limit.onSent,
      ...(flags.rate !== undefined && { rate: parseRate(flags.rate) }),
    })
    try {
      const projectId = projectOf(undefined, client.profile)
      const estimates = await estimate(client, selection)
      const requests = estimates.reduce((sum, one) => sum + one.requests, 0)
      const about = `about ${formatCount(requests, 'request')}`
      if (flags['dry-run']) {
        await this.show.rows(estimates, estimateColumns)
        messages.say(`the copy takes ${about}, and ${limit.sent()} were sent to learn that; nothing was written`)
        return
      }
      if (limit.sent() + requests > flags['max-requests']) throw limit.tooMany(requests)
      messages.say(`reading project ${projectId} of profile "${client.profile.name}": ${about}`)
      const people = flags['keep-personal-data'] ? noPseudonyms : pseudonyms()
      const { fixture, notes, unreadable, addresses } = await copyProject(client, projectId, selection, people)
      const { counts, refused, unknown } = await withSandbox(async ({ newDataFile, unknownInFixture }) => ({
        unknown: await unknownInFixture(fixture),
        ...(await newDataFile(flags.data, fixture, host.stop)),
      }))
      for (const line of [...notes, ...droppedMembers(unknown)]) messages.warn(line)
      const reasons = Map.groupBy(refused, ({ collection, reason }) => `${collection}\0${reason}`)
      for (const alike of reasons.values()) {
        const names = alike.slice(0, mostNamed).map(({ collection, wire }) => addressIn(collection, wire, addresses))
        const more = alike.length > mostNamed ? ` and ${formatNumber(alike.length - mostNamed)} more` : ''
        messages.warn(`not copied: ${names.join(', ')}${more}: ${alike[0]?.reason}`)
      }
      const rows = Object.entries(counts).map(([kind, objects]) => ({
        kind,
        objects,
        refused: refused.filter(({ collection }) => collection === kind).length,
      }))
      await this.show.rows(rows, copiedColumns, { nothing: 'there is nothing in the project' })
      messages.say(
        `copied into ${flags.data} with ${formatCount(limit.sent(), 'request')}; serve it with: promo sandbox start --data ${shellWord(flags.data)}`,
      )
      if (refused.length > 0) this.exitCode = EXIT.refused
      else if (unreadable.length > 0) this.exitCode = EXIT.no
    } catch (error) {
      throw limit.reasonOf(error)
    }
  }
}

/** Says once for each member that promo does not know, of how many objects it is dropped. */
function droppedMembers(sentences: readonly string[]): string[] {
  const alike = Map.groupBy(sentences, (sentence) => sentence.replace(/\[\d+\]/, ''))
  return [...alike].map(([sentence, all]) => `${sentence}, which is dropped (${formatCount(all.length, 'object')})`)
}
