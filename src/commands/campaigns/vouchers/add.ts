import { formatNumber } from '../../../base/numbers.ts'
import { PromoCommand } from '../../../cli/command.ts'
import { bodyFlags, bulkFlags, callFlags, writeFlags } from '../../../cli/flags/flags.ts'
import { argument, argumentList, count } from '../../../cli/flags/kinds.ts'
import { type WaitFlags, waitFlags } from '../../../cli/flags/wait.ts'
import { quotedValue } from '../../../cli/prompt/asked-value.ts'
import { bodyFrom } from '../../../cli/request/body.ts'
import { flagsOfMembers, type MemberFlags, withMembers } from '../../../cli/request/member-flags.ts'
import { bodiesOfRows } from '../../../cli/request/row-body.ts'
import { startAction } from '../../../cli/topics/async/action.ts'
import { deletingMade } from '../../../cli/topics/vouchers/codes.ts'
import { noteFlag, usesFlag, validityFlags } from '../../../cli/topics/vouchers/members.ts'
import { sendableVoucher } from '../../../cli/topics/vouchers/sendable.ts'
import { getAsyncAction } from '../../../contract/async-actions.ts'
import { addCampaignVoucher, generateCampaignVouchers } from '../../../contract/campaigns.ts'
import { newCampaignVoucher } from '../../../contract/new-campaign.ts'
import { getVoucher } from '../../../contract/vouchers.ts'
import { usageError } from '../../../errors.ts'
import { asyncActionColumns, startedActionColumns } from '../../../output/columns/resources/project.ts'
import { voucherColumns } from '../../../output/columns/vouchers.ts'

const fields = newCampaignVoucher.unwrap()
// When within that time a code can be used, the campaign says.
const { weekdays: _, hours: __, window: ___, ...validity } = validityFlags
const members: MemberFlags = {
  ...usesFlag(),
  note: noteFlag,
  active: { about: 'switched on from the start', takes: 'switch' },
  category: { about: 'the category, by name' },
  ...validity,
}

const words = { noun: 'voucher', verb: 'add', done: 'added', unchanged: 'already there', key: 'code' }

export default class Add extends PromoCommand {
  static override summary = 'Add codes to a campaign: generated ones, one of your own, many, or a whole file'
  static override description =
    'With --count the service generates the codes, several of them in the background. Your own codes are sent one by one; a code that is taken is a conflict. Flags, --body and --set say how the vouchers differ from those of the campaign. A column of a file overrides them for its row.'
  static override examples = [
    'promo campaigns vouchers add "Spring mailing" --count 100 --wait --yes --profile sandbox',
    'promo campaigns vouchers add "Spring mailing" SPRING-ANN --metadata for=Ann --profile sandbox',
    'printf "code\\nSPRING-BEN\\nSPRING-EVE\\n" > codes.csv; promo campaigns vouchers add "Spring mailing" --from codes.csv --yes --profile sandbox',
  ]
  static override effect = 'write' as const
  static override instead = deletingMade
  static override calls = [addCampaignVoucher, generateCampaignVouchers, getVoucher, getAsyncAction]
  static override columns = [voucherColumns, startedActionColumns, asyncActionColumns]
  static override words = words
  static override results = { id: 'id' }
  static override rows = { ...words, body: fields, members }
  static override args = {
    campaign: argument('a campaign, by id or name'),
    code: argumentList('the new codes; one that starts with - goes after --'),
  }
  static override asks = { code: { unless: ['from', 'count'], question: 'the new code:' } }
  static override flags = {
    ...callFlags,
    count: count('how many codes to generate', 1, 1_000_000, {
      exclusive: ['from'],
    }),
    ...waitFlags,
    wait: { ...waitFlags.wait, dependsOn: ['count'] },
    ...flagsOfMembers(members),
    ...bodyFlags,
    ...bulkFlags,
    ...writeFlags,
  }

  async run() {
    const { args, flags } = await this.input(Add)
    const { campaign, code: codes } = args
    const shared = await bodyFrom({ ...flags, set: withMembers(members, flags) }, fields, this)
    if (flags.count !== undefined) {
      mustGenerateOnly(codes, flags)
      return await this.generate(campaign, flags.count, shared, flags)
    }
    const sendable = (row: Record<string, unknown>) => sendableVoucher(row, fields, { isUpdate: true })
    const bodyOf = await bodiesOfRows(fields, shared, { flags, run: this, isNew: true, sendable, members })
    await this.runBulk(codes, {
      words,
      endpoint: addCampaignVoucher,
      results: Add.results,
      request: (row) => ({ path: { campaignId: campaign, code: row.key }, body: bodyOf(row) }),
      input: { fromList: 'fields', takesAnswers: true, members },
      onDuplicate: 'fold-identical',
    })
  }

  private async generate(campaignId: string, count: number, body: object, flags: WaitFlags) {
    const request = { path: { campaignId }, query: { vouchers_count: count }, body }
    const start = { endpoint: generateCampaignVouchers, request, isFinal: true }
    if (count === 1) return void (await this.writeOne({ ...start, columns: voucherColumns }))
    const question = `generate ${formatNumber(count)} vouchers in campaign ${quotedValue(campaignId)}`
    this.exitCode = await startAction(flags, { ...start, question }, this)
  }
}

/** Throws `usage` for what has no meaning for one request that generates codes. */
function mustGenerateOnly(codes: readonly string[] | undefined, flags: Readonly<Record<string, unknown>>): void {
  if (codes?.length) {
    throw usageError('--count generates codes, so none can be named', 'leave out --count, or the codes')
  }
  const ofRows = Object.keys(bulkFlags).find((name) => flags[name] !== undefined && flags[name] !== false)
  if (ofRows !== undefined)
    throw usageError(`--count is one request, so --${ofRows} has no meaning`, `leave out --${ofRows}`)
}
