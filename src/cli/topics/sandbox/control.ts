// What the commands share that control a sandbox: finding it, and the calls of its control server.

import { Flags } from '@oclif/core'
import { shellWord } from '../../../base/shell-word.ts'
import { PromoError, usageError } from '../../../errors.ts'
import { bringing, controlsSandbox } from '../../exits.ts'
import type { globalFlags } from '../../flags/flags.ts'
import type { ValuesOf } from '../../flags/kinds.ts'
import { textFlag } from '../../flags/kinds.ts'
import type { Host } from '../../run/host.ts'
import { sandboxFile } from '../../session/connect.ts'
import type { Run } from '../../session/run.ts'
import { type SandboxControl, withSandbox } from '../../session/sandbox.ts'

/** The variable with the token of a sandbox that `--url` names. */
const tokenVariable = 'PROMO_SANDBOX_CONTROL_TOKEN'

/** The flags that say which sandbox is controlled. */
export const controlFlags = {
  data: bringing(controlsSandbox, textFlag('the data file of the sandbox', 'FILE', { exclusive: ['url'] })),
  url: Flags.string({
    description: `the sandbox at this address (token: ${tokenVariable})`,
    helpValue: 'URL',
  }),
}

/** The values of `controlFlags`. */
export type ControlFlags = ValuesOf<typeof controlFlags & typeof globalFlags>

/**
 * Makes calls of the control server: of the sandbox at `--url`, else of the one that serves the data file, else of one that is
 * started inside this process for these calls, because what they change is in the file; not where it `mustServe`.
 *
 * Throws `usage`, `config`, `network`, `held` and `io`.
 */
export async function withControl<Result>(
  flags: ControlFlags,
  { host, show }: Pick<Run, 'host' | 'show'>,
  act: (control: SandboxControl) => Promise<Result>,
  { mustServe = false } = {},
): Promise<Result> {
  const remote = remoteAddress(flags, host)
  const file = flags.data ?? sandboxFile(host)
  return await withSandbox(async ({ controlAddressOf, remoteControl, startSandbox }) => {
    const address = remote ?? controlAddressOf(file)
    if (address) return await act(remoteControl(address, host.stop))
    if (mustServe)
      throw new PromoError('network', `no sandbox serves "${file}" now`, {
        hint: `promo sandbox start --data ${shellWord(file)}`,
      })
    const report = (error: unknown) => show.warn(error instanceof Error ? error.message : 'something failed')
    const sandbox = await startSandbox({ file, port: 0, demo: true, report })
    try {
      return await act(sandbox.control)
    } finally {
      await sandbox.close()
    }
  }).catch((error: unknown) => {
    throw withFlags(error)
  })
}

/** The control server speaks of members; what was typed are flags. */
function withFlags(error: unknown): unknown {
  if (!(error instanceof PromoError)) return error
  const { kind, exitCode, facts } = error
  const message = error.message.replace(/Property \.(\w+)/, (_, name: string) => `--${name.replaceAll('_', '-')}`)
  return new PromoError(kind, message, facts, exitCode)
}

function remoteAddress({ url }: ControlFlags, host: Pick<Host, 'env'>) {
  if (url === undefined) return undefined
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw usageError(`"${url}" is not the address of a sandbox`, '--url http://127.0.0.1:8099')
  }
  const token = host.env[tokenVariable] ?? ''
  if (/^[\x21-\x7e]+$/.test(token)) return { url: parsed.origin, token }
  throw usageError(
    `--url needs the control token of that sandbox in ${tokenVariable}, which ${token === '' ? 'is not set' : 'is no token'}`,
    `export ${tokenVariable}=...   (the control_token that the sandbox printed at its start, with --json)`,
  )
}
