// A real process that waits for a pipe ends by a signal, and one that is stopped and stays ends by its own.
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ended, runShell, startPromo } from '../support/child.ts'
import { untilOpen } from '../support/opened.ts'
import { needing } from '../support/programs.ts'
import { temporaryFolder } from '../support/promo.ts'

test.runIf(existsSync('/proc/self/fd')).each([
  ['vouchers disable --from FIFO --yes --profile sandbox', 'SIGTERM', 143],
  ['api POST /v1/vouchers --body @FIFO --yes --profile sandbox', 'SIGINT', 130],
  ['vouchers import FIFO --yes --profile sandbox', 'SIGHUP', 129],
  ['webhooks verify examples/delivery.json --headers FIFO', 'SIGTERM', 143],
  ['sandbox seed --from FIFO --data data.db', 'SIGTERM', 143],
  ['sandbox start --seed FIFO --data data.db', 'SIGINT', 130],
  ['whoami', 'SIGTERM', 143],
] as const)('%s ends by %s while no process writes', needing('mkfifo'), async (line, signal, exitCode) => {
  const folder = temporaryFolder()
  const fifo = join(folder, 'fifo')
  execFileSync('mkfifo', [fifo])
  const argv = line.replace('FIFO', fifo).replace('data.db', join(folder, 'data.db')).split(' ')

  const child = startPromo(argv, folder, {
    PROMO_WEBHOOK_SECRET: 'whsec',
    ...(line === 'whoami' && { PROMO_APP_ID: 'a', PROMO_APP_TOKEN_FILE: fifo }),
  })
  const end = ended(child)
  expect(await untilOpen(fifo, child.pid ?? 0, () => child.exitCode !== null)).toBe(true)
  child.kill(signal)

  expect(await end).toMatchObject({ exitCode, signal: null })
})

test('a process substitution is an input like any other', needing('bash'), async () => {
  const folder = temporaryFolder()

  const { stdout, stderr, exitCode } = await runShell(
    `PROMO_APP_ID=a PROMO_APP_TOKEN_FILE=<(sleep 0.2; echo secret) promo whoami --json | grep -c PROMO_APP_TOKEN_FILE
     promo vouchers disable --from <(sleep 0.2; echo code; echo MORNING) --yes --profile sandbox
     promo vouchers disable --from <(true) --yes --profile sandbox
     promo sandbox seed --data "$HOME/shop.db" --from <(echo '{"vouchers":[]}')`,
    folder,
  )

  expect(stdout.split('\n')[0], stderr).toBe('1')
  expect(stderr).toContain('disabled 1 voucher')
  expect(stderr).toContain('standard input is empty'.replace('standard input', '"/dev/fd/63"'))
  expect(exitCode).toBe(0)
})

test('a stopped run that stays alive ends by the signal', async () => {
  const folder = temporaryFolder()
  // Something that never ends, as a file system that is gone; and a clock on which fifteen seconds are short.
  const stuck = join(folder, 'stuck.mjs')
  writeFileSync(
    stuck,
    `const { setTimeout } = globalThis
     globalThis.setTimeout = (act, ms, ...rest) => setTimeout(act, ms >= 5000 ? ms / 100 : ms, ...rest)
     setInterval(() => {}, 1000)`,
  )
  const child = startPromo(['sandbox', 'start', '--data', ':memory:'], folder, { NODE_OPTIONS: `--import=${stuck}` })
  child.stdout.once('data', () => child.kill('SIGTERM'))

  expect(await ended(child)).toMatchObject({ exitCode: null, signal: 'SIGTERM' })
})
