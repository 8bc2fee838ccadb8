// Another platform, played: its name, and calls of the file system that it refuses.
import fs from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

type Call = 'open' | 'rename' | 'renameSync' | 'rm' | 'rmSync'

export interface Refusal {
  call: Call
  /** The call fails for a path that matches, whether it is the first argument or the second. */
  path: RegExp
  code: string
}

/** Does the work as on another platform, where the file system refuses some calls. */
export async function onPlatform<Result>(
  platform: NodeJS.Platform,
  refusals: readonly Refusal[],
  work: () => Promise<Result>,
): Promise<Result> {
  const own = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor
  const undo = refusals.map(refuse)
  Object.defineProperty(process, 'platform', { ...own, value: platform })
  syncBuiltinESMExports()
  try {
    return await work()
  } finally {
    Object.defineProperty(process, 'platform', own)
    for (const one of undo) one()
    syncBuiltinESMExports()
  }
}

function refuse({ call, path, code }: Refusal): () => void {
  const module = (call.endsWith('Sync') ? fs : promises) as unknown as Record<string, unknown>
  const real = module[call] as (...args: unknown[]) => unknown
  module[call] = (...args: unknown[]) => {
    if (!args.some((arg) => typeof arg === 'string' && path.test(arg))) return real(...args)
    const error = Object.assign(new Error(`${code}: refused, ${call}`), { code })
    if (call.endsWith('Sync')) throw error
    return Promise.reject(error)
  }
  return () => {
    module[call] = real
  }
}
