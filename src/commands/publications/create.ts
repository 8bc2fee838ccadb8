import type { z } from 'zod'
import type { Client } from '../../api/client.ts'
import { customerColumn } from '../../bulk/input/report-columns.ts'
import type { Row } from '../../bulk/input/row.ts'
import { bulkCommand } from '../../cli/declared/bulk.ts'
import { choosingFlags } from '../../cli/flags/choosing.ts'
import { asSourceIdFlag, bodyFlags } from '../../cli/flags/flags.ts'
import { count, naming, repeatable, setting, switchFlag, textFlag } from '../../cli/flags/kinds.ts'
import { cartFrom, type Draft } from '../../cli/request/cart.ts'
import { membersSetBy } from '../../cli/request/member-flags.ts'
import { bodiesOfRows, customerOf } from '../../cli/request/row-body.ts'
import { customerFilters } from '../../cli/topics/customers/filters.ts'
import { refuseSharedCodes, sharedCodeCalls } from '../../cli/topics/publications/shared-code.ts'
import { listPublications, newPublication, publish } from '../../contract/publications.ts'
import { usageError } from '../../errors.ts'
import { publicationColumns } from '../../output/columns/resources/publications.ts'

/** The column of a file that names who gets the code. */
const key = 'customer.source_id'

const choosing = {
  ...customerFilters,
  rowOf: ({ id, source_id }: Record<string, unknown>) => ({ [key]: source_id ?? id, [customerColumn]: id }),
}
const filters = Object.keys(choosingFlags(choosing, {}))

const flags = {
  voucher: textFlag('the code to give', 'CODE', { exclusive: ['campaign'], ...setting('voucher') }),
  campaign: textFlag('a free code of this campaign, by name', undefined, setting('campaign')),
  count: count('how many codes of the campaign to give (1-20, default 1)', 1, 20, {
    dependsOn: ['campaign'],
    ...setting('campaign.count'),
  }),
  customer: repeatable('the customer: an id, source id, e-mail, phone, or fields like name=Ann', 'WHO|source_id=ID,…', {
    exclusive: ['from'],
    ...naming('customer'),
  }),
  channel: textFlag('how the code reaches the customer, like email', undefined, setting('channel')),
  'source-id': textFlag('your own id (in a file: the column "source_id")', 'ID', {
    exclusive: ['from', ...filters],
    ...setting('source_id'),
  }),
  metadata: repeatable('one metadata field', 'name=value'),
  'join-once': switchFlag('give who has a code the same again, or with --no-join-once another', { allowNo: true }),
  ...asSourceIdFlag,
  ...bodyFlags,
}
const members = membersSetBy(flags)

export default bulkCommand('Give customers codes: one customer, those of a file, or those of filters', {
  description:
    'Gives a certain code, or any free code of a campaign. A new customer is created. With --from, each row is a publication, also where rows are equal; filters like --segment choose customers. It is never sent twice, because a second call may give another code: without an answer the outcome is unknown (exit 6). With a source id of your own, `publications list --source-id` shows whether it arrived.',
  examples: [
    'promo publications create --campaign Welcome --customer source_id=shop-1007 --channel counter --profile sandbox',
    'promo publications create --campaign Welcome --created-after 2026-01-10 --dry-run --profile sandbox',
    'promo publications create --voucher MORNING --customer source_id=guest-7,name=Ann --dry-run --profile sandbox',
    'printf "customer\\nshop-1001\\nguest-7\\n" > guests.csv; promo publications create --campaign Welcome --from guests.csv --yes --profile sandbox',
  ],
  calls: [publish, listPublications, ...sharedCodeCalls],
  columns: publicationColumns,
  instead: (job) =>
    `promo jobs report ${job} --only ok --csv --out given.csv; promo vouchers disable --from given.csv --column promo_result_code --dry-run`,
  asks: {
    voucher: { unless: ['campaign', 'body', 'set', 'from'] },
    customer: { unless: ['body', 'set', 'from'], filters, question: 'the customer, like source_id=shop-1001:' },
  },
  flags,
  isFileOnly: true,
  choosing,
  words: {
    noun: 'customer',
    verb: 'give a code to',
    done: 'gave a code to',
    unchanged: 'has it already',
    key,
    fallbackKey: 'customer',
    member: 'publication',
  },
  results: { id: 'id', code: ['voucher.code', 'vouchers'], customer_id: 'customer_id' },
  customers: 'key',
  onDuplicate: 'keep',
  async rows({ flags, run }) {
    const { voucher, campaign, count, channel, 'source-id': source_id, 'join-once': join_once } = flags
    const draft = await cartFrom(flags, newPublication, run)
    const isNamed = [voucher, campaign, draft.voucher, draft.campaign].some((one) => one !== undefined)
    const shared = {
      ...draft,
      ...(voucher !== undefined && { voucher }),
      ...(campaign !== undefined && { campaign: count === undefined ? campaign : { name: campaign, count } }),
      ...(channel !== undefined && { channel }),
    }
    const cells = await bodiesOfRows(newPublication, {}, { flags, run, key, members, sendable: withoutShort })
    const rows = {
      request: (row: Row) => {
        const own = cells(row)
        if (!isNamed && own.voucher === undefined && own.campaign === undefined)
          throw usageError('names no code and no campaign; --campaign NAME is that of all rows')
        return { query: { join_once }, body: bodyOf(customerOf(row), shared, own) }
      },
    }
    const receivers = new Map<string, { of: 'voucher' | 'campaign'; customers: Set<string> }>()
    const many = {
      ...rows,
      async forRows(all: Iterable<Row>) {
        for (const row of all) {
          const { voucher, campaign } = rows.request(row).body
          const [of, name] = voucher === undefined ? (['campaign', campaign] as const) : (['voucher', voucher] as const)
          const key = typeof name === 'object' ? name.name : String(name)
          const known = receivers.get(key) ?? { of, customers: new Set() }
          known.customers.add(row.key)
          receivers.set(key, known)
        }
        const examine = async ({ client }: { client: Client }) => await refuseSharedCodes(client, receivers)
        return { endpoint: publish, planFacts: undefined, examine }
      },
    }
    if (flags.from !== undefined || draft.customer === undefined) return many
    const customer = draft.customer as { source_id: string }
    const body = { ...shared, customer, ...(source_id !== undefined && { source_id }) }
    return {
      ...rows,
      one: {
        request: { query: { join_once }, body },
        rows: (publication) => [publication],
      },
    }
  },
})

/** A row without the text that is short for `customer.source_id`, which is its key; beside a count a campaign is an object. */
function withoutShort({ customer, campaign, ...row }: Draft): Draft {
  const hasCount = typeof campaign === 'string' && row['campaign.count'] !== undefined
  return {
    ...row,
    ...(typeof customer !== 'string' && { customer }),
    [hasCount ? 'campaign.name' : 'campaign']: campaign,
  }
}

/** A row that names a code or a campaign of its own does not get that of the flags. */
function bodyOf(who: ReturnType<typeof customerOf>, shared: Draft, own: Draft): z.input<typeof newPublication> {
  const { voucher, campaign, ...rest } = shared
  const given = own.voucher !== undefined || own.campaign !== undefined ? rest : shared
  // A row may say how many codes of the campaign of all rows.
  const named = typeof campaign === 'string' ? { name: campaign } : objectIn(campaign)
  const counted = typeof own.campaign === 'object' && { campaign: { ...named, ...own.campaign } as never }
  const customer = { ...objectIn(shared.customer), ...objectIn(own.customer), ...who }
  return { ...given, ...own, ...counted, customer }
}

function objectIn(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
