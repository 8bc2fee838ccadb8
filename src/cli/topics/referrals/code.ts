// A referral code on the command line: alone, or after the campaign it must belong to.

import { argument, optionalArgument } from '../../flags/kinds.ts'
/** The arguments `[CAMPAIGN] MEMBER`; the first word is the campaign only when a second follows. */
export const referralCodeArgs = {
  'campaign-or-member': argument('a referral code or its id; or the id of its campaign, followed by the code'),
  member: optionalArgument('the referral code, if its campaign comes first'),
}

/** A referral code, and the campaign it must belong to. */
export interface ReferralCodePath {
  memberId: string
  campaignId?: string
}

/** Reads `[CAMPAIGN] MEMBER`. */
export function referralCode(args: { 'campaign-or-member': string; member: string | undefined }): ReferralCodePath {
  const { 'campaign-or-member': first, member } = args
  return member === undefined ? { memberId: first } : { campaignId: first, memberId: member }
}
