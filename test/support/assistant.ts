// An assistant: the official client over the pipes of `promo mcp`, which runs as a process of its own.
import { Client, type ElicitRequest, type ElicitResult } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { bin, environmentIn } from './child.ts'

/** What the person at the assistant answers; absent: the client cannot ask. */
export type Person = (asked: ElicitRequest['params']) => ElicitResult | Promise<ElicitResult>

export interface AssistantOptions {
  env?: Record<string, string>
  person?: Person
  /** Speaks the revision of the protocol in which a question is a result, and no request of the server. */
  isModern?: boolean
}

/** The result of a tool, as this project makes it. */
export interface Answered {
  isError: boolean
  text: string
  content: Record<string, unknown>
  /** How far it was said to be, meanwhile. */
  told: unknown[]
}

/** Starts the server with its settings and state below `folder`, and connects to it. */
export async function assistant(
  argv: string[],
  folder: string,
  { env = {}, person, isModern = false }: AssistantOptions = {},
) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'mcp', ...argv],
    env: { ...(environmentIn(folder) as Record<string, string>), ...env },
    stderr: 'pipe',
  })
  const client = new Client(
    { name: 'Desk 7', version: '1.2' },
    {
      capabilities: person ? { elicitation: {} } : {},
      ...(isModern && { versionNegotiation: { mode: 'auto' } }),
    },
  )
  if (person) client.setRequestHandler('elicitation/create', async ({ params }) => await person(params))
  let stderr = ''
  transport.stderr?.on('data', (piece) => {
    stderr += piece
  })
  await client.connect(transport)
  // The client forgets who asked as soon as it reads an answer, and then drops what was told just before it in the same piece.
  const told: unknown[] = []
  const { onmessage } = transport
  transport.onmessage = (message) => {
    if ('method' in message && message.method === 'notifications/progress') told.push(message.params)
    onmessage?.(message)
  }
  // The client checks structured content against the schemas of the tools that it knows.
  const { tools } = await client.listTools()
  return {
    client,
    tools,
    pid: transport.pid as number,
    stderr: () => stderr,
    async call(
      name: string,
      given: Record<string, unknown> = {},
      options: { signal?: AbortSignal } = {},
    ): Promise<Answered> {
      told.length = 0
      const result = await client.callTool({ name, arguments: given }, { ...options, onprogress() {} })
      const [first] = result.content as { type: string; text: string }[]
      return {
        isError: result.isError === true,
        text: first?.text ?? '',
        content: (result.structuredContent ?? {}) as Record<string, unknown>,
        told: [...told],
      }
    },
    close: async () => await client.close(),
  }
}
