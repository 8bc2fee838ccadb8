// The columns of validation rules, segments and metadata schemas: what decides for whom and for what something applies. Source: docs/service/validation-rules.md#fields; docs/service/customers.md#segments; docs/service/projects.md#metadata-schemas.
import { segment } from '../../../contract/answers/customers.ts'
import { metadataSchema } from '../../../contract/answers/projects.ts'
import { assignment, validationRule } from '../../../contract/answers/rules.ts'
import { columnsOf } from '../../columns-of.ts'

/** A validation rule; its conditions are one line. */
export const ruleColumns = columnsOf(validationRule, {
  first: 'id* name* conditions:reason*? error.message=error:reason*',
})

/** A segment of customers; its filter is one cell of JSON. */
export const segmentColumns = columnsOf(segment, { first: 'id* name* type* filter* created_at*' })

/** A metadata schema; its properties are one cell of JSON. */
export const metadataSchemaColumns = columnsOf(metadataSchema, {
  first: 'id related_object* allow_defined_only* properties*',
})

/** The assignment of a rule to something; `rule` and `restricts` are the names of both, which promo looks up. */
export const assignmentColumns = columnsOf(assignment, {
  first: 'id* rule:reason*? restricts:reason*? rule_id related_object_type related_object_id created_at*',
})
