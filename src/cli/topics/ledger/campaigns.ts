// Campaigns as the flags of the ledger name them, and as its results do.
import { readJson } from '../../../base/nesting.ts'
import { isRecord } from '../../../base/record.ts'
import { usageError } from '../../../errors.ts'
import type { Copy } from '../../../ledger/copy.ts'
import type { Card } from '../../../ledger/movements.ts'

interface CopiedCampaign {
  id: string
  name: string | null
  metadata: string | null
}

/** The campaigns of a copy. */
export interface CopiedCampaigns {
  nameOf: (id: string | null) => string | null
  /** Returns the id of a campaign by id or name. Throws `usage` for one that the copy has not. */
  idOf: (named: string) => string
  metadataOf: (id: string | null) => unknown
}

/** Reads the campaigns of a copy. */
export function campaignsIn(copy: Copy): CopiedCampaigns {
  const all = copy.all<CopiedCampaign>('SELECT id, name, metadata FROM campaigns')
  const byId = new Map(all.map((campaign) => [campaign.id, campaign]))
  return {
    nameOf: (id) => byId.get(id ?? '')?.name ?? null,
    idOf(named) {
      const found = byId.get(named) ?? all.find(({ name }) => name === named)
      if (found === undefined)
        throw usageError(
          `the copy has no campaign "${named}"`,
          "promo ledger query 'select id, name from campaigns order by name'",
        )
      return found.id
    },
    metadataOf: (id) => parsed(byId.get(id ?? '')?.metadata),
  }
}

/**
 * Returns whether the credit that a card was created with was sold: what `--sold` says, each a campaign, `metadata.key=value` of the
 * card or else of its campaign, or `all`. Throws `usage`.
 */
export function soldBy(said: readonly string[], campaigns: CopiedCampaigns): (card: Card) => boolean {
  const rules = said.map((text): ((card: Card) => boolean) => {
    if (text === 'all') return () => true
    const [, key, value] = /^metadata\.([^=]+)=(.*)$/s.exec(text) ?? []
    if (key === undefined) {
      const id = campaigns.idOf(text)
      return ({ campaignId }) => campaignId === id
    }
    const valueIn = (metadata: unknown) =>
      isRecord(metadata) && Object.hasOwn(metadata, key) ? metadata[key] : undefined
    return ({ metadata, campaignId }) => {
      const own = valueIn(parsed(metadata)) ?? valueIn(campaigns.metadataOf(campaignId))
      return own !== undefined && own !== null && (typeof own === 'string' ? own : JSON.stringify(own)) === value
    }
  })
  return (card) => rules.some((rule) => rule(card))
}

function parsed(json: string | null | undefined): unknown {
  return json === null || json === undefined ? undefined : readJson(json)
}
