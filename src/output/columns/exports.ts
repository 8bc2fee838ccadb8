// The columns of an export. Source: docs/service/exports.md#fields.
import { exportForm } from '../../contract/answers/projects.ts'
import { columnsOf } from '../columns-of.ts'

/** What is exported, its progress, and its parameters. The address of the file is a secret and is not a column. */
export const exportColumns = columnsOf(exportForm, {
  first: 'id* status:state* exported_object* created_at* channel* parameters.order=order*',
  secret: ['result'],
  also: ['result'],
})
