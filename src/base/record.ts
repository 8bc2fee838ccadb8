// Objects whose members come from outside: `__proto__` and `toString` are ordinary names.

/** Returns whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns an own member; absent and null are both undefined. */
export function ownValue<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  name: string,
): NonNullable<Value> | undefined {
  return record && Object.hasOwn(record, name) ? (record[name] ?? undefined) : undefined
}

/** Returns the members that are not undefined. */
export function withoutUndefined<Fields extends object>(fields: Fields): Given<Fields, undefined> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

/** Returns the members that are neither null nor undefined. */
export function withoutNull<Fields extends object>(fields: Fields): Given<Fields, null | undefined> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as never
}

/** A member that may be one of `None` is optional, but never one of it. */
type Given<Fields, None> = {
  [Name in keyof Fields as [Extract<Fields[Name], None>] extends [never] ? Name : never]: Fields[Name]
} & {
  [Name in keyof Fields as [Extract<Fields[Name], None>] extends [never] ? never : Name]?: Exclude<Fields[Name], None>
}
