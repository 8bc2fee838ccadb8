// The columns of `whoami` and `profiles show`: each value and its source.
import { columnSet } from '../columns-of.ts'

/** One row per setting; a secret is shown only as `set` or `not set`. */
export const settingColumns = columnSet({ closed: true, columns: 'setting:identifier value:identifier source:text' })
