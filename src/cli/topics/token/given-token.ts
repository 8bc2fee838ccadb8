// The token that a command is about: from a file, the environment or stdin, never from the command line, which is public.

import { inputError } from '../../../bulk/input/input-error.ts'
import { type PromoError, usageError } from '../../../errors.ts'
import { readEnvironment } from '../../../profiles/environment.ts'
import { secretFile } from '../../../profiles/secret-file.ts'
import { faultOf, withoutFinalNewline } from '../../../profiles/secret-value.ts'
import { textFlag } from '../../flags/kinds.ts'
import { askHidden } from '../../prompt/prompts.ts'
import { secretText } from '../../request/input-text.ts'
import type { Host } from '../../run/host.ts'
import type { Run } from '../../session/run.ts'

/** The flag that names the file. */
export const tokenFlag = {
  'token-file': textFlag('a file with the token (default: PROMO_ACCESS_TOKEN, else stdin)', 'FILE|-'),
}

/** The environment variables that may contain the token. */
const variables = ['PROMO_ACCESS_TOKEN', 'PROMO_ACCESS_TOKEN_FILE'] as const

/** Returns the token that a command is about, as the body of a call. Throws like `givenToken`. */
export async function tokenBody(flags: TokenFlags, run: TokenRun) {
  return { access_token: await givenToken(flags, run) }
}

/**
 * Returns the token that a command is about.
 *
 * A token from the environment is removed from it: it is the subject of the call, not its credential. Throws `usage`
 * when there is none or it is malformed, without showing it, and `input` (exit 2) for a file that cannot be read.
 */
async function givenToken(flags: TokenFlags, run: TokenRun): Promise<string> {
  const ofEnvironment = await takeFromEnvironment(run.host)
  const file = flags['token-file']
  if (file === undefined && ofEnvironment !== undefined) return ofEnvironment
  const token = withoutFinalNewline(await tokenFrom(file, run))
  const fault = faultOf(token)
  if (fault !== undefined) throw usageError(`the token ${fault}`)
  return token
}

type TokenFlags = { 'token-file'?: string | undefined }
type TokenRun = Pick<Run, 'host' | 'canAsk'>

async function tokenFrom(file: string | undefined, { host, canAsk }: TokenRun): Promise<string> {
  if (file !== undefined && file !== '-') {
    const read = await secretFile(file, host.stop)
    if ('text' in read) return read.text
    throw inputError(`--token-file ${read.fault}`, 'check its path, or pipe the token in')
  }
  if (!host.stdin.isTTY) {
    const given = await secretText(host)
    if (given !== '') return given
    throw noToken()
  }
  if (!canAsk()) throw noToken()
  return await askHidden('the token:', host)
}

function noToken(): PromoError {
  return usageError('no token given', 'pipe it in, or add --token-file FILE')
}

async function takeFromEnvironment(host: Pick<Host, 'env' | 'stop'>): Promise<string | undefined> {
  const own: Record<string, string | undefined> = {}
  for (const name of variables) {
    if (host.env[name] === undefined) continue
    own[name] = host.env[name]
    delete host.env[name]
  }
  return (await readEnvironment(own, host.stop)).access_token?.value
}
