// The secret that deliveries are signed with: from stdin, the environment or the profile, and never from a flag.
import { text } from 'node:stream/consumers'
import { Flags } from '@oclif/core'
import { EXIT, PromoError, usageError } from '../../errors.ts'
import { readEnvironment } from '../../profiles/environment.ts'
import { faultOf, withoutFinalNewline } from '../../profiles/secret-value.ts'
import { resolveProfile, sandboxFile } from '../connect.ts'
import type { Host } from '../host.ts'
import { withSandbox } from '../sandbox-door.ts'

/** Where the secret comes from. */
export const secretFlags = {
  profile: Flags.string({
    char: 'p',
    description: 'the profile whose webhook secret is used; "sandbox" is built in',
    helpValue: 'NAME',
  }),
  'secret-stdin': Flags.boolean({
    description: 'read the webhook secret from stdin (default: PROMO_WEBHOOK_SECRET, else the profile)',
  }),
}

/**
 * Gives the webhook secret. Nothing is asked of the service.
 *
 * Throws `usage` for a secret on stdin that cannot be one, without showing it, and `config` (exit 4) when there is none.
 */
export async function webhookSecret(
  flags: { profile?: string | undefined; 'secret-stdin'?: boolean },
  host: Host,
): Promise<string> {
  if (flags['secret-stdin']) return await fromStdin(host)
  const { webhook_secret } = readEnvironment(host.env)
  if (webhook_secret !== undefined) return webhook_secret.value
  const profile = await resolveProfile(flags, host)
  const { webhook_secret: stored } = profile.isSandbox ? await ofSandbox(host) : await profile.credentials()
  if (stored !== undefined) return stored
  throw new PromoError('config', EXIT.auth, `profile "${profile.name}" has no webhook secret`, {
    hint: 'set PROMO_WEBHOOK_SECRET, or pipe it in with --secret-stdin',
  })
}

async function fromStdin(host: Host): Promise<string> {
  if (host.stdin.isTTY) throw usageError('stdin is a terminal', 'pipe the secret in, or set PROMO_WEBHOOK_SECRET')
  const secret = withoutFinalNewline(await text(host.stdin))
  const fault = faultOf(secret)
  if (fault !== undefined) throw usageError(`the webhook secret ${fault}`)
  return secret
}

// The file of the sandbox is read by the sandbox alone, so it is started and stopped again.
async function ofSandbox(host: Host): Promise<{ webhook_secret: string }> {
  const { credentials, close } = await withSandbox(({ startSandbox }) =>
    startSandbox({ file: sandboxFile(host), port: 0, demo: true }),
  )
  await close()
  return credentials
}
