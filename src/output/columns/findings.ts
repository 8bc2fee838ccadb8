// What `promo check` finds.
import { columnSet } from '../columns-of.ts'

/** One row per finding. */
export const findingColumns = columnSet({
  closed: true,
  columns:
    'severity:state! rule:identifier! object:address! message:reason! fix:text- file:identifier- line:number- docs:identifier-',
})

/** One row per basket that discounts reach together. */
export const basketColumns = columnSet({
  closed: true,
  columns: 'share:number! amount:number* discount:number* message:reason! command:reason-',
})
