// The completion scripts in their shells, with the real promo.
import { beforeAll, describe, expect, test } from 'vitest'
import { runPromo } from '../support/child.ts'
import { shellsIn } from '../support/completion.ts'
import { needing } from '../support/programs.ts'
import { temporaryFolder } from '../support/promo.ts'

const folder = temporaryFolder()
const shells = shellsIn(folder)

beforeAll(async () => {
  const argv = ['profiles', 'add', 'staging', '--insecure-storage', '--app-id', 'app-1']
  expect((await runPromo(argv, folder, {}, 'token-1')).exitCode).toBe(0)
  const many = ['vouchers', 'disable', 'WELCOME-001', 'WELCOME-002', '--yes', '--profile', 'sandbox']
  expect((await runPromo(many, folder)).exitCode).toBe(0)
})

for (const [shell, complete] of Object.entries(shells))
  describe(shell, needing(shell as keyof typeof shells), () => {
    // Bash completes the text after the equals sign; the others complete the entire word.
    const inOneWord = (value: string) => (shell === 'bash' ? value : `--format=${value}`)

    test.each([
      ['a topic', 'promo vouch', ['vouchers']],
      ['a command', 'promo vouchers dis', ['disable']],
      ['topics in a topic', 'promo loyalty p', ['pending', 'points', 'programs']],
      ['a flag', 'promo vouchers list --form', ['--format']],
      ['the values of a flag', 'promo vouchers list --format js', ['json', 'jsonl']],
      ['the values of a flag in one word', 'promo vouchers list --format=js', [inOneWord('json'), inOneWord('jsonl')]],
      ['the values of an argument', 'promo api P', ['POST', 'PUT']],
      ['the stored profiles', 'promo vouchers list --profile s', ['sandbox', 'staging']],
      ['the stored profiles, as an argument', 'promo profiles use st', ['staging']],
      ['webhook events', 'promo webhooks create --event voucher.cr', ['voucher.created']],
      [
        'webhook events in a list',
        'promo webhooks create --event voucher.created,voucher.del',
        ['voucher.created,voucher.deleted'],
      ],
      ['scopes', 'promo token create --scope vou', ['vouchers']],
      ['columns', 'promo vouchers list --columns code,act', ['code,active']],
      ['guides', 'promo help exit', ['exit-codes']],
      [
        'files where promo has no candidates',
        'promo vouchers disable --from packag',
        ['package-lock.json', 'package.json'],
      ],
      ['nothing for a job that does not exist', 'promo jobs show 1999', []],
    ])('completes %s', (_, line, expected) => {
      expect(complete(line).toSorted()).toEqual(expected)
    })

    test('completes the ids of existing jobs', () => {
      expect(complete('promo jobs show 2')).toEqual([expect.stringMatching(/^\d{8}-[0-9a-z]{6}$/)])
    })
  })
