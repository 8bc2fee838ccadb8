// Checks wire objects of a fixture before they become documents. Answers contain null where requests omit a member.
import type { z } from 'zod'
import { isInstant } from '../../contract/fields.ts'
import type { Declaration, Stored } from '../storage/collection.ts'
import { checkWire } from './check-input.ts'
import { invalidPayload } from './refusal.ts'
import type { FixtureContext } from './route.ts'

/** Checks the members of a wire object that a request may have, without nulls. Throws 400 `invalid_payload`. */
export function requestOf<Request extends z.ZodObject>(
  request: Request,
  wire: Record<string, unknown>,
): z.output<Request> {
  const given = Object.entries(wire).filter(([name, value]) => value !== null && Object.hasOwn(request.shape, name))
  return checkWire(request, Object.fromEntries(given))
}

/** Reads the fields of every stored object, and creates missing ones. Throws 400 `invalid_payload`. */
export function identityOf(
  declared: Declaration,
  wire: Record<string, unknown>,
  loading: FixtureContext,
): Required<Stored> {
  const { id } = wire
  if (id != null && (typeof id !== 'string' || id === ''))
    throw invalidPayload('Property .id must be a string with at least one character')
  return {
    id: id == null ? loading.id(declared.prefix) : (id as string),
    created_at: instantOf(wire, 'created_at') ?? loading.now,
    updated_at: instantOf(wire, 'updated_at'),
  }
}

function instantOf(wire: Record<string, unknown>, name: string): string | null {
  const value = wire[name]
  if (value == null) return null
  if (typeof value !== 'string' || !isInstant(value))
    throw invalidPayload(`Property .${name} cannot be recognized as a ISO-8601 compliant date`)
  return new Date(value).toISOString()
}
