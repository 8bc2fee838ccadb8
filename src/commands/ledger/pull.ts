import { existsSync } from 'node:fs'
import type { Client } from '../../api/client.ts'
import { expectedMs } from '../../api/pacing/limits-ahead.ts'
import { formatCount, formatNumber } from '../../base/numbers.ts'
import { PromoCommand } from '../../cli/command.ts'
import { callFlags } from '../../cli/flags/flags.ts'
import { count, names, switchFlag } from '../../cli/flags/kinds.ts'
import { keepHeapSmall } from '../../cli/heap.ts'
import { requestLimit } from '../../cli/request/request-limit.ts'
import { timeText } from '../../cli/result/progress.ts'
import { copiedProjectOf, copyFileOf, dataFlag, lockCopy, whenUnread } from '../../cli/topics/ledger/copy-file.ts'
import { EXIT, usageError } from '../../errors.ts'
import { type Copy, openCopy } from '../../ledger/copy.ts'
import { pullCalls } from '../../ledger/lists.ts'
import { planPull, pull } from '../../ledger/pull.ts'
import type { TableName } from '../../ledger/schema.ts'
import { pulledTableColumns } from '../../output/columns/ledger.ts'
import { estimateColumns } from '../../output/columns/program.ts'

export default class Pull extends PromoCommand {
  static override summary = 'Copy what happened in a project into a file: all of it at first, then what is new'
  static override description =
    'Redemptions, rollbacks, transactions of cards, orders, codes, cards and publications; of customers only their ids. The project is only read. The next pull continues one that was stopped. The result says until when each table is complete; if one lacks something the exit code is 12, and `missing` says what. Transactions are not counted by the service, so they are not in the estimate.'
  static override examples = [
    'promo ledger pull --profile sandbox',
    'promo ledger pull --dry-run --profile sandbox',
    'promo ledger pull --with customers --max-requests 50000 --profile sandbox',
  ]
  static override effect = 'local' as const
  static override calls = pullCalls
  static override columns = [pulledTableColumns, estimateColumns]
  static override exits = [EXIT.no]
  static override flags = {
    ...callFlags,
    ...dataFlag,
    with: names('also copy names and addresses of customers, in later pulls too', 'customers'),
    'max-requests': count('the most requests that may be sent', 1, 10_000_000, { default: 10_000 }),
    'dry-run': switchFlag('show the number of objects and requests, and write nothing'),
  }

  async run() {
    const { flags } = await this.input(Pull)
    const { host } = this
    const other = flags.with?.find((name) => name !== 'customers')
    if (other !== undefined) throw usageError(`--with takes customers, not "${other}"`)
    const words = { what: 'the pull', kept: 'what was read is kept, and the next pull continues there' }
    const limit = requestLimit(flags['max-requests'], host.stop, words)
    let serviceMs: number | undefined
    const client = await this.connect({
      drain: limit.drain,
      onSent: limit.onSent,
      onReply: ({ headers }) => {
        serviceMs = dateIn(headers) ?? serviceMs
      },
    })
    const file = copyFileOf(flags, host, client.profile)
    const project = copiedProjectOf(client.profile)
    const line = await this.show.statusLine()
    if (flags['dry-run']) {
      const copy = existsSync(file) ? openCopy(file, { project }) : openCopy(':memory:', { writes: true })
      const { estimates } = await planPull(client, copy).finally(copy.close)
      await this.show.rows(estimates, estimateColumns)
      this.show.say(`${formatCount(limit.sent(), 'request')} sent to learn that; nothing was written`)
      return
    }
    const lock = await lockCopy(file, host)
    keepHeapSmall()
    const say = (text: string) => {
      line.end()
      this.show.say(text)
    }
    const read = new Map<TableName, number>()
    const attempt = async (copy: Copy) => {
      const startedAt = host.now()
      const planned = await planPull(client, copy)
      const totals = new Map(planned.estimates.map(({ kind, objects }) => [kind, objects]))
      const requests = planned.estimates.reduce((sum, one) => sum + one.requests, 0)
      if (limit.sent() + requests > flags['max-requests']) throw limit.tooMany(requests)
      const perSecond = (limit.sent() * 1000) / Math.max(1, host.now() - startedAt)
      this.announce(client, requests, perSecond)
      return await pull({
        client,
        copy,
        withCustomers: flags.with !== undefined,
        now: () => serviceMs ?? host.now(),
        sent: limit.sent,
        planned,
        onRows: (table, count) => {
          const done = (read.get(table) ?? 0) + count
          read.set(table, done)
          const of = totals.get(table)
          line.show(`${table}: ${formatNumber(done)}${of == null ? '' : ` of ${formatNumber(of)}`}`)
        },
      })
    }
    let copy: Copy | undefined
    try {
      const opened = openCopy(file, { writes: true, project })
      copy = opened
      // What was read is held, and the next attempt goes on there, as a next pull does.
      const { isComplete, failure } = await whenUnread(opened, host, say, () => attempt(opened))
      line.end()
      const sources = copy.all<{ name: TableName }>('SELECT name, held, counted, complete_until, missing FROM sources')
      const shown = sources.map(({ name, ...source }) => ({ table: name, read: read.get(name) ?? 0, ...source }))
      await this.show.rows(shown, pulledTableColumns)
      say(`${formatCount(limit.sent(), 'request')}; the copy is ${file}`)
      if (failure !== undefined) throw failure
      if (!isComplete) this.exitCode = EXIT.no
    } catch (error) {
      throw limit.reasonOf(error)
    } finally {
      line.end()
      copy?.close()
      lock.remove()
    }
  }

  private announce(client: Client & { profile: { name: string } }, requests: number, perSecond: number) {
    const ms = expectedMs(requests, client.limitsAhead(), perSecond)
    const time = ms === undefined ? '' : `, ${timeText(ms / 1000)}`
    this.show.say(
      `reading the project of profile "${client.profile.name}": about ${formatCount(requests, 'request')}${time}, and those for transactions`,
    )
  }
}

/** Returns the time that the service puts into its answers. */
function dateIn(headers: readonly string[]): number | undefined {
  const header = headers.find((line) => /^date:/i.test(line))
  const ms = Date.parse(header?.slice('date:'.length) ?? '')
  return Number.isNaN(ms) ? undefined : ms
}
