// What is not set is absent from most answers, where a document stores null.
import { validityFields } from '../rules/eligibility/validity.ts'

/** The members of campaigns and tiers that are absent while they are not set. */
export const absentWhileUnset = [...validityFields, 'category', 'updated_at'] as const

/** Returns an object without those of the named members that are null or an object without members. */
export function withoutUnset<Doc extends object, Name extends keyof Doc>(
  doc: Doc,
  names: readonly Name[],
): Omit<Doc, Name> & Partial<Pick<Doc, Name>> {
  const optional: readonly PropertyKey[] = names
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(doc)) if (!optional.includes(name) || isSet(value)) kept[name] = value
  return kept as Omit<Doc, Name> & Partial<Pick<Doc, Name>>
}

function isSet(value: unknown): boolean {
  if (value === null || value === undefined) return false
  return typeof value !== 'object' || Array.isArray(value) || Object.keys(value).length > 0
}
