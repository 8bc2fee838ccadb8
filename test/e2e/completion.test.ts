// The completion script in a real bash, asking the real promo.
import { expect, test } from 'vitest'
import { runShell } from '../support/child.ts'
import { temporaryFolder } from '../support/promo.ts'

const folder = temporaryFolder()

const completed = async (...words: string[]) => {
  const quoted = words.map((word) => `'${word}'`).join(' ')
  const script = `source <(promo autocomplete bash)
COMP_WORDS=(promo ${quoted}); COMP_CWORD=${words.length}
_promo
printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = await runShell(script, folder)
  expect(stderr).toBe('')
  return stdout.trimEnd().split('\n')
}

test('bash completes a command', async () => {
  expect(await completed('vouchers', 'dis')).toEqual(['disable'])
})

test('bash completes the value of a flag that it broke at the equals sign', async () => {
  expect(await completed('vouchers', 'list', '--format', '=', 'js')).toEqual(['json', 'jsonl'])
})

test('bash is offered nothing where promo knows nothing, so that it offers file names', async () => {
  expect(await completed('vouchers', 'list', '--out', '')).toEqual([''])
})
