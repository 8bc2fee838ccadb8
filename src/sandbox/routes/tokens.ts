// Bearer tokens: created from a key pair, introspected, revoked, and checked.
// Source: docs/service/authentication.md#create-a-token; docs/service/authentication.md#introspect-a-token; docs/service/authentication.md#bearer-tokens.
import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Endpoint } from '../../contract/endpoint.ts'
import * as contract from '../../contract/oauth.ts'
import { covers } from '../../contract/scopes.ts'
import type { BearerCheck } from '../http/auth.ts'
import { forbidden, refused, refusedAs } from '../http/refusal.ts'
import { Answer, type Context, noContent, type Resource, type Route, route } from '../http/route.ts'
import { tokensOf } from '../storage/tokens.ts'
import { installation, projects } from '../stores/projects.ts'

const lifetimeSeconds = 900
const tokensLimit = 1000

// The service answers these calls with keys of their own instead of invalid_payload, so the form is read here.
const form = z.looseObject({
  grant_type: z.string().optional(),
  scope: z.string().optional(),
  access_token: z.string().optional(),
})

/** Finds the project of a token, and refuses what its scopes do not cover. */
const bearer: BearerCheck = (token, endpoint, store, now) => {
  const found = tokensOf(store.db).find(token, secondsOf(now))
  const project = found && store.in(projects, installation).get(found.project_id)
  // ASSUMED A135: a call outside the scopes of its token is 403 forbidden; its key is not published.
  if (project && !covers(found.scope, endpoint.path))
    throw forbidden(`The token has the scope "${found.scope}", which does not cover ${endpoint.path}`)
  return project
}

/** The token calls, and what bearer tokens may do. */
export const oauthResource: Resource = {
  bearer,
  routes: [
    formRoute(contract.createToken, (body, context) => {
      if (body.grant_type !== 'client_credentials') throw refused('invalid_grant_type')
      const scope = body.scope ?? ''
      if (!contract.scopeText.safeParse(scope).success) throw refusedAs('invalid_scope', `Invalid scope: ${scope}`)
      return newToken(scope, context)
    }),
    formRoute(contract.introspectToken, (body, context) => {
      const access_token = tokenOf(body)
      const now = secondsOf(context.now)
      const token = tokensOf(context.store.db).find(access_token, now)
      // ASSUMED A136: a token of another project counts as unknown.
      if (token?.project_id !== context.project.id) return { active: false }
      const { client_id, expires_at, scope } = token
      const expires_in = expires_at - now
      return { active: true, access_token, client_id, expires_at, expires_in, scope, token_type: 'Bearer' }
    }),
    formRoute(contract.revokeToken, (body, context) => {
      const isEnded = tokensOf(context.store.db).revoke(tokenOf(body), context.project.id, secondsOf(context.now))
      return isEnded ? noContent() : new Answer(404, undefined)
    }),
  ],
}

type Form = z.output<typeof form>

function formRoute(endpoint: Endpoint, answer: (body: Form, context: Context) => object): Route {
  return { ...route(endpoint, ({ body }, context) => answer(body as Form, context)), accepts: form }
}

function newToken(scope: string, { project, store, now }: Context) {
  const tokens = tokensOf(store.db)
  const issued = secondsOf(now)
  // ASSUMED A137: the thousand-and-first token of a project is refused; the error is not published.
  if (tokens.count(project.id, issued) >= tokensLimit)
    throw forbidden(`A project cannot have more than ${tokensLimit} active tokens`)
  const access_token = alphanumeric(randomBytes(96)).slice(0, 50)
  // ASSUMED A138: the client id is the same for every token of a key pair.
  const client_id = alphanumeric(createHash('sha256').update(project.app_id).digest()).slice(0, 21)
  const expires_at = issued + lifetimeSeconds
  tokens.add(access_token, { project_id: project.id, client_id, scope, expires_at })
  return { access_token, client_id, expires_at, expires_in: lifetimeSeconds, scope, token_type: 'Bearer' }
}

function tokenOf(body: Form): string {
  if (!body.access_token) throw refused('missing_parameters')
  return body.access_token
}

function alphanumeric(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll(/[^A-Za-z0-9]/g, '')
}

function secondsOf(now: string): number {
  return Math.floor(Date.parse(now) / 1000)
}
