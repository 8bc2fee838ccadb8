import type { Endpoint } from '../../contract/endpoint.ts'

/** How each encoding of the contract is named on the wire. Source: docs/service/addresses.md#request-headers. */
export const mediaTypes: Record<Endpoint['encoding'], string> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
}
