import { Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { bodyFlags, confirmFlags, dryRunFlag, outputFlags, serviceFlags } from '../../cli/flags/flags.ts'
import { wholeNumber } from '../../cli/flags/values.ts'
import { cartFlags, cartFrom } from '../../cli/request/cart.ts'
import { newPublication, publish } from '../../contract/publications.ts'
import { usageError } from '../../errors.ts'
import { publicationColumns } from '../../output/columns/resources/publications.ts'

export default class Create extends PromoCommand {
  static override summary = 'Give a customer a code: a certain one, or any free code of a campaign'
  static override description =
    'A customer who does not exist yet is created. It is never sent twice, because each call may give another code: if the answer is lost, the outcome is unknown (exit 6), and `publications list --customer` shows what the customer has.'
  static override examples = [
    '<%= config.bin %> publications create --campaign Welcome --customer source_id=shop-1007 --channel counter --profile sandbox',
    '<%= config.bin %> publications create --voucher MORNING --customer source_id=guest-7,name=Ann --dry-run --profile sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [publish]
  static override columns = publicationColumns
  static override asks = {
    voucher: { unless: ['campaign', 'body', 'set'] },
    customer: { unless: ['body', 'set'], question: 'the customer, like source_id=shop-1001:' },
  }
  static override flags = {
    ...serviceFlags,
    ...outputFlags,
    voucher: Flags.string({ description: 'the code to give', exclusive: ['campaign'], helpValue: 'CODE' }),
    campaign: Flags.string({ description: 'the campaign of which any free code is given, by name' }),
    count: Flags.custom<number>({ parse: async (text) => wholeNumber(text, 1, 20) })({
      dependsOn: ['campaign'],
      description: 'how many codes of the campaign to give (1-20, default 1)',
      helpValue: 'N',
    }),
    customer: Flags.string({
      ...cartFlags.customer,
      description: 'the customer, by source_id or id; name, email and other fields may follow, separated by commas',
      helpGroup: '',
      helpValue: 'source_id=ID',
      multiple: true,
      multipleNonGreedy: true,
    }),
    channel: Flags.string({ description: 'how the code reaches the customer, like email' }),
    'source-id': Flags.string({ description: 'your own id of the publication', helpValue: 'ID' }),
    metadata: Flags.string({
      description: 'metadata of the publication; may be repeated',
      helpValue: 'name=value',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'join-once': Flags.boolean({
      allowNo: true,
      description: 'give a customer who has a code of the campaign that one again (or, with --no-join-once, another)',
    }),
    ...bodyFlags,
    ...confirmFlags,
    ...dryRunFlag,
  }

  async run() {
    const { flags } = await this.input(Create)
    const { voucher, campaign, count, channel, 'source-id': source_id, 'join-once': join_once } = flags
    const { customer, metadata, body, set } = flags
    const draft = await cartFrom({ customer, metadata, body, set }, newPublication, this.host)
    if (draft.customer === undefined) throw usageError('no customer given', '--customer source_id=shop-1001')
    await this.writeOne(flags, {
      endpoint: publish,
      request: {
        query: { join_once },
        body: {
          ...draft,
          customer: draft.customer as { source_id: string },
          ...(voucher !== undefined && { voucher }),
          ...(campaign !== undefined && { campaign: count === undefined ? campaign : { name: campaign, count } }),
          ...(channel !== undefined && { channel }),
          ...(source_id !== undefined && { source_id }),
        },
      },
      columns: publicationColumns,
      rows: (publication) => [publication],
    })
  }
}
