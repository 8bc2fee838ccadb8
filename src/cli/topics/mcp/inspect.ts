// What the tools cost an assistant, which reads their definitions with every request.

/** Characters of a definition in a token of an assistant, on average. */
const charactersPerToken = 4

/** Returns a row for each tool, and one for all of them. */
export function inspectTools(definitions: readonly { name: string; description: string }[]): object[] {
  const rows = definitions.map((definition) => ({
    tool: definition.name,
    tokens: Math.ceil(JSON.stringify(definition).length / charactersPerToken),
    description: definition.description,
  }))
  return [...rows, { tool: 'total', tokens: rows.reduce((sum, { tokens }) => sum + tokens, 0), description: '' }]
}
