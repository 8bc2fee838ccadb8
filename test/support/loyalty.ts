// A loyalty program for tests, with one card per code.
import { testSandbox } from './sandbox.ts'

const campaign = { type: 'STANDALONE', active: true, metadata: {} }

/** The program `camp_club`, whose name has a space and a slash, and a discount campaign. */
export const programs = [
  { ...campaign, id: 'camp_club', name: 'Bean Club / Gold', campaign_type: 'LOYALTY_PROGRAM' },
  { ...campaign, id: 'camp_other', name: 'Tea Club', campaign_type: 'LOYALTY_PROGRAM' },
  { ...campaign, id: 'camp_codes', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS' },
]

/** Who holds the cards of tests that are about no customer: one whom nobody stored. */
const holder_id = 'cust_gone'

/** A card of a program that starts empty and belongs to nobody yet. */
export function freeCard(code: string, campaign_id = 'camp_club') {
  return { ...emptyCard(code, campaign_id), holder_id: null }
}

/** A card of a program that starts empty, in somebody's hands. */
export function emptyCard(code: string, campaign_id = 'camp_club', more: Record<string, unknown> = {}) {
  return { id: `v_${code}`, code, campaign_id, type: 'LOYALTY_CARD', loyalty_card: { points: 0 }, holder_id, ...more }
}

/** A sandbox with the programs and an empty card for each code. */
export function clubWith(codes: readonly string[] = [], fixture: Record<string, unknown> = {}) {
  const sandbox = testSandbox({
    fixture: { campaigns: programs, vouchers: codes.map((code) => emptyCard(code)), ...fixture },
  })
  const give = (code: string, points: number, more: Record<string, unknown> = {}) =>
    sandbox.call('POST', `/v1/loyalties/members/${encodeURIComponent(code)}/balance`, { body: { points, ...more } })
  const card = (code: string) => sandbox.call('GET', `/v1/loyalties/members/${encodeURIComponent(code)}`).body
  return { ...sandbox, give, card }
}
