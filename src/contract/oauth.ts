// Bearer tokens created from a key pair. The answers of the first two calls are secrets.
// Source: docs/service/authentication.md#create-a-token; docs/service/authentication.md#introspect-a-token.
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { emptyAnswer } from './fields.ts'
import { scopes } from './scopes.ts'

/** Scopes in one text, separated by single spaces. */
export const scopeText = z
  .string()
  .min(1)
  .superRefine((text, context) => {
    if (text.includes(',')) context.addIssue({ code: 'custom', message: 'must separate scopes by spaces, not commas' })
    else {
      const unknown = text.split(' ').find((word) => !(scopes as readonly string[]).includes(word))
      if (unknown !== undefined)
        context.addIssue({ code: 'custom', message: `must name known scopes; "${unknown}" is unknown` })
    }
  })
  // The service refuses these two under their own keys, not `invalid_payload` (docs/service/errors.md#catalogue-of-keys).
  .meta({ refused_as: 'invalid_scope' })

/** A token. `expires_at` is Unix time in seconds, `expires_in` counts seconds. */
export const token = z.looseObject({
  access_token: z.string().min(1),
  client_id: z.string().optional(),
  expires_at: z.int(),
  expires_in: z.int(),
  scope: z.string(),
  token_type: z.string(),
})

/** What is known about a token; for an unknown, expired or revoked one only `active: false`. */
export const introspection = z.looseObject({
  active: z.boolean(),
  access_token: z.string().optional(),
  client_id: z.string().optional(),
  expires_at: z.int().optional(),
  expires_in: z.int().optional(),
  scope: z.string().optional(),
  token_type: z.string().optional(),
})

/** What the calls about tokens have in common: the pair of the key itself, and a form. */
const asForm = { credential: 'application-pair', encoding: 'form' } as const

const tokenForm = z.strictObject({ access_token: z.string().min(1).meta({ refused_as: 'missing_parameters' }) })

/** Creates a token with some of the key's rights. It is valid for 900 seconds. */
export const createToken = endpoint('oauth.token', 'Generate a token', {
  call: 'POST /v1/oauth/token',
  ...asForm,
  body: z.strictObject({
    grant_type: z.literal('client_credentials').meta({ refused_as: 'invalid_grant_type' }),
    scope: scopeText,
  }),
  response: token,
  repeat: 'duplicate',
  unproved: 'one more token does no harm',
  source: 'docs/service/authentication.md#create-a-token',
})

/** Says whether a token is valid, and for what. */
export const introspectToken = endpoint('oauth.introspect', 'Introspect a token', {
  call: 'POST /v1/oauth/introspect',
  ...asForm,
  body: tokenForm,
  response: introspection,
  repeat: 'read',
  source: 'docs/service/authentication.md#introspect-a-token',
})

/** Revokes a token before it expires. Refused with 404, and no body, when it is unknown, expired or revoked. */
export const revokeToken = endpoint('oauth.revoke', 'Revoke a token', {
  call: 'POST /v1/oauth/token/revoke',
  ...asForm,
  body: tokenForm,
  response: emptyAnswer,
  repeat: 'idempotent',
  source: 'docs/service/authentication.md#revoke-a-token',
})
