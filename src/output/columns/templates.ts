// The columns of campaign templates and of what is created from them. Source: docs/service/templates.md#fields.
import type { ColumnSet } from '../column.ts'

/** A campaign template. */
export const templateColumns: ColumnSet = {
  columns: [
    { name: 'id', kind: 'identifier', inTable: true },
    { name: 'name', kind: 'text', inTable: true },
    { name: 'campaign_type', kind: 'text', inTable: true },
    { name: 'description', kind: 'text', inTable: true },
    { name: 'created_at', kind: 'time', inTable: true },
    { name: 'updated_at', kind: 'time' },
    { name: 'object', kind: 'text' },
  ],
}

/** A campaign created from a template. */
export const campaignSetupColumns: ColumnSet = {
  columns: [
    { name: 'campaign.id', kind: 'identifier' },
    { name: 'campaign.name', kind: 'text' },
    { name: 'campaign.campaign_type', kind: 'text' },
    { name: 'campaign.active', kind: 'flag' },
    { name: 'campaign.vouchers_count', kind: 'number' },
    { name: 'created_resources', kind: 'text' },
    { name: 'object', kind: 'text' },
  ],
}

/** A promotion tier created from a template. */
export const tierSetupColumns: ColumnSet = {
  columns: [
    { name: 'promotion_tier.id', kind: 'identifier' },
    { name: 'promotion_tier.name', kind: 'text' },
    { name: 'promotion_tier.active', kind: 'flag' },
    { name: 'created_resources', kind: 'text' },
    { name: 'object', kind: 'text' },
  ],
}
