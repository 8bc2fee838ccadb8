// What is shown of a token: everything but the token. Source: docs/reliability.md#secrets-hygiene.

/** Returns an answer about a token without the token. */
export function withoutToken<Answer extends { access_token?: unknown }>({
  access_token: _hidden,
  ...shown
}: Answer): Omit<Answer, 'access_token'> {
  return shown
}
