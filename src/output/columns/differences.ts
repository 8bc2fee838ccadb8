// What `promo ledger reconcile` finds.
import { columnSet } from '../columns-of.ts'

/** One row per difference. */
export const differenceColumns = columnSet({
  closed: true,
  columns:
    'kind:state! order:identifier! code:identifier* money:number* points:number* days_left:number* message:reason! do:text- decided:flag- fix:state- redemption:identifier- id:identifier- shop:text- service:text-',
})
