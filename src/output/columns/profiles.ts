// The columns of stored profiles. None of them is a secret.
import { columnSet } from '../columns-of.ts'

/** Settings of a profile; a table leaves out those that few profiles have. */
export const profileColumns = columnSet({
  closed: true,
  columns: `
    name:identifier* current:flag* region:text* base_url:identifier origin:identifier* project_id:identifier*
    protected:flag* read_only:flag api_version:text timezone:text rate:text secrets_in:text*
  `,
})
