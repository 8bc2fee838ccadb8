import type { Client } from '../../../api/client.ts'
import { CallError } from '../../../api/outcome/call-error.ts'
import { listCommand } from '../../../cli/declared.ts'
import { namingFlag, textFlag } from '../../../cli/flags/kinds.ts'
import { orderFlag } from '../../../cli/flags/order.ts'
import { namedRule, namedTarget } from '../../../cli/result/named.ts'
import { assignmentLooks, toldAssignment } from '../../../cli/topics/rules/assignments.ts'
import { getCampaign } from '../../../contract/campaigns.ts'
import { listAssignments } from '../../../contract/validation-rules.ts'
import { getVoucher } from '../../../contract/vouchers.ts'
import { assignmentColumns } from '../../../output/columns/resources/rules.ts'

export default listCommand('List what validation rules are assigned to', {
  examples: [
    'promo rules assignments list --profile sandbox',
    'promo rules assignments list --rule val_19b8d627a800000001 --json --profile sandbox',
  ],
  endpoint: listAssignments,
  looks: assignmentLooks,
  named: { rule: namedRule, object: namedTarget },
  columns: assignmentColumns,
  told: toldAssignment,
  noun: 'assignments',
  flags: {
    rule: namingFlag('rule', 'only of this validation rule, by id or name'),
    object: textFlag('only of this campaign (id or name), tier (id) or voucher (id or code)', 'ID'),
    ...orderFlag(listAssignments),
  },
  request: async ({ flags: { rule, object, order } }, client) => ({
    query: { rule, related_object_id: object && (await idOfTarget(client, object)), order },
  }),
})

/** The service filters by ids alone; people know codes and names. */
async function idOfTarget(client: Client, text: string): Promise<string> {
  if (/^[a-z]+_/.test(text)) return text
  try {
    return (await client.call(getVoucher, { path: { code: text } }, { mayBeRefused: true })).id
  } catch (error) {
    if (!(error instanceof CallError && error.status === 404)) throw error
    return (await client.call(getCampaign, { path: { campaignId: text } })).id
  }
}
