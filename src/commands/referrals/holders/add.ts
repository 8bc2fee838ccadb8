import type { Client } from '../../../api/client.ts'
import { ofMissing } from '../../../api/outcome/call-error.ts'
import { argumentWords } from '../../../base/shell-word.ts'
import type { Row } from '../../../bulk/input/row.ts'
import { bulkCommand } from '../../../cli/declared/bulk.ts'
import { asSourceIdFlag, typeOfFlag } from '../../../cli/flags/flags.ts'
import { count, naming, repeatable } from '../../../cli/flags/kinds.ts'
import { readerAt } from '../../../cli/request/body.ts'
import type { Asker, Keeper } from '../../../cli/run/host.ts'
import type { ReferralCodePath } from '../../../cli/topics/referrals/code.ts'
import { referralCode, referralCodeArgs } from '../../../cli/topics/referrals/code.ts'
import { newHoldersFrom } from '../../../cli/topics/referrals/new-holders.ts'
import { getCustomer } from '../../../contract/customers.ts'
import {
  addCampaignHolders,
  addHolders,
  holdersPerRequest,
  listCampaignHolders,
  listHolders,
  newHolders,
} from '../../../contract/referrals.ts'

const words = { noun: 'holder', verb: 'add', done: 'added', unchanged: 'already there', key: 'source_id' }

export default bulkCommand('Add customers to a referral code: one, many, or a whole file', {
  description:
    'Customers who do not exist yet are created. Holders are sent in batches, and the service takes a batch completely or not at all: each row has the outcome of its batch. A customer who already holds the code is a conflict. Columns of a file are wire paths of the customer (source_id or id, name, email, metadata.tier).',
  examples: [
    'promo referrals holders add FRIEND-001 --holder source_id=shop-1007 --profile sandbox',
    'promo referrals holders add FRIEND-002 --holder source_id=guest-1,name=Ann --holder source_id=guest-2 --metadata channel=party --yes --profile sandbox',
    `echo '{"source_id":"friend-1","name":"Ida Novak"}' | promo referrals holders add FRIEND-003 --from - --batch-size 50 --yes --profile sandbox`,
  ],
  calls: [addHolders, addCampaignHolders, listHolders, listCampaignHolders, getCustomer],
  instead: (job, args) =>
    `promo jobs report ${job} --only ok --csv --out added.csv; promo referrals holders remove --from added.csv --column promo_result_id --dry-run ${argumentWords(String(args.member ?? args['campaign-or-member']))}`,
  args: referralCodeArgs,
  asks: {
    holder: {
      unless: ['from'],
      question: 'a customer, like source_id=shop-1001:',
      // A text without a member is looked up once the line is complete.
      check: async (text: string, host: Asker & Keeper) =>
        text.includes('=') ? await newHoldersFrom({ holder: [text] }, readerAt(host)) : undefined,
    },
  },
  flags: {
    holder: repeatable('the customer: an id, source id, e-mail, phone, or fields like name=Ann', 'WHO|source_id=ID,…', {
      exclusive: ['from'],
      ...naming('customer'),
    }),
    metadata: repeatable('one metadata field', 'name=value'),
    'batch-size': count(`holders in one request (1-${holdersPerRequest})`, 1, holdersPerRequest, { default: 25 }),
    ...asSourceIdFlag,
    ...typeOfFlag,
  },
  words,
  results: { id: 'id', customer_id: 'customer_id' },
  inputColumns: { of: newHolders.shape.holders.element },
  onDuplicate: 'fold-identical',
  async rows({ args, flags, run }) {
    const path = referralCode(args)
    const { keys, keyName, fallbackKeyName, bodyOf } = await newHoldersFrom(flags, run)
    const request = (rows: readonly Row[]) => ({ path, body: bodyOf(rows) })
    return {
      items: keys,
      ...(flags.from !== undefined && flags.column !== 'id' && { customers: 'key' as const }),
      words: { ...words, key: keyName, ...(fallbackKeyName && { fallbackKey: fallbackKeyName }) },
      endpoint: path.campaignId === undefined ? addHolders : addCampaignHolders,
      request: (row) => request([row]),
      // ASSUMED A803: the service answers with the holders in the order of the request, as its published sample does.
      act: {
        size: flags['batch-size'],
        request,
        values: ({ holders }) => holders,
        find: (client, rows) => foundHolders(client, path, bodyOf(rows).holders),
      },
    }
  },
})

/**
 * Returns the holder of each customer of a batch, in their order; undefined for one who does not hold the code, owns it, or
 * is named by two rows. Throws what reading throws.
 */
async function foundHolders(
  client: Client,
  { memberId, campaignId }: ReferralCodePath,
  customers: readonly { id?: string; source_id?: string }[],
): Promise<unknown[]> {
  const held = new Map<string, unknown>()
  const listed =
    campaignId === undefined
      ? client.items(listHolders, { path: { memberId } })
      : client.items(listCampaignHolders, { path: { memberId, campaignId } })
  for await (const holder of listed) {
    const { customer_id, holder_role = 'REFEREE' } = holder as { customer_id: string; holder_role?: string }
    if (holder_role === 'REFEREE') held.set(customer_id, holder)
  }
  const ids: (string | undefined)[] = []
  for (const customer of customers) ids.push(await idOf(client, customer))
  return ids.map((id, at) =>
    id === undefined || ids.indexOf(id) !== at || ids.lastIndexOf(id) !== at ? undefined : held.get(id),
  )
}

async function idOf(
  client: Client,
  { id, source_id }: { id?: string; source_id?: string },
): Promise<string | undefined> {
  const path = { customerId: id ?? source_id ?? '' }
  return (await client.call(getCustomer, { path }).catch(ofMissing))?.id ?? undefined
}
