// GET /openapi.json: what is served, for clients that make themselves. Not a call of the service.
import { z } from 'zod'
import { endpoint } from '../../contract/endpoint.ts'
import { type Json, openApiOf } from './openapi.ts'
import { ok, type Route, route } from './route.ts'

const openApi = endpoint({
  id: 'sandbox.openapi',
  method: 'GET',
  path: '/openapi.json',
  response: z.looseObject({}),
  repeat: 'read',
  source: 'the sandbox alone',
  summary: 'Get the OpenAPI document of what is served',
})

/** The route that describes the others; asks for no credentials. The document is made when it is first asked for. */
export function openApiRoute(routes: readonly Route[]): Route {
  let document: Json | undefined
  return {
    ...route(openApi, () => {
      document ??= openApiOf(routes)
      return ok(document)
    }),
    isOpen: true,
  }
}
