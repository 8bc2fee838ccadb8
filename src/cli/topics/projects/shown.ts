// How projects are shown.

/** A project without the signing secret of its webhooks, and for a new one its keys. */
export function withoutSecrets(row: object): object {
  const { webhook_token: _, server_side_key: __, client_side_key: ___, ...project } = row as Record<string, unknown>
  return project
}
