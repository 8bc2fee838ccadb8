// The order of the rows of a list. Apart from kinds.ts, which every start of a command loads.
import { Flags, type Interfaces } from '@oclif/core'
import type { z } from 'zod'
import type { Endpoint, QueryOf } from '../../contract/endpoint.ts'

/** The flag `--order` with the orders that a list has; none for a list without. */
export function orderFlag<E extends Endpoint>({ query }: E) {
  const order = (query as z.ZodObject<{ order?: z.ZodOptional<z.ZodEnum> }> | undefined)?.shape.order
  const options = order?.unwrap().options as readonly string[]
  const description = 'the order of the rows; a leading - means descending'
  return (order === undefined ? {} : { order: Flags.option({ description, options })() }) as {
    order: Interfaces.OptionFlag<OrderOf<E> | undefined>
  }
}

type OrderOf<E extends Endpoint> = QueryOf<E> extends { order?: infer Order } ? Order : never
