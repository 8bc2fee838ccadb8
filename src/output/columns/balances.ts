// The columns of what is on cards, and of what changed it. Credits are in the smallest currency unit.
import { columnSet } from '../columns-of.ts'

/** Cards at an instant; the last columns say where a card does not add up. */
export const cardBalanceColumns = columnSet({
  closed: true,
  columns: `
    code:identifier! campaign* campaign_id:identifier unit* balance:number! owed:number* state:state* moved_at:time*
    card_id:identifier breaks_at:identifier broke_at:time expected:number found:number
  `,
})

/** The same, added up by campaign and unit. */
export const balanceSumColumns = columnSet({
  closed: true,
  columns:
    'campaign! campaign_id:identifier- unit! cards:number* balance:number! owed:number! expired:number* switched_off:number*',
})

/** The roll-forward: opening and all lines to `unknown` make closing; sold and given are parts of issued. */
export const rollForwardColumns = columnSet({
  closed: true,
  columns: `
    campaign! campaign_id:identifier- unit! from:time- to:time- opening:number! issued:number earned:number added:number
    redeemed:number rolled_back:number expired:number removed:number transferred:number switched_off:number
    unknown:number closing:number! sold:number given:number cards:number breakage:number expected_use:number
    closing_value:number
  `,
})

/** What `ledger export` wrote of each table. */
export const exportedFileColumns = columnSet({ closed: true, columns: 'table! files:number! rows:number!' })
