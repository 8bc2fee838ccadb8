// Published calls that the embedded service does not serve, and withdrawn ones that older clients still make: refused under
// their own path, and listed in docs/sandbox.md. A call that becomes served leaves this list.
import type { Endpoint } from './endpoint.ts'

/** A call that is not served. */
export interface UnservedCall {
  method: Endpoint['method']
  path: string
  /** What is in the way, or which call to use instead. */
  why: string
}

/** A method and a path, such as `POST /v1/vouchers`. */
type Call = `${Endpoint['method']} /${string}`

const refused: Readonly<Record<string, readonly Call[]>> = {
  'withdrawn: the service has no consents since September 2024': [
    'GET /v1/consents',
    'PUT /v1/customers/{customerId}/consents',
    'GET /client/v1/consents',
    'PUT /client/v1/customers/{customerId}/consents',
  ],
  'withdrawn: disable or enable each code with POST /v1/vouchers/{code}/disable or /enable': [
    'POST /v1/vouchers/disable',
    'POST /v1/vouchers/enable',
  ],
  'it is for integrations with keys of their own': ['GET /v1/publications/create'],
  'a project has no users': [
    'GET /management/v1/projects/{projectId}/users',
    'POST /management/v1/projects/{projectId}/users',
  ],
  'pages and mails are not sent': [
    'GET /management/v1/projects/{projectId}/branding',
    'POST /management/v1/projects/{projectId}/branding',
  ],
}

/** Every published or withdrawn call that is not served. */
export const unservedCalls: readonly UnservedCall[] = Object.entries(refused).flatMap(([why, calls]) =>
  calls.map((call) => {
    const [method = '', path = ''] = call.split(' ')
    return { method: method as Endpoint['method'], path, why }
  }),
)
