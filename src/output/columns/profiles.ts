// The columns of stored profiles, and of `whoami`. None of them is a secret.
import { columnSet } from '../columns-of.ts'

/** Settings of a profile; a table leaves out those that few profiles have. */
export const profileColumns = columnSet({
  closed: true,
  columns: `
    name:identifier* current:flag* region:text* base_url:identifier origin:identifier* project_id:identifier*
    protected:flag* read_only:flag api_version:text timezone:text rate:text secrets_in:text*
  `,
})

/** One row per setting; a secret is shown only as `set` or `not set`. */
export const settingColumns = columnSet({ closed: true, columns: 'setting:identifier value:identifier source:text' })
