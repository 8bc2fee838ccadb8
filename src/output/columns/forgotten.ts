// The columns of what is left of a customer who was forgotten.
import { columnSet } from '../columns-of.ts'

/** One row per kind of thing that may name the customer; `ids` are those of what is left. */
export const forgottenColumns = columnSet({
  closed: true,
  also: ['ids'],
  columns: 'what:text* before:number* left:number* why:reason!',
})

/** The same after an erasure: how many rows of the copy were changed, and what the service still has. */
export const forgottenHereColumns = columnSet({
  closed: true,
  also: ['ids'],
  columns: 'what:text* removed:number left:number* why:reason!',
})
