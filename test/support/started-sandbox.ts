// A sandbox as users start it: the real command, in a process of its own, called over loopback.
import { createInterface } from 'node:readline'
import type { Keys } from '../../src/sandbox/in-code-types.ts'
import { ended, startPromo } from './child.ts'
import { temporaryFolder } from './promo.ts'

export interface StartedSandbox {
  url: string
  credentials: Keys
  /** Stops the process and waits for its end. */
  close: () => Promise<void>
}

/** Starts `promo sandbox start` on a free port, in memory, with the demo project unless `flags` say otherwise. */
export async function startedSandbox(flags: readonly string[] = []): Promise<StartedSandbox> {
  const argv = ['sandbox', 'start', '--json', '--port', '0', '--data', ':memory:', ...flags]
  const child = startPromo(argv, temporaryFolder())
  let line: string | undefined
  for await (line of createInterface({ input: child.stdout })) break
  if (line === undefined) throw new Error(`promo sandbox start ended with: ${(await ended(child)).stderr}`)
  const { url, ...credentials } = JSON.parse(line)
  const close = async () => {
    child.kill('SIGTERM')
    await ended(child)
  }
  return { url, credentials, close }
}
