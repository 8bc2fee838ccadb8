import { Flags } from '@oclif/core'
import type { z } from 'zod'
import { PromoCommand } from '../../cli/command.ts'
import { bodyFlags, bulkOnlyFlags, callFlags, writeFlags } from '../../cli/flags/flags.ts'
import { count, repeatable } from '../../cli/flags/kinds.ts'
import { fieldReader } from '../../cli/request/body.ts'
import { cartFlags, cartFrom, type Draft } from '../../cli/request/cart.ts'
import { rowBodies } from '../../cli/request/row-body.ts'
import { publicationProof } from '../../cli/topics/publications/proof.ts'
import type { JobUndo } from '../../cli/undo.ts'
import { listPublications, newPublication, publish } from '../../contract/publications.ts'
import { usageError } from '../../errors.ts'
import { publicationColumns } from '../../output/columns/resources/publications.ts'

export default class Create extends PromoCommand {
  static override summary = 'Give customers codes: one customer, or all those of a file'
  static override description =
    'A code is a certain one, or any free one of a campaign. A customer who does not exist yet is created. Columns of a file are wire paths (customer.source_id, or customer for short; voucher, campaign, channel, source_id), and override the flags; equal rows are equal publications, and all of them are made. It is never sent twice, because each call may give another code: if the answer is lost, the outcome is unknown (exit 6), unless the publication has a source id of its own, by which `publications list --source-id` shows that it arrived.'
  static override examples = [
    'promo publications create --campaign Welcome --customer source_id=shop-1007 --channel counter --profile sandbox',
    'promo publications create --voucher MORNING --customer source_id=guest-7,name=Ann --dry-run --profile sandbox',
    'printf "customer\\nshop-1001\\nguest-7\\n" > guests.csv; promo publications create --campaign Welcome --from guests.csv --yes --profile sandbox',
  ]
  static override effect = 'write' as const
  static override undo: JobUndo = {
    because: 'no call takes back a code that was given; it can be switched off',
    instead: (job) =>
      `promo jobs report ${job} --only ok --csv --out given.csv; promo vouchers disable --from given.csv --column promo_result_code --dry-run`,
  }
  static override calls = [publish, listPublications]
  static override columns = publicationColumns
  static override asks = {
    voucher: { unless: ['campaign', 'body', 'set', 'from'] },
    customer: { unless: ['body', 'set', 'from'], question: 'the customer, like source_id=shop-1001:' },
  }
  static override flags = {
    ...callFlags,
    voucher: Flags.string({ description: 'the code to give', exclusive: ['campaign'], helpValue: 'CODE' }),
    campaign: Flags.string({ description: 'the campaign of which any free code is given, by name' }),
    count: count({
      dependsOn: ['campaign'],
      description: 'how many codes of the campaign to give (1-20, default 1)',
      least: 1,
      most: 20,
    }),
    customer: repeatable({
      ...cartFlags.customer,
      description: 'the customer, by source_id or id; name, email and other fields may follow, separated by commas',
      helpGroup: '',
      helpValue: 'source_id=ID',
      exclusive: ['from'],
    }),
    channel: Flags.string({ description: 'how the code reaches the customer, like email' }),
    'source-id': Flags.string({
      description: 'your own id of the publication; in a file, the column source_id',
      exclusive: ['from'],
      helpValue: 'ID',
    }),
    metadata: repeatable({ description: 'metadata of the publication; may be repeated', helpValue: 'name=value' }),
    'join-once': Flags.boolean({
      allowNo: true,
      description: 'give a customer who has a code of the campaign that one again (or, with --no-join-once, another)',
    }),
    ...bodyFlags,
    ...bulkOnlyFlags,
    ...writeFlags,
  }

  async run() {
    const { flags } = await this.input(Create)
    const { voucher, campaign, count, channel, 'source-id': source_id, 'join-once': join_once } = flags
    const draft = await cartFrom(flags, newPublication, this.host)
    const shared = {
      ...draft,
      ...(voucher !== undefined && { voucher }),
      ...(campaign !== undefined && { campaign: count === undefined ? campaign : { name: campaign, count } }),
      ...(channel !== undefined && { channel }),
    }
    if (flags.from === undefined) {
      if (draft.customer === undefined) throw usageError('no customer given', '--customer source_id=shop-1001')
      await this.writeOne(flags, {
        endpoint: publish,
        request: {
          query: { join_once },
          body: {
            ...shared,
            customer: draft.customer as { source_id: string },
            ...(source_id !== undefined && { source_id }),
          },
        },
        columns: publicationColumns,
        proof: publicationProof(source_id ?? draft.source_id),
        rows: (publication) => [publication],
      })
      return
    }
    const cells = rowBodies({}, await fieldReader(newPublication, flags, this.host), flags.column ?? key, withoutShort)
    await this.runBulk(undefined, flags, {
      words: {
        noun: 'customer',
        verb: 'give a code to',
        done: 'gave a code to',
        unchanged: 'has it already',
        key,
        orKey: 'customer',
        member: 'publication',
      },
      endpoint: publish,
      results: { id: 'id', code: ['voucher.code', 'vouchers'], customer_id: 'customer_id' },
      request: (row) => ({ query: { join_once }, body: bodyOf(row.key, shared, cells(row)) }),
      proof: (row) => publicationProof(cells(row).source_id),
      onDuplicate: 'keep',
    })
  }
}

/** The column of a file that names who gets the code. */
const key = 'customer.source_id'

/** A row without the text that is short for `customer.source_id`, which is its key. */
function withoutShort({ customer, ...row }: Draft): Draft {
  return typeof customer === 'string' ? row : { customer, ...row }
}

/** A row that names a code or a campaign of its own does not get that of the flags. */
function bodyOf(sourceId: string, shared: Draft, own: Draft): z.input<typeof newPublication> {
  const { voucher, campaign, ...rest } = shared
  const given = own.voucher !== undefined || own.campaign !== undefined ? rest : shared
  const customer = { ...objectIn(shared.customer), ...objectIn(own.customer), source_id: sourceId }
  return { ...given, ...own, customer }
}

function objectIn(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
