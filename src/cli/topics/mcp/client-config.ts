// What clients want in their settings file to start the server.

type Client = 'claude' | 'cursor' | 'vscode' | 'zed'

/** The member of the settings file under which each client keeps its servers. */
const memberOf: Record<Client, string> = {
  claude: 'mcpServers',
  cursor: 'mcpServers',
  vscode: 'servers',
  zed: 'context_servers',
}

/** Returns the settings that start the server with the profile of these flags. */
export function configFor(client: Client, { profile }: { profile?: string | undefined }): object {
  const args = ['mcp', ...(profile === undefined ? [] : ['--profile', profile])]
  const server = { ...(client === 'vscode' && { type: 'stdio' }), command: 'promo', args }
  return { [memberOf[client]]: { [profile === undefined ? 'promo' : `promo-${profile}`]: server } }
}
