// Who referred whom: from a code to its friends, to the codes of these friends, and so on.

import type { Client } from '../../../api/client.ts'
import { argumentWords } from '../../../base/shell-word.ts'
import { listCustomerRedeemables } from '../../../contract/customers.ts'
import { listHolders } from '../../../contract/referrals.ts'
import { PromoError } from '../../../errors.ts'
import type { RowsFirst } from '../../../output/warn-after-rows.ts'
import { oneCustomer } from '../../request/customers/one.ts'
import { tryRead } from '../../result/try-read.ts'
import { namesOf, type Person } from '../customers/names.ts'

/** One customer in the tree. */
export interface Branch {
  /** 0 for the owner of the first code, 1 for their friends. */
  depth: number
  /** The code the customer owns at depth 0, or through which they came. */
  code: string
  /** Null where the service names none. */
  customer_id: string | null
  source_id?: string | null | undefined
  name?: string | null | undefined
  email?: unknown
  /** The customer whose code it is; null for the first. */
  referrer_id: string | null
  role?: unknown
  created_at?: unknown
  /** Whether the customer is already further up: their codes are not followed again. */
  again: boolean
}

/** The tree, each customer before those whom they referred. */
export interface Tree {
  branches: Branch[]
  /** Whether customers were left out, because of `most` or the depth. */
  cut: 'most' | 'depth' | undefined
  /** Why names, or the codes of friends, are not known. */
  problems: string[]
}

interface Holder {
  customer_id?: string | null
  holder_role?: unknown
  created_at?: unknown
}

/**
 * Reads the tree below a code, depth first, at most `depth` levels and `most` customers.
 *
 * A customer who occurs again, as in a cycle, is shown and not followed. Where the key may not read customers, the tree ends
 * with the friends of the first code. Throws what reading the first code throws.
 */
async function treeOf(
  client: Client,
  code: string,
  limits: { depth: number; most: number },
  lists: RowsFirst,
): Promise<Tree> {
  const branches: Branch[] = []
  const seenCodes = new Set<string>()
  const seen = new Set<string>()
  const problems = new Set<string>()
  let cut: Tree['cut']

  async function holdersOf(member: string, limit = limits.most + 1): Promise<Holder[]> {
    const holders: Holder[] = []
    const query = { order: 'id' as const }
    for await (const item of lists.of(client.items(listHolders, { path: { memberId: member }, query }, { limit }))) {
      holders.push(item as unknown as Holder)
    }
    return holders
  }

  function add(branch: Omit<Branch, 'again'>): boolean {
    if (branches.length >= limits.most) {
      cut = 'most'
      return false
    }
    const again = branch.customer_id !== null && seen.has(branch.customer_id)
    if (branch.customer_id !== null) seen.add(branch.customer_id)
    else problems.add(`a holder of ${branch.code} names no customer, so their friends are not known`)
    branches.push({ ...branch, again })
    return !again
  }

  async function follow(member: string, depth: number): Promise<void> {
    if (seenCodes.has(member) || cut === 'most') return
    seenCodes.add(member)
    const holders = await holdersOf(member)
    const owner = holders.find(isOwner)
    if (depth === 0 && owner !== undefined) add(branchOf(owner, { depth, code: member, referrer_id: null }))
    for (const friend of holders.filter((holder) => !isOwner(holder))) {
      const place = { depth: depth + 1, code: member, referrer_id: owner?.customer_id ?? null }
      const { customer_id: followed } = friend
      if (!add(branchOf(friend, place)) || followed == null) continue
      for (const next of await codesOf(followed)) {
        if (depth + 1 < limits.depth) await follow(next, depth + 1)
        else if ((await holdersOf(next, 2)).some((holder) => !isOwner(holder))) cut ??= 'depth'
      }
    }
  }

  /** The referral codes of a customer; none where the key may not read them. */
  async function codesOf(customerId: string): Promise<string[]> {
    const read = () => ownCodes(client, customerId, lists)
    const codes = await tryRead(read, ({ status, message }) => {
      // A customer who was deleted holds nothing.
      if (status !== 404) problems.add(`the codes of friends are not shown: ${message}`)
    })
    return codes ?? []
  }

  await follow(code, 0)
  const { people, why } = await namesOf(
    client,
    branches.flatMap(({ customer_id }) => customer_id ?? []),
  )
  if (why !== undefined) problems.add(`names are not shown: ${why}`)
  return { branches: branches.map((branch) => nameBranch(branch, people)), cut, problems: [...problems] }
}

/**
 * Reads the trees below what a text names: a referral code, or else a customer with all their codes.
 *
 * Throws `api` (exit 3) when it is neither, means several customers, or is one without a code.
 */
export async function treesOf(
  client: Client,
  text: string,
  limits: { depth: number; most: number },
  lists: RowsFirst,
  warn: (line: string) => void,
): Promise<Tree> {
  const ofCode = await tryRead(
    () => treeOf(client, text, limits, lists),
    (refusal) => {
      if (refusal.status !== 404) throw refusal
    },
  )
  if (ofCode !== undefined) return ofCode
  const { id } = await oneCustomer(client, text, warn)
  const codes = await ownCodes(client, id, lists)
  if (codes.length === 0) {
    throw new PromoError('api', `the customer ${JSON.stringify(text)} has no referral code`, {
      hint: `promo customers show ${argumentWords(id)}`,
    })
  }
  const all: Tree = { branches: [], cut: undefined, problems: [] }
  for (const code of codes) {
    const most = limits.most - all.branches.length
    if (most <= 0) return { ...all, cut: 'most' }
    const { branches, cut, problems } = await treeOf(client, code, { ...limits, most }, lists)
    all.branches.push(...branches)
    all.cut ??= cut
    all.problems.push(...problems)
  }
  return all
}

/** The referral codes that a customer may give to friends. */
async function ownCodes(client: Client, customerId: string, lists: RowsFirst): Promise<string[]> {
  const codes: string[] = []
  const all = client.items(listCustomerRedeemables, { path: { customerId } }, { limit: 200 })
  for await (const held of lists.of(all)) {
    const { holder_role, redeemable_id, redeemable } = held as {
      holder_role?: unknown
      redeemable_id: string
      redeemable?: { voucher?: { code?: string } }
    }
    if (holder_role === 'REFERRER') codes.push(redeemable?.voucher?.code ?? redeemable_id)
  }
  return codes
}

function isOwner({ holder_role }: Holder): boolean {
  return holder_role === 'REFERRER' || holder_role === 'OWNER'
}

function branchOf(
  { customer_id, holder_role, created_at }: Holder,
  place: Pick<Branch, 'depth' | 'code' | 'referrer_id'>,
): Omit<Branch, 'again'> {
  return { ...place, customer_id: customer_id ?? null, role: holder_role, created_at }
}

function nameBranch(branch: Branch, people: ReadonlyMap<string, Person>): Branch {
  const { source_id, name, email } = people.get(branch.customer_id ?? '') ?? {}
  return { ...branch, source_id, name, email }
}
