// A customer as requests carry one. Source: docs/service/customers.md#fields.
import { z } from 'zod'
import { calendarDay, metadata } from './fields.ts'

const text = z.string().nullish()

const address = z.strictObject({
  city: text,
  state: text,
  line_1: text,
  line_2: text,
  country: text,
  postal_code: text,
})

const members = {
  id: z.string().min(1).nullish(),
  source_id: z.string().min(1).nullish(),
  name: text,
  description: text,
  email: text,
  phone: text,
  birthday: text,
  // ASSUMED A1506: refused unless it is a day that exists; an instant is taken too, as files of imports may have it.
  birthdate: calendarDay.nullish(),
  address: address.nullish(),
  country: text,
  metadata: metadata.nullish(),
  object: z.literal('customer').optional(),
}

/** The customer of a request; all members are optional, and `id` takes precedence when both ids are sent. */
export const customer = z.strictObject(members)

/** A customer that can be identified: with `id`, `source_id` or both. */
export const identifiedCustomer = customer.refine(({ id, source_id }) => (id ?? source_id ?? '') !== '', {
  error: 'must have an "id" or a "source_id"',
})

/** A customer, or only the text of its id or source id. */
export const customerReference = z.union([z.string().min(1), customer])
