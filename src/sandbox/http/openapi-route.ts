// Serves the document that describes all other calls.
import { z } from 'zod'
import { endpoint } from '../../contract/endpoint.ts'
import { Answer, type Route, route } from './route.ts'

const openApi = endpoint('sandbox.openapi', 'Get the OpenAPI document of the served calls', {
  call: 'GET /openapi.json',
  response: z.looseObject({}),
  source: 'the sandbox alone',
})

/**
 * Returns the route that describes the others; it needs no credentials.
 *
 * The document is built on the first request: until then the complete forms of the answers are not loaded.
 */
export function openApiRoute(routes: readonly Route[]): Route {
  let text: string | undefined
  const document = async function* () {
    const { openApiOf } = await import('./openapi.ts')
    text ??= JSON.stringify(openApiOf(routes))
    yield text
  }
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  return { ...route(openApi, () => new Answer(200, document(), { ...headers })), isOpen: true }
}
